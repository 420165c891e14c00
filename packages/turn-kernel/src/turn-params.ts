import type { AccessFacts } from "./access-facts.ts";
import type { AssembledChannelTurn, ResolvedTurnBase } from "./assembled-channel-turn.ts";
import type { ChannelTurnAdapter } from "./channel-turn-adapter.ts";
import type { ChannelTurnAdmission } from "./channel-turn-admission.ts";
import type { ChannelTurnResult } from "./channel-turn-result.ts";
import type { FinalizedMsgContext } from "./finalized-msg-context.ts";
import type { TurnPassOptions } from "./kernel-ports.ts";
import type { PreparedChannelTurn } from "./prepared-channel-turn.ts";

/** Arguments of `run`. */
export interface RunTurnParams<TRaw> extends TurnPassOptions {
  readonly channel: string;
  readonly accountId?: string | undefined;
  readonly raw: TRaw;
  readonly adapter: ChannelTurnAdapter<TRaw>;
}

/** Arguments of `runAssembled`. With `access` the turn is authorized; without, its caller has done so. */
export interface RunAssembledParams extends AssembledChannelTurn, TurnPassOptions {
  readonly channel: string;
  readonly ctxPayload: FinalizedMsgContext;
  readonly access?: AccessFacts | undefined;
  readonly admission?: ChannelTurnAdmission | undefined;
  /** Called exactly once, however the turn ends. */
  readonly onFinalize?: ((result: ChannelTurnResult) => void | Promise<void>) | undefined;
}

/** Arguments of `runPrepared`. */
export interface RunPreparedParams extends PreparedChannelTurn, TurnPassOptions {
  readonly channel: string;
  readonly ctxPayload: FinalizedMsgContext;
  readonly admission?: ChannelTurnAdmission | undefined;
  /** Called exactly once, however the turn ends. */
  readonly onFinalize?: ((result: ChannelTurnResult) => void | Promise<void>) | undefined;
}

/** Facts for `buildContext`. */
export interface BuildContextParams extends Omit<
  ResolvedTurnBase,
  "ctxPayload" | "recordInboundSession" | "record" | "onPreDispatchFailure" | "history"
> {
  readonly channel: string;
}
