import type { ErrorClass } from "@turnwire/turn-ports";

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
