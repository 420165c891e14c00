import type { Json } from "./world.ts";

/** A bot's own Retry-After is respected up to an hour, seconds. */
const MAX_RETRY_AFTER_S = 3_600;
/** How long the bot may take to answer, ms. */
const ANSWER_TIMEOUT_MS = 60_000;

/** What became of one attempt to give the bot an update. */
export type Attempt =
  | { readonly isTaken: true; readonly status: number; readonly body: string }
  | { readonly isTaken: false; readonly retryAfterMs: number; readonly message: string };

/** An attempt that failed without an answer. */
export function failedAttempt(message: string): Attempt {
  return { isTaken: false, retryAfterMs: 0, message };
}

/** Posts one update to a webhook; every 2xx takes it. */
export async function postUpdate(
  target: { readonly url: string; readonly secret: string | undefined },
  update: Json,
  stop: AbortSignal,
): Promise<Attempt> {
  const headers: Record<string, string> = { "content-type": "application/json" };
  if (target.secret !== undefined) headers["x-telegram-bot-api-secret-token"] = target.secret;
  try {
    const response = await fetch(target.url, {
      method: "POST",
      headers,
      body: JSON.stringify(update),
      signal: AbortSignal.any([stop, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]),
    });
    const body = await response.text();
    if (response.ok) return { isTaken: true, status: response.status, body };
    const retryAfterS = Math.min(MAX_RETRY_AFTER_S, Number(response.headers.get("retry-after")) || 0);
    return {
      isTaken: false,
      retryAfterMs: retryAfterS * 1000,
      message: `Wrong response from the webhook: ${response.status} ${response.statusText}`,
    };
  } catch (error) {
    return failedAttempt(`Connection failed: ${error instanceof Error ? error.message : "no reason was given"}`);
  }
}
