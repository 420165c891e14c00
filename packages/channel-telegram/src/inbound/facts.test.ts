import { describe, expect, it } from "vitest";

import {
  ANN,
  aMessage,
  anEvent,
  BOB,
  CHANNEL,
  DATE_S,
  DIRECT,
  entity,
  FORUM,
  GROUP,
  SELF,
} from "../../test/support/updates.ts";
import {
  conversationFacts,
  mentionFacts,
  messageFacts,
  replyPlanFacts,
  senderFacts,
  supplementalFacts,
} from "./facts.ts";
import { filesOf } from "./media.ts";
import { readTurn, type TelegramTurn } from "./telegram-turn.ts";
import type { TelegramMessage } from "./update-schema.ts";

type Fields = Readonly<Record<string, unknown>>;

const turnOf = (fields: Fields, kind = "message"): TelegramTurn =>
  readTurn({ events: [anEvent(kind, aMessage(fields))] });
const inGroup = (fields: Fields): TelegramTurn => turnOf({ chat: GROUP, ...fields });
const all = (): boolean => true;

/** A text with one entity over a word of it. */
const marked = (text: string, type: string, word: string, extra: Fields = {}): Fields => ({
  text,
  entities: [entity(type, text, word, extra)],
});

describe("whom a message addresses", () => {
  const rows: readonly (readonly [name: string, fields: Fields, facts: object])[] = [
    ["nobody", { text: "hello" }, { wasMentioned: false, hasAnyMention: false, implicitMentionKinds: [] }],
    ["us by name", marked("hi @ada_bot", "mention", "@ada_bot"), { wasMentioned: true, hasAnyMention: true }],
    ["us by name in capitals", marked("hi @Ada_Bot", "mention", "@Ada_Bot"), { wasMentioned: true }],
    ["our name as plain words, no mention", { text: "hi @ada_bot" }, { wasMentioned: false }],
    ["somebody else", marked("hi @bob", "mention", "@bob"), { wasMentioned: false, hasAnyMention: true }],
    [
      "a longer name that begins with ours",
      marked("hi @ada_bot2", "mention", "@ada_bot2"),
      { wasMentioned: false, hasAnyMention: true },
    ],
    ["us by a named link", marked("hey Ada", "text_mention", "Ada", { user: { id: 7000 } }), { wasMentioned: true }],
    [
      "somebody else by a named link",
      marked("hey Bob", "text_mention", "Bob", { user: { id: 1002 } }),
      { wasMentioned: false, hasAnyMention: true },
    ],
    ["us by a command", marked("/weather@ada_bot", "bot_command", "/weather@ada_bot"), { wasMentioned: true }],
    [
      "another bot by a command",
      marked("/weather@other_bot", "bot_command", "/weather@other_bot"),
      { wasMentioned: false, hasAnyMention: true },
    ],
    [
      "nobody, by a command without a name",
      marked("/weather", "bot_command", "/weather"),
      { wasMentioned: false, hasAnyMention: false },
    ],
    [
      "us in a caption",
      {
        text: undefined,
        caption: "@ada_bot see",
        caption_entities: [entity("mention", "@ada_bot", "@ada_bot")],
        photo: [{ file_id: "p" }],
      },
      { wasMentioned: true },
    ],
    ["us by a name behind an emoji", marked("👋🏽 @ada_bot", "mention", "@ada_bot"), { wasMentioned: true }],
    [
      "us by an answer to us",
      { reply_to_message: { message_id: 2, from: SELF, text: "x" } },
      { wasMentioned: false, implicitMentionKinds: ["reply_to_bot"] },
    ],
    [
      "us by a quote of us",
      { reply_to_message: { message_id: 2, from: SELF, text: "x" }, quote: { text: "x" } },
      { implicitMentionKinds: ["reply_to_bot", "quoted_bot"] },
    ],
    [
      "somebody else by an answer",
      { reply_to_message: { message_id: 2, from: BOB, text: "x" } },
      { implicitMentionKinds: [] },
    ],
    [
      "nobody, in a topic that we opened",
      {
        chat: FORUM,
        message_thread_id: 2,
        is_topic_message: true,
        reply_to_message: { message_id: 2, from: SELF, forum_topic_created: { name: "Roses" } },
      },
      { implicitMentionKinds: [] },
    ],
  ];

  it.each(rows)("%s", (_name, fields, facts) => {
    expect(mentionFacts(inGroup(fields))).toMatchObject({ canDetectMention: true, ...facts });
  });

  it("is us, by a press on one of our buttons", () => {
    const press = { id: "q", from: BOB, data: "y", message: aMessage({ chat: GROUP, from: SELF }) };
    expect(mentionFacts(readTurn({ events: [anEvent("callback_query", press)] }))).toMatchObject({
      implicitMentionKinds: ["native"],
    });
  });
});

