/** Why a turn was aborted. */
export type TurnAbortReason = "stop" | "superseded" | "timeout" | "shutdown" | "reload";

/**
 * Owner of everything that lives as long as a turn: typing, ack reaction, draft, approvals.
 * All are released exactly once when the turn ends, however it ends.
 */
export interface TurnScope {
  readonly signal: AbortSignal;
  /** The first reason counts. */
  abort(reason: TurnAbortReason): void;
  /** Registers a release; called at once when the scope is closed already. Returns how to unregister. */
  onRelease(release: () => void | Promise<void>): () => void;
}
