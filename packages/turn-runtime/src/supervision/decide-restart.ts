import { type ErrorClass, TurnwireError } from "@turnwire/turn-ports";

/** Errors of the inbox: what they mean is ours to know, not the channel's. All of them pass. */
const INBOX_ERRORS = ["lease_lost", "inbox_unavailable", "inbox_full"];

/** What follows the end of a listener's run. */
export type RestartDecision =
  | { readonly kind: "stop" }
  | { readonly kind: "restart"; readonly delayMs: number }
  | { readonly kind: "fail"; readonly hint: string };

/** Pure: how the run ended, what its error means, and the pause that the backoff proposes. */
export function decideRestart(run: {
  readonly stopped: boolean;
  readonly leaseLost: boolean;
  /** Null when the listener returned by itself. */
  readonly error: ErrorClass | null;
  readonly backoffMs: number;
}): RestartDecision {
  if (run.stopped) return { kind: "stop" };
  // The lease is tried for again at once; while another holds it that is standby.
  if (run.leaseLost) return { kind: "restart", delayMs: 0 };
  if (run.error === null) return { kind: "restart", delayMs: run.backoffMs };
  if (run.error.kind === "fatal") return { kind: "fail", hint: run.error.hint };
  return { kind: "restart", delayMs: Math.max(run.backoffMs, run.error.afterMs ?? 0) };
}

/** What the error of a run means; null for a run that ended by itself. */
export function classifyRunError(error: unknown, classify: (error: unknown) => ErrorClass): ErrorClass | null {
  if (error === null) return null;
  if (TurnwireError.isInstance(error) && INBOX_ERRORS.includes(error.code)) {
    return { kind: "retry", afterMs: error.retryAfterMs };
  }
  return classify(error);
}