describe("the words of a message", () => {
  const rows: readonly (readonly [name: string, fields: Fields, agent: string, commands: string])[] = [
    ["plain", { text: " hello " }, "hello", "hello"],
    ["our name is left out", marked("@ada_bot what now?", "mention", "@ada_bot"), "what now?", "what now?"],
    ["our name alone is what was said", marked("@ada_bot", "mention", "@ada_bot"), "@ada_bot", ""],
    [
      "our name within is kept for commands",
      marked("hey @ada_bot /stop", "mention", "@ada_bot"),
      "hey  /stop",
      "hey @ada_bot /stop",
    ],
    ["a command with our name", { text: "/stop@Ada_Bot now" }, "/stop@Ada_Bot now", "/stop now"],
    ["a command with another name", { text: "/stop@other_bot" }, "/stop@other_bot", "/stop@other_bot"],
    ["a caption", { text: undefined, caption: "see", photo: [{ file_id: "p" }] }, "see", "see"],
    ["a picture without words", { text: undefined, photo: [{ file_id: "p" }] }, "[photo]", ""],
    ["a voice message", { text: undefined, voice: { file_id: "v" } }, "[voice message]", ""],
    ["a sticker", { text: undefined, sticker: { file_id: "s", emoji: "🌹" } }, "[sticker 🌹]", ""],
    ["a place on the map", { text: undefined, location: { latitude: 1.5, longitude: 2 } }, "[location: 1.5, 2]", ""],
    [
      "a venue",
      {
        text: undefined,
        location: { latitude: 1, longitude: 2 },
        venue: { title: "Café", address: "Main St", location: { latitude: 1, longitude: 2 } },
      },
      "[place: Café, Main St (1, 2)]",
      "",
    ],
    [
      "a contact",
      { text: undefined, contact: { first_name: "Bob", last_name: "Bee", phone_number: "+1" } },
      "[contact: Bob Bee, +1]",
      "",
    ],
    [
      "a poll",
      { text: undefined, poll: { question: "When?", options: [{ text: "now" }, { text: "later" }] } },
      "[poll: When? now / later]",
      "",
    ],
    ["a die", { text: undefined, dice: { emoji: "🎲", value: 4 } }, "[🎲 4]", ""],
    ["a service message has none", { text: undefined }, "", ""],
  ];

  it.each(rows)("%s", (_name, fields, agent, commands) => {
    const turn = turnOf(fields);
    expect([turn.textForAgent, turn.textForCommands]).toEqual([agent, commands]);
  });

  it("of several messages are joined, ids and place come from the last", () => {
    const turn = readTurn({
      events: [
        anEvent("message", aMessage({ message_id: 5, text: "look" }), 900),
        anEvent("message", aMessage({ message_id: 6, text: "/stop" }), 901),
        anEvent("message", aMessage({ message_id: 7, text: undefined, photo: [{ file_id: "p" }] }), 902),
      ],
    });
    expect(turn).toMatchObject({ textForAgent: "look\n/stop\n[photo]", command: null, messageIds: ["5", "6", "7"] });
    expect(turn.envelope.messageId).toBe("7");
    expect(replyPlanFacts(turn).replyToId).toBe("7");
  });

  it("may be logged as a short line without secrets", () => {
    const token = `123456789:${"A".repeat(35)}`;
    const { preview } = messageFacts(turnOf({ text: `one\n${token}\n${"👋".repeat(200)}` }));
    expect(preview).toContain("one [redacted] 👋");
    expect(Array.from(preview ?? "")).toHaveLength(80);
  });
});

