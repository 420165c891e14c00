/** How the service's answer is to be taken. */
export type ResponseDecision =
  | { readonly kind: "stream" }
  | { readonly kind: "json" }
  /** Asked again after this, ms; absent: after the usual pause. */
  | { readonly kind: "retry"; readonly code: string; readonly afterMs?: number | undefined }
  | { readonly kind: "failed"; readonly code: string };

/** Decides by status and content type alone. */
export function decideResponse(response: {
  readonly status: number;
  readonly contentType: string | null;
  readonly retryAfter: string | null;
  readonly nowMs: number;
}): ResponseDecision {
  const { status, contentType, retryAfter, nowMs } = response;
  if (status === 429 || status === 503) {
    return {
      kind: "retry",
      code: status === 429 ? "runner_rate_limited" : "runner_overloaded",
      afterMs: parseRetryAfter(retryAfter, nowMs),
    };
  }
  if (status >= 400 && status < 500) return { kind: "failed", code: "runner_refused" };
  if (status !== 200) return { kind: "failed", code: "runner_failed" };
  if (contentType?.startsWith("text/event-stream") === true) return { kind: "stream" };
  if (contentType?.startsWith("application/json") === true) return { kind: "json" };
  return { kind: "failed", code: "runner_answer_unreadable" };
}

/** `Retry-After` in its two forms, seconds and a date; undefined when it is neither. */
function parseRetryAfter(value: string | null, nowMs: number): number | undefined {
  if (value === null) return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1_000);
  const atMs = Date.parse(value);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}
