import type { ResolvedTurnBase } from "./assembled-channel-turn.ts";
import type { ChannelTurnAdmission } from "./channel-turn-admission.ts";
import type { DeliveryOutcome } from "./channel-delivery.ts";
import type { DispatchResult, ReplySink } from "./reply-dispatcher.ts";

/** Where a prepared dispatcher sends a part. */
export interface PreparedSendTarget {
  readonly to: string;
  readonly threadId?: string | undefined;
  readonly replyToId?: string | undefined;
  readonly silent?: boolean | undefined;
}

/** What a prepared dispatcher runs with. */
export interface RunDispatchControls {
  readonly signal: AbortSignal;
  /** True: nothing visible may leave; `send` answers `suppressed`. */
  readonly observeOnly: boolean;
  /** Writes to the outbox; the runtime allots the idempotency id. `part` is the channel's own rendered part. */
  readonly send: (part: unknown, target: PreparedSendTarget) => Promise<DeliveryOutcome>;
  /** Runs the agent into the channel's own sink. */
  readonly reply: (sink: ReplySink) => Promise<DispatchResult>;
}

/**
 * The channel's own dispatch: streams, threads, previews. The zero-argument form of the seeds stays valid.
 * Anything but a `DispatchResult` counts as a dispatch that reports nothing.
 */
export type RunDispatch = (controls: RunDispatchControls) => Promise<unknown>;

/** A turn that the channel dispatches itself. */
export interface PreparedChannelTurn extends ResolvedTurnBase {
  readonly runDispatch: RunDispatch;
  /** Without it an `observeOnly` turn's dispatch is skipped. */
  readonly supportsObserveOnly?: boolean | undefined;
  readonly delivery?: undefined;
}

/** A prepared turn with an optional admission of any kind. */
export interface ResolvedPreparedTurn extends PreparedChannelTurn {
  readonly admission?: ChannelTurnAdmission | undefined;
}