describe("who wrote", () => {
  it.each<readonly [string, TelegramTurn, object]>([
    [
      "a person",
      inGroup({ from: BOB }),
      { id: "1002", name: "Bob Bee", isBot: false, isSelf: false, displayLabel: "Bob Bee" },
    ],
    [
      "a bot",
      inGroup({ from: { ...SELF, id: 8000, username: "other_bot" } }),
      { id: "8000", isBot: true, isSelf: false },
    ],
    ["ourselves", inGroup({ from: SELF }), { id: "7000", isSelf: true }],
    [
      "a channel",
      turnOf({ chat: CHANNEL, from: undefined, sender_chat: CHANNEL }, "channel_post"),
      { id: "-1003", name: "News", isBot: false },
    ],
    [
      "an anonymous administrator",
      inGroup({ from: { ...SELF, id: 1_087_968_824 }, sender_chat: GROUP }),
      { id: "-1001", name: "Garden", isBot: false, isSelf: false },
    ],
    [
      "a name that somebody else has: the id tells",
      inGroup({ from: { ...BOB, first_name: "Ann", last_name: undefined, username: "ann" } }),
      { id: "1002", name: "Ann" },
    ],
  ])("%s", (_name, turn, facts) => {
    expect(senderFacts(turn)).toMatchObject(facts);
  });
});

describe("where it was said, and where the answer goes", () => {
  it.each<readonly [string, TelegramTurn, object, object]>([
    [
      "a direct chat",
      turnOf({}),
      { kind: "direct", id: "1001", label: "Ann" },
      { to: "1001", replyToId: "5", sourceReplyDeliveryMode: "direct" },
    ],
    [
      "a group",
      inGroup({}),
      { kind: "group", id: "-1001", label: "Garden" },
      { to: "-1001", replyToId: "5", sourceReplyDeliveryMode: "reply" },
    ],
    [
      "a topic",
      turnOf({ chat: FORUM, message_thread_id: 42, is_topic_message: true }),
      { kind: "group", id: "-1002", threadId: "42", parentId: "-1002" },
      { to: "-1002", messageThreadId: "42", threadParentId: "-1002", sourceReplyDeliveryMode: "thread" },
    ],
    [
      "a channel",
      turnOf({ chat: CHANNEL, from: undefined }, "channel_post"),
      { kind: "channel", id: "-1003" },
      { to: "-1003", sourceReplyDeliveryMode: "channel" },
    ],
    [
      "a title like an id",
      inGroup({ chat: { ...GROUP, title: "-1009:topic:7" } }),
      { kind: "group", id: "-1001" },
      { to: "-1001" },
    ],
  ])("%s", (_name, turn, conversation, reply) => {
    expect(conversationFacts(turn)).toMatchObject({ ...conversation, routePeer: turn.envelope.routePeer });
    expect(replyPlanFacts(turn)).toMatchObject(reply);
    expect(conversationFacts(turn).threadId).toBe(turn.envelope.threadId);
  });
});

