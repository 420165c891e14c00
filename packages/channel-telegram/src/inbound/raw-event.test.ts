import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

import { describe, expect, it } from "vitest";

import {
  ANN,
  aMessage,
  anEvent,
  anUpdate,
  BOB,
  BOT,
  CHANNEL,
  DATE_S,
  DIRECT,
  entity,
  FORUM,
  GROUP,
  SELF,
} from "../../test/support/updates.ts";
import { envelope, readEvent, toRawEvent } from "./raw-event.ts";
import { UNREAD_KINDS } from "./update-schema.ts";

const photo = [
  { file_id: "small", width: 90, height: 60 },
  { file_id: "large", width: 900, height: 600 },
];

describe("the envelope of an update", () => {
  const direct = { routePeer: { kind: "direct", id: "1001" }, senderId: "1001", replyTarget: "1001" };
  const group = { routePeer: { kind: "group", id: "-1001" }, senderId: "1001", replyTarget: "-1001" };
  const forum = { routePeer: { kind: "group", id: "-1002" }, senderId: "1001", replyTarget: "-1002" };
  const named = "/stop@ada_bot now";

  const rows: readonly {
    readonly name: string;
    readonly update: readonly [kind: string, content: unknown];
    readonly expected: object;
    readonly without?: string;
  }[] = [
    {
      name: "a direct message",
      update: ["message", aMessage()],
      expected: { ...direct, messageId: "5", change: "new", kind: "text" },
    },
    {
      name: "a message of a plain group",
      update: ["message", aMessage({ chat: { ...GROUP, type: "group" } })],
      expected: group,
    },
    { name: "a message of a supergroup", update: ["message", aMessage({ chat: GROUP })], expected: group },
    {
      name: "a chain of replies in a group: no thread",
      update: ["message", aMessage({ chat: GROUP, message_thread_id: 3 })],
      expected: group,
      without: "threadId",
    },
    {
      name: "a topic of a forum",
      update: ["message", aMessage({ chat: FORUM, message_thread_id: 42, is_topic_message: true })],
      expected: { ...forum, threadId: "42" },
    },
    {
      name: "a forum's General topic",
      update: ["message", aMessage({ chat: FORUM })],
      expected: { ...forum, threadId: "1" },
    },
    {
      name: "a topic of a private chat",
      update: ["message", aMessage({ message_thread_id: 7, is_topic_message: true })],
      expected: { ...direct, threadId: "7" },
    },
    {
      name: "a channel's post",
      update: ["channel_post", aMessage({ chat: CHANNEL, from: undefined, sender_chat: CHANNEL })],
      expected: { routePeer: { kind: "channel", id: "-1003" }, senderId: "-1003", change: "new" },
    },
    {
      name: "an anonymous administrator",
      update: ["message", aMessage({ chat: GROUP, from: { ...SELF, id: 1_087_968_824 }, sender_chat: GROUP })],
      expected: { routePeer: { kind: "group", id: "-1001" }, senderId: "-1001" },
    },
    {
      name: "an edit",
      update: ["edited_message", aMessage({ edit_date: DATE_S + 9 })],
      expected: { ...direct, messageId: "5", change: "edit" },
    },
    {
      name: "an edited post",
      update: ["edited_channel_post", aMessage({ chat: CHANNEL, from: undefined, edit_date: DATE_S + 9 })],
      expected: { routePeer: { kind: "channel", id: "-1003" }, senderId: "-1003", change: "edit" },
    },
    { name: "a picture", update: ["message", aMessage({ text: undefined, photo })], expected: { kind: "media" } },
    {
      name: "a picture with words",
      update: ["message", aMessage({ text: undefined, caption: "see", photo })],
      expected: { kind: "media" },
    },
    {
      name: "a voice message",
      update: ["message", aMessage({ text: undefined, voice: { file_id: "v" } })],
      expected: { kind: "media" },
    },
    {
      name: "a service message",
      update: ["message", aMessage({ text: undefined, new_chat_members: [BOB] })],
      expected: { kind: "other" },
    },
    {
      name: "a control command",
      update: ["message", aMessage({ text: "/stop" })],
      expected: { kind: "control", command: "stop" },
    },
    {
      name: "a control command with our name",
      update: [
        "message",
        aMessage({ chat: GROUP, text: named, entities: [entity("bot_command", named, "/stop@ada_bot")] }),
      ],
      expected: { kind: "control", command: "stop" },
    },
    {
      name: "our name before a control command",
      update: [
        "message",
        aMessage({ chat: GROUP, text: "@ada_bot /new", entities: [entity("mention", "@ada_bot /new", "@ada_bot")] }),
      ],
      expected: { kind: "control", command: "new" },
    },
    {
      name: "another bot's command",
      update: ["message", aMessage({ chat: GROUP, text: "/stop@other_bot" })],
      expected: { kind: "text" },
      without: "command",
    },
    {
      name: "a slash word of nobody",
      update: ["message", aMessage({ text: "/weather" })],
      expected: { kind: "text" },
      without: "command",
    },
    {
      name: "a pressed button",
      update: [
        "callback_query",
        {
          id: "q1",
          from: BOB,
          data: "yes",
          message: aMessage({ chat: FORUM, from: SELF, message_thread_id: 42, is_topic_message: true }),
        },
      ],
      expected: {
        ...forum,
        senderId: "1002",
        threadId: "42",
        messageId: "callback:q1",
        turnKey: "callback:q1",
        kind: "other",
      },
    },
    {
      name: "a pressed button of a message that is not shown any more",
      update: [
        "callback_query",
        { id: "q2", from: ANN, data: "yes", message: { message_id: 4, date: 0, chat: DIRECT } },
      ],
      expected: { ...direct, messageId: "callback:q2" },
    },
    {
      name: "a button that stands for a command",
      update: ["callback_query", { id: "q3", from: ANN, data: "/stop", message: aMessage() }],
      expected: { kind: "control", command: "stop" },
    },
    {
      name: "a reaction",
      update: [
        "message_reaction",
        { chat: GROUP, message_id: 5, user: ANN, date: DATE_S, old_reaction: [], new_reaction: [] },
      ],
      expected: { ...group, messageId: "update:900", kind: "other" },
    },
    {
      name: "an anonymous reaction",
      update: [
        "message_reaction",
        { chat: GROUP, message_id: 5, actor_chat: GROUP, date: DATE_S, old_reaction: [], new_reaction: [] },
      ],
      expected: { ...group, senderId: "-1001" },
    },
    {
      name: "a change of our membership",
      update: ["my_chat_member", { chat: GROUP, from: ANN, date: DATE_S, new_chat_member: { status: "kicked" } }],
      expected: { ...group, messageId: "update:900", kind: "other" },
    },
    {
      name: "the stop button under a draft",
      update: ["stopped_message_generation", { chat: DIRECT, message_thread_id: 7, draft_id: 3 }],
      expected: { ...direct, threadId: "7", kind: "control", command: "stop" },
    },
    {
      name: "a kind that nothing here reads",
      update: ["poll", { id: "p" }],
      expected: { kind: "other", messageId: "update:900" },
    },
  ];

  it.each(rows)("$name", ({ update: [kind, content], expected, without }) => {
    const made = envelope(anEvent(kind, content));
    expect(made).toMatchObject({ dedupeKey: "update:900", ...expected });
    if (without !== undefined) expect(made).not.toHaveProperty(without);
  });

  it("names a message's turn by its place, its id and the version of its text", () => {
    const keyOf = (kind: string, fields: object): string => envelope(anEvent(kind, aMessage({ ...fields }))).turnKey;
    const first = keyOf("message", {});
    // Told of by another update.
    expect(envelope(anEvent("message", aMessage(), 901)).turnKey).toBe(first);
    const others = [
      keyOf("message", { message_id: 6 }),
      keyOf("message", { chat: GROUP }),
      keyOf("message", { chat: FORUM, message_thread_id: 42, is_topic_message: true }),
      keyOf("edited_message", { edit_date: DATE_S + 1 }),
      keyOf("edited_message", { edit_date: DATE_S + 2 }),
    ];
    expect(new Set([first, ...others]).size).toBe(6);
  });

  it("does not change with what a message answers", () => {
    const { replyTarget, threadId, routePeer } = envelope(anEvent("message", aMessage({ chat: GROUP })));
    const answer = aMessage({ chat: GROUP, reply_to_message: aMessage({ message_id: 2, chat: GROUP, from: SELF }) });
    expect(envelope(anEvent("message", answer))).toMatchObject({ replyTarget, routePeer });
    expect(threadId).toBeUndefined();
  });
});

