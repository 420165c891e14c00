import { existsSync, readFileSync } from "node:fs";

import { Ajv, type ValidateFunction } from "ajv";
import { describe, expect, it } from "vitest";

import { startTelegramSimulator, type TelegramSimulator } from "../src/telegram/start-telegram-simulator.ts";
import { BOT_METHODS } from "../src/telegram/methods/method-table.ts";

const SPECS = new URL("../../../../shared/specs/", import.meta.url);
const isAbsent = !existsSync(SPECS);
const GROUP = -1_001_000_000_001;
const ANN = 1001;

function json(path: string): unknown {
  return JSON.parse(readFileSync(new URL(path, SPECS), "utf8"));
}

function compiler(file: string, prefix: string): (type: string) => ValidateFunction {
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  ajv.addSchema(json(file) as object, prefix);
  const known = new Map<string, ValidateFunction>();
  return (type) => {
    const found = known.get(type) ?? ajv.compile({ $ref: `${prefix}#/definitions/${type}` });
    known.set(type, found);
    return found;
  };
}

/** One call of each method that succeeds, and its result: a type, a list of one, or, when nothing is said, `true`. */
const CALLS: readonly {
  readonly method: string;
  /** `FILE` stands for the id of a file that was sent before. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly result?: string;
}[] = [
  { method: "getMe", params: {}, result: "TelegramUser" },
  { method: "logOut", params: {} },
  { method: "close", params: {} },
  { method: "getUpdates", params: { limit: 1, timeout: 0, allowed_updates: ["message"] }, result: "TelegramUpdate[]" },
  { method: "setWebhook", params: { url: "http://127.0.0.1:9/x", secret_token: "s" } },
  { method: "getWebhookInfo", params: {}, result: "TelegramWebhookInfo" },
  { method: "deleteWebhook", params: { drop_pending_updates: true } },
  { method: "setMyCommands", params: { commands: [{ command: "help", description: "Help" }] } },
  { method: "getMyCommands", params: {}, result: "TelegramBotCommand[]" },
  { method: "deleteMyCommands", params: {} },
  { method: "setMyName", params: { name: "x" } },
  { method: "getMyName", params: {}, result: "TelegramBotName" },
  { method: "setMyDescription", params: { description: "x" } },
  { method: "getMyDescription", params: {}, result: "TelegramBotDescription" },
  { method: "setMyShortDescription", params: { short_description: "x" } },
  { method: "getMyShortDescription", params: {}, result: "TelegramBotShortDescription" },
  { method: "answerCallbackQuery", params: { callback_query_id: "1" } },
  { method: "getUserProfilePhotos", params: { user_id: ANN }, result: "TelegramUserProfilePhotos" },
  {
    method: "sendMessage",
    params: {
      chat_id: ANN,
      text: "*b*",
      parse_mode: "MarkdownV2",
      reply_markup: { inline_keyboard: [[{ text: "a", callback_data: "b" }]] },
    },
    result: "TelegramMessage",
  },
  { method: "sendMessageDraft", params: { chat_id: ANN, draft_id: 1, text: "x" } },
  { method: "sendChatAction", params: { chat_id: ANN, action: "typing" } },
  { method: "editMessageText", params: { chat_id: ANN, message_id: 1, text: "x" }, result: "TelegramMessage" },
  {
    method: "editMessageReplyMarkup",
    params: { chat_id: ANN, message_id: 1, reply_markup: { inline_keyboard: [[{ text: "c", callback_data: "d" }]] } },
    result: "TelegramMessage",
  },
  { method: "setMessageReaction", params: { chat_id: ANN, message_id: 1, reaction: [{ type: "emoji", emoji: "👍" }] } },
  { method: "pinChatMessage", params: { chat_id: ANN, message_id: 1 } },
  { method: "unpinChatMessage", params: { chat_id: ANN } },
  { method: "copyMessage", params: { chat_id: ANN, from_chat_id: ANN, message_id: 1 }, result: "TelegramMessageId" },
  { method: "forwardMessage", params: { chat_id: ANN, from_chat_id: ANN, message_id: 1 }, result: "TelegramMessage" },
  {
    method: "sendPhoto",
    params: { chat_id: ANN, photo: "https://example.org/a.png", caption: "c" },
    result: "TelegramMessage",
  },
  { method: "editMessageCaption", params: { chat_id: ANN, message_id: 4, caption: "d" }, result: "TelegramMessage" },
  ...["Document", "Audio", "Voice", "Video", "Animation", "Sticker"].map((kind) => ({
    method: `send${kind}`,
    params: { chat_id: ANN, [kind.toLowerCase()]: "https://example.org/a.bin" },
    result: "TelegramMessage",
  })),
  {
    method: "sendMediaGroup",
    params: {
      chat_id: ANN,
      media: [
        { type: "photo", media: "https://example.org/a.png" },
        { type: "photo", media: "https://example.org/b.png" },
      ],
    },
    result: "TelegramMessage[]",
  },
  { method: "getFile", params: { file_id: "FILE" }, result: "TelegramFile" },
  { method: "sendLocation", params: { chat_id: ANN, latitude: 1, longitude: 2 }, result: "TelegramMessage" },
  { method: "sendContact", params: { chat_id: ANN, phone_number: "1", first_name: "x" }, result: "TelegramMessage" },
  { method: "sendDice", params: { chat_id: ANN }, result: "TelegramMessage" },
  { method: "deleteMessage", params: { chat_id: ANN, message_id: 1 } },
  { method: "deleteMessages", params: { chat_id: ANN, message_ids: [2, 3] } },
  { method: "getChat", params: { chat_id: GROUP }, result: "TelegramChatFullInfo" },
  { method: "getChatMember", params: { chat_id: GROUP, user_id: ANN }, result: "TelegramChatMember" },
  { method: "getChatMemberCount", params: { chat_id: GROUP }, result: "number" },
  { method: "getChatAdministrators", params: { chat_id: GROUP }, result: "TelegramChatMember[]" },
  { method: "createForumTopic", params: { chat_id: GROUP, name: "new" }, result: "TelegramForumTopic" },
  { method: "editForumTopic", params: { chat_id: GROUP, message_thread_id: 2, name: "x" } },
  { method: "closeForumTopic", params: { chat_id: GROUP, message_thread_id: 2 } },
  { method: "reopenForumTopic", params: { chat_id: GROUP, message_thread_id: 2 } },
  { method: "deleteForumTopic", params: { chat_id: GROUP, message_thread_id: 2 } },
  { method: "leaveChat", params: { chat_id: GROUP } },
];

async function call(
  sim: TelegramSimulator,
  method: string,
  params: object,
): Promise<{ readonly ok: boolean; readonly result?: unknown; readonly description?: string }> {
  const response = await fetch(`${sim.apiRoot}/bot${sim.credentials.botToken}/${method}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(params),
  });
  return (await response.json()) as { ok: boolean };
}

// A skip says why: it is seen in every report.
const HELD = isAbsent
  ? "held against the Bot API's own description: skipped, for ../shared/specs is not there"
  : "held against the Bot API's own description";

describe.skipIf(isAbsent)(HELD, () => {
  const paramsOf = isAbsent ? null : compiler("telegram/params-10.3.schema.json", "params");
  const objectOf = isAbsent ? null : compiler("telegram/objects-10.3.schema.json", "objects");

  function expectValid(validate: ValidateFunction | undefined, value: unknown, what: string): void {
    const isValid = validate?.(value);
    const problems = (validate?.errors ?? [])
      .slice(0, 5)
      .map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`);
    expect({ what, isValid, problems }).toEqual({ what, isValid: true, problems: [] });
  }

  function expectResult(value: unknown, type: string, method: string): void {
    const what = `${method} → ${type}`;
    if (type === "true") expect({ what, value }).toEqual({ what, value: true });
    else if (type === "number") expect({ what, value }).toEqual({ what, value: expect.any(Number) as number });
    else if (type.endsWith("[]")) {
      expect(value).toBeInstanceOf(Array);
      for (const item of value as unknown[]) expectValid(objectOf?.(type.slice(0, -2)), item, what);
    } else expectValid(objectOf?.(type), value, what);
  }

  it("would notice: a misspelt argument and an object without its fields do not pass", () => {
    expect(paramsOf?.("SendMessageParams")({ chat_id: ANN, txt: "x" })).toBe(false);
    expect(objectOf?.("TelegramMessage")({ message_id: 1 })).toBe(false);
    expect(objectOf?.("TelegramUpdate")({ update_id: 1, message: { text: "x" } })).toBe(false);
  });

  it("calls every method once, with arguments and results as described", { timeout: 120_000 }, async () => {
    await using sim = await startTelegramSimulator();
    expect(CALLS.map(({ method }) => method).toSorted()).toEqual(BOT_METHODS.map(({ name }) => name).toSorted());
    sim.say({ by: "ann", in: "group", text: "one update, for getUpdates" });
    let file = "";
    for (const { method, params: given, result = "true" } of CALLS) {
      const params = given["file_id"] === "FILE" ? { file_id: file } : given;
      const definition = `${method.charAt(0).toUpperCase()}${method.slice(1)}Params`;
      // Methods without arguments are not described there.
      if (Object.keys(params).length > 0) expectValid(paramsOf?.(definition), params, definition);
      const answer = await call(sim, method, params);
      expect({ method, ok: answer.ok, description: answer.description }).toEqual({
        method,
        ok: true,
        description: undefined,
      });
      file = (answer.result as { document?: { file_id: string } }).document?.file_id ?? file;
      expectResult(answer.result, result, method);
    }
  });

  it("gives updates as described, whatever people do", { timeout: 120_000 }, async () => {
    await using sim = await startTelegramSimulator();
    const file = (mediaType: string): { name: string; mediaType: string; base64: string } => ({
      name: "a",
      mediaType,
      base64: "aGk=",
    });
    const { messageId } = sim.say({ by: "ann", in: "direct", text: "hi" });
    sim.edit({ messageId, in: "direct", text: "ho" });
    sim.react({ messageId, in: "direct", by: "ann", emoji: "👍" });
    const question = sim.say({ by: "ann", in: "topic", text: "well?" });
    const asked = { mentionBot: true, replyTo: question.messageId };
    sim.say({ by: "bob", in: "topic", text: "/help https://x.y", ...asked });
    for (const mediaType of ["image/png", "audio/ogg", "audio/mpeg", "video/mp4", "text/plain"])
      sim.say({ by: "ann", in: "group", text: "c", files: [file(mediaType)] });
    sim.say({ by: "ann", in: "direct", text: "album", files: [file("image/png"), file("image/png")] });
    sim.leave({ who: "bob", in: "group" });
    sim.join({ who: "bob", in: "group" });
    sim.leave({ who: "bot", in: "direct" });
    sim.join({ who: "bot", in: "direct" });
    await call(sim, "sendMessage", {
      chat_id: ANN,
      text: "x",
      reply_markup: { inline_keyboard: [[{ text: "a", callback_data: "b" }]] },
    });
    const sent = sim.messages("direct").at(-1)?.messageId ?? "";
    sim.press({ messageId: sent, in: "direct", by: "ann", button: "a" });
    sim.places({ kind: "channel", name: "news", members: ["ann"] });
    const post = sim.say({ by: "ann", in: "news", text: "post" });
    sim.edit({ messageId: post.messageId, in: "news", text: "corrected" });
    sim.places({ kind: "group", name: "team", members: ["ann"] });
    sim.leave({ who: "bot", in: "team" });
    sim.places({ kind: "topic", name: "plans", parent: "team" });
    sim.say({ by: "ann", in: "plans", text: "x" });
    const kinds = sim.events().map(({ event }) => Object.keys(event as object).find((key) => key !== "update_id"));
    expect(new Set(kinds)).toEqual(
      new Set([
        "callback_query",
        "channel_post",
        "edited_channel_post",
        "edited_message",
        "message",
        "message_reaction",
        "my_chat_member",
      ]),
    );
    for (const { event } of sim.events())
      expectValid(objectOf?.("TelegramUpdate"), event, JSON.stringify(Object.keys(event as object)));
    expect(sim.events().length).toBeGreaterThan(15);
  });

  it("answers errors as described", async () => {
    await using sim = await startTelegramSimulator();
    sim.faults.add({ match: {}, do: { retryAfter: 3 } });
    expectValid(objectOf?.("TelegramAPIResponseError"), await call(sim, "getMe", {}), "429");
    expectValid(
      objectOf?.("TelegramAPIResponseError"),
      await call(sim, "sendMessage", { chat_id: 5, text: "x" }),
      "400",
    );
  });

  it("emits recorded updates verbatim", async () => {
    await using sim = await startTelegramSimulator();
    const recorded = Object.values(
      json("fixtures/telegram.json") as Readonly<Record<string, Record<string, unknown>>>,
    ).filter((event) => typeof event === "object" && event !== null && "update_id" in event);
    for (const event of recorded) sim.emit(event);
    expect((await call(sim, "getUpdates", {})).result).toEqual(recorded);
  });
});
