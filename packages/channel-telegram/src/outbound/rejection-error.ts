import { TurnwireError } from "@turnwire/turn-kernel";

import type { TelegramFailure } from "../client.ts";
import type { RejectionCode } from "./outcome.ts";

/** The error of a part that Telegram refuses for good: what it means, in Telegram's words behind ours. */
export function rejectionError(code: RejectionCode, failure: TelegramFailure, cause: TurnwireError): TurnwireError {
  const words = failure.kind === "refused" ? failure.description : failure.code;
  switch (code) {
    case "telegram_message_gone":
      return new TurnwireError({
        code: "telegram_message_gone",
        message: `A message at Telegram is gone or closed to changes (${words}); what was to be written into it is sent anew.`,
        cause,
      });
    case "telegram_chat_forbidden":
      return new TurnwireError({
        code: "telegram_chat_forbidden",
        message: `The bot may not write in that chat (${words}); it was blocked, removed, or lacks the right to post.`,
        cause,
      });
    case "telegram_chat_gone":
      return new TurnwireError({
        code: "telegram_chat_gone",
        message: `The chat or topic is not there, or closed (${words}); nothing can be sent to it.`,
        cause,
      });
    case "telegram_markup_refused":
      return new TurnwireError({
        code: "telegram_markup_refused",
        message: `Telegram refuses the formatting or buttons of a message (${words}); it is sent as plain text.`,
        cause,
      });
    case "telegram_media_refused":
      return new TurnwireError({
        code: "telegram_media_refused",
        message: `Telegram refuses a file (${words}); its words and address are sent in its place.`,
        cause,
      });
    case "telegram_send_refused":
      return new TurnwireError({
        code: "telegram_send_refused",
        message: `Telegram refuses a call for good: ${words}`,
        cause,
      });
  }
}