describe("what is stored of an update", () => {
  it("is what is read, and nothing else", () => {
    const raw = anEvent("message", aMessage({ has_protected_content: true, via_bot: SELF }));
    expect(raw).toEqual({
      type: "message",
      receivedAtMs: DATE_S * 1000,
      payload: {
        update_id: 900,
        bot: { id: "7000", username: "ada_bot" },
        content: { message_id: 5, date: DATE_S, chat: DIRECT, from: ANN, text: "hello" },
      },
    });
  });

  it("is the same after it went through JSON", () => {
    const raw = anEvent("message", aMessage({ photo, text: undefined, caption: "see" }));
    const stored: typeof raw = JSON.parse(JSON.stringify(raw));
    expect(readEvent(stored)).toEqual(readEvent(raw));
    expect(envelope(stored)).toEqual(envelope(raw));
  });

  it.each([...UNREAD_KINDS])("of %s is its name", (kind) => {
    const { type, payload } = anEvent(kind, { secret: "body" });
    expect({ type, payload }).toEqual({
      type: "other",
      payload: { update_id: 900, bot: { id: "7000", username: "ada_bot" }, name: kind },
    });
  });
});

describe("an update that is not understood", () => {
  const rows: readonly { readonly name: string; readonly update: unknown; readonly says: RegExp }[] = [
    { name: "no object", update: "hello", says: /not an object/ },
    { name: "nothing at all", update: undefined, says: /not an object/ },
    { name: "no id", update: { message: aMessage() }, says: /no update_id/ },
    { name: "an id that is no number", update: { update_id: "9", message: aMessage() }, says: /no update_id/ },
    { name: "an id alone", update: { update_id: 9 }, says: /holds nothing/ },
    { name: "a kind that nobody knows", update: anUpdate("telepathy", {}), says: /"telepathy" is unknown/ },
    {
      name: "a message without its chat",
      update: anUpdate("message", aMessage({ chat: undefined })),
      says: /message\.chat/,
    },
    {
      name: "a chat of an unknown type",
      update: anUpdate("message", aMessage({ chat: { id: 1, type: "cave" } })),
      says: /message\.chat\.type/,
    },
    { name: "a text that is none", update: anUpdate("message", aMessage({ text: { a: 1 } })), says: /message\.text/ },
    { name: "a message that is null", update: anUpdate("message", null), says: /message/ },
  ];

  it.each(rows)("$name is kept as it came, and the envelope says why", ({ update, says }) => {
    const raw = toRawEvent(update, BOT, 1);
    expect(raw).toMatchObject({ type: "unreadable", payload: { update: update ?? null } });
    expect(() => envelope(raw)).toThrow(says);
    expect(() => envelope(raw)).toThrow(expect.objectContaining({ code: "telegram_update_unreadable" }));
  });

  it.each([
    { name: "of another shape", raw: { type: "message", payload: "text", receivedAtMs: 0 } },
    { name: "without a bot", raw: { type: "message", payload: { update_id: 1 }, receivedAtMs: 0 } },
    {
      name: "of an older content",
      raw: { type: "message", payload: { update_id: 1, bot: { id: "1" }, content: {} }, receivedAtMs: 0 },
    },
    {
      name: "from a webhook body that did not parse",
      raw: { type: "webhook_unparsed", payload: { body: "{", error: "SyntaxError" }, receivedAtMs: 0 },
    },
  ])("a stored event $name is refused alike", ({ raw }) => {
    expect(() => envelope(raw)).toThrow(expect.objectContaining({ code: "telegram_update_unreadable" }));
  });
});

const recorded = resolve(import.meta.dirname, "../../../../../shared/specs/fixtures/telegram.json");

describe.skipIf(!existsSync(recorded))("recorded payloads (shared/specs/fixtures/telegram.json)", () => {
  const read = (): {
    readonly botName: string;
    readonly botUserId: string;
    readonly mention: unknown;
    readonly followUp: unknown;
  } => JSON.parse(readFileSync(recorded, "utf8"));

  it("are direct messages of a person, whatever they mention", () => {
    const { botName, botUserId, mention, followUp } = read();
    for (const [update, messageId] of [
      [mention, "133"],
      [followUp, "134"],
    ] as const) {
      const raw = toRawEvent(update, { id: botUserId, username: botName }, 0);
      expect(envelope(raw)).toMatchObject({
        routePeer: { kind: "direct", id: "7527593" },
        senderId: "7527593",
        messageId,
        kind: "text",
        change: "new",
      });
    }
  });
});
