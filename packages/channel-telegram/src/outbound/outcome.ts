import type { OutboundOp } from "@turnwire/turn-ports";

import type { TelegramFailure } from "../client.ts";

/** What of a part the rules look at. */
export interface SentCall {
  readonly op: OutboundOp;
  /** It has formatting or buttons that a plain form would do without. */
  readonly hasMarkup: boolean;
  /** It carries a file. */
  readonly hasMedia: boolean;
  /** It was readdressed already. */
  readonly isMoved: boolean;
}

/** What follows from a failed call. `code` names the reason in `rejected`. */
export type OutcomeDecision =
  /** As good as done: what was asked for is the state already. */
  | { readonly kind: "done" }
  | { readonly kind: "retry"; readonly scope: "chat" | "bot" | undefined; readonly retryAfterMs: number | undefined }
  | { readonly kind: "unknown" }
  | {
      readonly kind: "rejected";
      readonly code: RejectionCode;
      readonly fallback?: "plain" | "without_media" | undefined;
    }
  | { readonly kind: "moved"; readonly chatId: string };

/** Why Telegram refuses a part for good. */
export type RejectionCode =
  | "telegram_message_gone"
  | "telegram_chat_forbidden"
  | "telegram_chat_gone"
  | "telegram_markup_refused"
  | "telegram_media_refused"
  | "telegram_send_refused";

/** One rule: null when it has nothing to say, and the next one is asked. */
export interface OutcomeRule {
  readonly name: string;
  readonly decide: (failure: TelegramFailure, call: SentCall) => OutcomeDecision | null;
}

/** While the token is refused nothing is lost: the operator mends it, and parts are sent then. */
const TOKEN_RETRY_MS = 60_000;

/**
 * Telegram tells its 400s apart by their descriptions alone, so these are the texts of its server
 * (tdlib/telegram-bot-api), in lower case. An unknown one is a plain refusal.
 */
const TEXTS = {
  notModified: ["message is not modified"],
  messageGone: ["message to edit not found", "message can't be edited", "message_id_invalid"],
  deletedBefore: ["message to delete not found"],
  undeletable: ["message can't be deleted"],
  chatGone: [
    "chat not found",
    "message thread not found",
    "topic_deleted",
    "topic_closed",
    "peer_id_invalid",
    "user not found",
  ],
  markup: [
    "can't parse",
    "entit",
    "button_",
    "reply_markup",
    "inline keyboard",
    "message is too long",
    "caption is too long",
  ],
  media: [
    "failed to get http url content",
    "wrong file identifier",
    "wrong type of the web page content",
    "photo_invalid_dimensions",
    "image_process_failed",
    "webpage_",
    "file is too big",
    "wrong remote file",
    "photo_",
    "voice_messages_forbidden",
    "file must be non-empty",
  ],
} as const;

function says(failure: TelegramFailure, texts: readonly string[]): boolean {
  if (failure.kind !== "refused") return false;
  const description = failure.description.toLowerCase();
  return texts.some((text) => description.includes(text));
}

function isStatus(failure: TelegramFailure, status: number): boolean {
  return failure.kind === "refused" && failure.status === status;
}

/** The rules in their order; the first that decides, decides. */
export const OUTCOME_RULES: readonly OutcomeRule[] = [
  {
    name: "no answer",
    decide(failure) {
      if (failure.kind !== "transport") return null;
      return failure.written === "no"
        ? { kind: "retry", scope: undefined, retryAfterMs: undefined }
        : { kind: "unknown" };
    },
  },
  {
    // Only that chat waits: the budget of the bot is ours to keep.
    name: "asked to wait (429)",
    decide: (failure) =>
      failure.kind === "refused" && failure.status === 429
        ? { kind: "retry", scope: "chat", retryAfterMs: failure.retryAfterMs }
        : null,
  },
  {
    // The server answers 500 for calls that it has carried out, too: nothing is proven.
    name: "server error (5xx)",
    decide: (failure) => (failure.kind === "refused" && failure.status >= 500 ? { kind: "unknown" } : null),
  },
  {
    name: "token refused (401)",
    decide: (failure) =>
      isStatus(failure, 401) ? { kind: "retry", scope: "bot", retryAfterMs: TOKEN_RETRY_MS } : null,
  },
  {
    name: "chat has moved",
    decide: (failure, { isMoved }) =>
      failure.kind === "refused" && failure.migrateToChatId !== undefined && !isMoved
        ? { kind: "moved", chatId: failure.migrateToChatId }
        : null,
  },
  {
    name: "may not write there (403)",
    decide: (failure) => (isStatus(failure, 403) ? { kind: "rejected", code: "telegram_chat_forbidden" } : null),
  },
  {
    name: "the same text already",
    decide: (failure, { op }) => (op === "edit" && says(failure, TEXTS.notModified) ? { kind: "done" } : null),
  },
  {
    name: "deleted already",
    decide: (failure, { op }) => (op === "delete" && says(failure, TEXTS.deletedBefore) ? { kind: "done" } : null),
  },
  {
    name: "message is gone or closed",
    decide: (failure, { op }) =>
      op !== "send" && says(failure, [...TEXTS.messageGone, ...TEXTS.undeletable])
        ? { kind: "rejected", code: "telegram_message_gone" }
        : null,
  },
  {
    name: "chat or topic is gone",
    decide: (failure) => (says(failure, TEXTS.chatGone) ? { kind: "rejected", code: "telegram_chat_gone" } : null),
  },
  {
    name: "file refused",
    decide: (failure, { hasMedia }) =>
      hasMedia && says(failure, TEXTS.media)
        ? { kind: "rejected", code: "telegram_media_refused", fallback: "without_media" }
        : null,
  },
  {
    // Also for reasons that are not known: a plain form is tried once before it is given up.
    name: "markup refused",
    decide: (failure, { hasMarkup, op }) =>
      isStatus(failure, 400) && hasMarkup && (op === "send" || op === "edit" || op === "draft")
        ? {
            kind: "rejected",
            code: says(failure, TEXTS.markup) ? "telegram_markup_refused" : "telegram_send_refused",
            fallback: "plain",
          }
        : null,
  },
  { name: "anything else", decide: () => ({ kind: "rejected", code: "telegram_send_refused" }) },
];

/** Pure: what follows from a call that Telegram did not carry out. */
export function decideOutcome(failure: TelegramFailure, call: SentCall): OutcomeDecision {
  for (const rule of OUTCOME_RULES) {
    const decision = rule.decide(failure, call);
    if (decision !== null) return decision;
  }
  return { kind: "unknown" };
}
