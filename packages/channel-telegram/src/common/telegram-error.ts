import { TurnwireError } from "@turnwire/turn-kernel";
import type { ErrorClass } from "@turnwire/turn-ports";

import type { TelegramFailure } from "../client.ts";

/** What to do about a token that Telegram does not know. */
export const TOKEN_HINT =
  "Telegram does not know this bot token; copy it anew from @BotFather into botToken (and check apiRoot, when it is set).";

/** Makes an error of a failed call. Its message names the method and Telegram's words, never a body or a token. */
export function toTelegramError(failure: TelegramFailure): TurnwireError {
  const { method } = failure;
  if (failure.kind === "transport") {
    return new TurnwireError({
      code: "telegram_unreachable",
      message: `Telegram gave no answer to ${method} (${failure.code}); check the network and apiRoot.`,
    });
  }
  const { status, description, retryAfterMs } = failure;
  // A token of the wrong form is no path of the API, which says 404; `getMe` and `getUpdates` exist everywhere.
  if (status === 401 || (status === 404 && ALWAYS_THERE.has(method))) {
    return new TurnwireError({ code: "telegram_token_invalid", message: TOKEN_HINT });
  }
  if (status === 429) {
    return new TurnwireError({
      code: "telegram_rate_limited",
      message: `Telegram asks to wait before ${method} is called again.`,
      retryAfterMs,
    });
  }
  return new TurnwireError({
    code: status >= 500 ? "telegram_failed" : "telegram_refused",
    message: `Telegram answered ${method} with ${status}: ${description}`,
    retryAfterMs,
  });
}

const ALWAYS_THERE: ReadonlySet<string> = new Set(["getMe", "getUpdates"]);

/** Errors that another try would only meet again; the message of each says what to do. */
const FATAL_CODES: ReadonlySet<string> = new Set([
  "telegram_token_invalid",
  "telegram_webhook_secret_missing",
  "telegram_webhook_refused",
]);

/** What the supervisor does after the listener ended with this. */
export function classifyTelegramError(error: unknown): ErrorClass {
  if (!TurnwireError.isInstance(error)) return { kind: "retry" };
  if (FATAL_CODES.has(error.code)) return { kind: "fatal", hint: error.message };
  return error.retryAfterMs === undefined ? { kind: "retry" } : { kind: "retry", afterMs: error.retryAfterMs };
}