describe("what stands beside a message", () => {
  it("is the message that it answers", () => {
    const turn = inGroup({ reply_to_message: { message_id: 2, from: BOB, text: "the roses are dry" } });
    expect(supplementalFacts(turn, (id) => id === "1002")).toEqual({
      quote: { id: "2", body: "the roses are dry", sender: "Bob Bee", senderAllowed: true },
    });
    expect(supplementalFacts(turn, () => false).quote?.senderAllowed).toBe(false);
  });

  it("is the part of it that was chosen", () => {
    const turn = inGroup({
      reply_to_message: { message_id: 2, from: BOB, text: "the roses are dry" },
      quote: { text: "dry", is_manual: true },
    });
    expect(supplementalFacts(turn, all).quote).toMatchObject({ body: "dry", isQuote: true });
  });

  it("is a quote from elsewhere", () => {
    const turn = inGroup({
      external_reply: { origin: { type: "user", date: 1, sender_user: BOB }, message_id: 8, chat: CHANNEL },
      quote: { text: "dry" },
    });
    expect(supplementalFacts(turn, all).quote).toMatchObject({
      id: "8",
      body: "dry",
      sender: "Bob Bee",
      isExternal: true,
      isQuote: true,
    });
  });

  it.each([
    [
      { type: "user", date: DATE_S, sender_user: BOB },
      { from: "Bob Bee", fromType: "user", fromId: "1002" },
    ],
    [
      { type: "hidden_user", date: DATE_S, sender_user_name: "Somebody" },
      { from: "Somebody", fromType: "hidden_user" },
    ],
    [
      { type: "chat", date: DATE_S, sender_chat: GROUP },
      { from: "Garden", fromType: "chat", fromId: "-1001" },
    ],
    [
      { type: "channel", date: DATE_S, chat: CHANNEL, message_id: 3 },
      { from: "News", fromType: "channel", fromId: "-1003" },
    ],
  ])("is where it was forwarded from: %o", (origin, facts) => {
    expect(supplementalFacts(turnOf({ forward_origin: origin }), all).forwarded).toEqual({
      ...facts,
      date: DATE_S * 1000,
      senderAllowed: true,
    });
  });

  it("is the topic's name, not the message that opened it", () => {
    const turn = turnOf({
      chat: FORUM,
      message_thread_id: 2,
      is_topic_message: true,
      reply_to_message: { message_id: 2, from: ANN, forum_topic_created: { name: "Roses" } },
    });
    expect(supplementalFacts(turn, all)).toEqual({ thread: { id: "2", label: "Roses", senderAllowed: true } });
  });
});

describe("the file of a message", () => {
  const file = { file_id: "f", file_size: 10 };

  it.each<readonly [string, Fields, object]>([
    [
      "of a picture's sizes the largest",
      {
        photo: [
          { file_id: "s", width: 9, height: 9 },
          { file_id: "l", width: 90, height: 90 },
          { file_id: "m", width: 20, height: 20 },
        ],
      },
      { name: "photo", kind: "image", fileId: "l", contentType: "image/jpeg" },
    ],
    [
      "an animation, which comes as a document too",
      { animation: { ...file, mime_type: "video/mp4" }, document: file },
      { name: "animation", kind: "video" },
    ],
    [
      "a document",
      { document: { ...file, mime_type: "application/pdf", file_name: "a.pdf" } },
      { name: "document", kind: "document", contentType: "application/pdf", fileName: "a.pdf", sizeBytes: 10 },
    ],
    ["a picture sent as a document", { document: { ...file, mime_type: "image/png" } }, { kind: "image" }],
    ["a voice message", { voice: file }, { name: "voice", kind: "audio", contentType: "audio/ogg" }],
    [
      "music",
      { audio: { ...file, mime_type: "audio/mp4" } },
      { name: "audio", kind: "audio", contentType: "audio/mp4" },
    ],
    ["a video", { video: file }, { name: "video", kind: "video", contentType: "video/mp4" }],
    ["a video message", { video_note: file }, { name: "video_note", kind: "video" }],
    ["a sticker", { sticker: file }, { name: "sticker", kind: "image", contentType: "image/webp" }],
    ["a moving sticker", { sticker: { ...file, is_video: true } }, { kind: "video", contentType: "video/webm" }],
    [
      "a drawn sticker",
      { sticker: { ...file, is_animated: true } },
      { kind: "document", contentType: "application/x-tgsticker" },
    ],
  ])("%s", (_name, fields, expected) => {
    const message = aMessage({ text: undefined, ...fields }) as unknown as TelegramMessage;
    expect(filesOf(message)).toMatchObject([{ messageId: "5", ...expected }]);
  });

  it("is none in a text, and none in an empty list of sizes", () => {
    expect(filesOf(aMessage() as unknown as TelegramMessage)).toEqual([]);
    expect(filesOf(aMessage({ photo: [], chat: DIRECT }) as unknown as TelegramMessage)).toEqual([]);
  });
});
