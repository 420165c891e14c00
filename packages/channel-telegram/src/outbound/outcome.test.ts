import { describe, expect, it } from "vitest";

import type { TelegramFailure } from "../client.ts";
import { decideOutcome, OUTCOME_RULES, type SentCall } from "./outcome.ts";

const refused = (
  status: number,
  description: string,
  more: Partial<Extract<TelegramFailure, { kind: "refused" }>> = {},
): TelegramFailure => ({
  kind: "refused",
  method: "sendMessage",
  status,
  description,
  ...more,
});
const lost = (written: "no" | "maybe"): TelegramFailure => ({
  kind: "transport",
  method: "sendMessage",
  written,
  code: "X",
});

const SEND: SentCall = { op: "send", hasMarkup: false, hasMedia: false, isMoved: false };
const MARKED: SentCall = { ...SEND, hasMarkup: true };
const EDIT: SentCall = { ...SEND, op: "edit" };
const MEDIA: SentCall = { ...SEND, hasMedia: true };

const NOT_MODIFIED =
  "Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message";

describe("what follows from a call that Telegram did not carry out", () => {
  const rows: readonly (readonly [name: string, failure: TelegramFailure, call: SentCall, expected: object])[] = [
    ["the connection failed before a byte left", lost("no"), SEND, { kind: "retry" }],
    ["bytes left and no answer came", lost("maybe"), SEND, { kind: "unknown" }],
    ["the same for an edit: the outbox repeats it", lost("maybe"), EDIT, { kind: "unknown" }],
    [
      "429 with a time",
      refused(429, "Too Many Requests: retry after 3", { retryAfterMs: 3_000 }),
      SEND,
      { kind: "retry", scope: "chat", retryAfterMs: 3_000 },
    ],
    [
      "429 without one",
      refused(429, "Too Many Requests"),
      EDIT,
      { kind: "retry", scope: "chat", retryAfterMs: undefined },
    ],
    ["500", refused(500, "Internal Server Error"), SEND, { kind: "unknown" }],
    ["502", refused(502, "Bad Gateway"), SEND, { kind: "unknown" }],
    [
      "401: the token was taken back",
      refused(401, "Unauthorized"),
      SEND,
      { kind: "retry", scope: "bot", retryAfterMs: 60_000 },
    ],
    [
      "403: blocked by the person",
      refused(403, "Forbidden: bot was blocked by the user"),
      MARKED,
      { kind: "rejected", code: "telegram_chat_forbidden" },
    ],
    [
      "403: removed from the group",
      refused(403, "Forbidden: bot was kicked from the supergroup chat"),
      SEND,
      { kind: "rejected", code: "telegram_chat_forbidden" },
    ],
    [
      "400: the chat is not there",
      refused(400, "Bad Request: chat not found"),
      MARKED,
      { kind: "rejected", code: "telegram_chat_gone" },
    ],
    [
      "400: the topic was deleted",
      refused(400, "Bad Request: message thread not found"),
      MARKED,
      { kind: "rejected", code: "telegram_chat_gone" },
    ],
    [
      "400: the topic was closed",
      refused(400, "Bad Request: TOPIC_CLOSED"),
      SEND,
      { kind: "rejected", code: "telegram_chat_gone" },
    ],
    ["an edit that changes nothing", refused(400, NOT_MODIFIED), EDIT, { kind: "done" }],
    ["the same, with formatting", refused(400, NOT_MODIFIED), { ...EDIT, hasMarkup: true }, { kind: "done" }],
    [
      "an edit of a message that was deleted",
      refused(400, "Bad Request: message to edit not found"),
      { ...EDIT, hasMarkup: true },
      { kind: "rejected", code: "telegram_message_gone" },
    ],
    [
      "an edit that is not allowed any more",
      refused(400, "Bad Request: message can't be edited"),
      EDIT,
      { kind: "rejected", code: "telegram_message_gone" },
    ],
    [
      "a deletion of what is deleted",
      refused(400, "Bad Request: message to delete not found"),
      { ...SEND, op: "delete" },
      { kind: "done" },
    ],
    [
      "a deletion after 48 hours",
      refused(400, "Bad Request: message can't be deleted for everyone"),
      { ...SEND, op: "delete" },
      { kind: "rejected", code: "telegram_message_gone" },
    ],
    [
      "formatting that does not parse",
      refused(400, "Bad Request: can't parse entities: Can't find end of the entity"),
      MARKED,
      { kind: "rejected", code: "telegram_markup_refused", fallback: "plain" },
    ],
    [
      "an entity out of bounds",
      refused(400, "Bad Request: ENTITY_BOUNDS_INVALID"),
      MARKED,
      { kind: "rejected", code: "telegram_markup_refused", fallback: "plain" },
    ],
    [
      "a button that is refused",
      refused(400, "Bad Request: BUTTON_DATA_INVALID"),
      MARKED,
      { kind: "rejected", code: "telegram_markup_refused", fallback: "plain" },
    ],
    [
      "too long, with formatting",
      refused(400, "Bad Request: message is too long"),
      MARKED,
      { kind: "rejected", code: "telegram_markup_refused", fallback: "plain" },
    ],
    [
      "too long, plain already: that was the one other try",
      refused(400, "Bad Request: message is too long"),
      SEND,
      { kind: "rejected", code: "telegram_send_refused" },
    ],
    [
      "a reason that nobody knows, with formatting",
      refused(400, "Bad Request: MOON_PHASE_INVALID"),
      MARKED,
      { kind: "rejected", code: "telegram_send_refused", fallback: "plain" },
    ],
    [
      "a reason that nobody knows",
      refused(400, "Bad Request: MOON_PHASE_INVALID"),
      SEND,
      { kind: "rejected", code: "telegram_send_refused" },
    ],
    [
      "an address that gives no file",
      refused(400, "Bad Request: failed to get HTTP URL content"),
      MEDIA,
      { kind: "rejected", code: "telegram_media_refused", fallback: "without_media" },
    ],
    [
      "a picture of bad proportions",
      refused(400, "Bad Request: PHOTO_INVALID_DIMENSIONS"),
      MEDIA,
      { kind: "rejected", code: "telegram_media_refused", fallback: "without_media" },
    ],
    [
      "a group that became a supergroup",
      refused(400, "Bad Request: group chat was upgraded to a supergroup chat", { migrateToChatId: "-100777" }),
      MARKED,
      { kind: "moved", chatId: "-100777" },
    ],
    [
      "one that says so again",
      refused(400, "Bad Request: group chat was upgraded to a supergroup chat", { migrateToChatId: "-100777" }),
      { ...SEND, isMoved: true },
      { kind: "rejected", code: "telegram_send_refused" },
    ],
    [
      "404: a method that an old server does not know",
      refused(404, "Not Found: method not found"),
      { ...MARKED, op: "draft" },
      { kind: "rejected", code: "telegram_send_refused" },
    ],
    [
      "a reaction that is not allowed there",
      refused(400, "Bad Request: REACTION_INVALID"),
      { ...SEND, op: "react" },
      { kind: "rejected", code: "telegram_send_refused" },
    ],
  ];

  it.each(rows)("%s", (_name, failure, call, expected) => {
    const decision = decideOutcome(failure, call);
    expect(decision).toMatchObject(expected);
    if (decision.kind === "rejected" && !("fallback" in expected)) expect(decision.fallback).toBeUndefined();
  });

  it("has a rule for everything, in this order", () => {
    expect(OUTCOME_RULES.map(({ name }) => name)).toMatchInlineSnapshot(`
      [
        "no answer",
        "asked to wait (429)",
        "server error (5xx)",
        "token refused (401)",
        "chat has moved",
        "may not write there (403)",
        "the same text already",
        "deleted already",
        "message is gone or closed",
        "chat or topic is gone",
        "file refused",
        "markup refused",
        "anything else",
      ]
    `);
  });
});
