import type { ChannelTurnAdmission } from "./channel-turn-admission.ts";
import type { FinalizedMsgContext } from "./finalized-msg-context.ts";
import type { DispatchResult } from "./reply-dispatcher.ts";
import type { TurnStage } from "./turn-stage.ts";

/** How a turn ended; what `onFinalize` receives and the entry points return. */
export interface ChannelTurnResult {
  readonly admission: ChannelTurnAdmission;
  readonly dispatched: boolean;
  readonly ctxPayload?: FinalizedMsgContext | undefined;
  readonly routeSessionKey?: string | undefined;
  readonly dispatchResult?: DispatchResult | undefined;
  readonly failedStage?: TurnStage | undefined;
  readonly error?: unknown;
  /** `admission`: the first pass of an event that waits for an active run; `run`: the pass that dispatches. */
  readonly pass: "admission" | "run";
}

/** The result of a turn that was dispatched. */
export interface DispatchedChannelTurnResult extends ChannelTurnResult {
  readonly dispatched: true;
  readonly dispatchResult: DispatchResult;
}
