import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { Bot, GrammyError, HttpError, InlineKeyboard, InputFile, webhookCallback } from "grammy";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { startTelegramSimulator, type TelegramSimulator } from "../src/telegram/start-telegram-simulator.ts";

let sim: TelegramSimulator;
let bot: Bot;
beforeEach(async () => {
  sim = await startTelegramSimulator();
  bot = new Bot(sim.credentials.botToken, { client: { apiRoot: sim.apiRoot } });
  // Shown in the failed test, not in the log of the run.
  bot.catch(({ error }) => {
    throw error;
  });
});
afterEach(async () => {
  await sim.close();
});

const seen = async (place: string, text: string): Promise<string> =>
  sim.waitFor(() => sim.messages(place).find((message) => message.text === text)?.messageId, { what: text });

function answerAll(): void {
  bot.command("menu", async (context) =>
    context.reply("choose", { reply_markup: new InlineKeyboard().text("One", "one") }),
  );
  bot.callbackQuery("one", async (context) => {
    await context.answerCallbackQuery("ok");
    await context.editMessageText("chose <b>one</b>", { parse_mode: "HTML" });
  });
  bot.on("message:document", async (context) => {
    const file = await context.getFile();
    const response = await fetch(`${sim.apiRoot}/file/bot${bot.token}/${file.file_path}`);
    await context.replyWithDocument(new InputFile(Buffer.from(await response.text()), "copy.txt"), { caption: "copy" });
  });
  bot.on("message:text", async (context) => {
    await context.replyWithChatAction("typing");
    await context.reply(`you said ${context.message.text}`, {
      reply_parameters: { message_id: context.message.message_id },
    });
  });
  bot.on("edited_message:text", async (context) => context.reply(`corrected: ${context.editedMessage.text}`));
  bot.on("message_reaction", async (context) => context.react("👍"));
}

describe("a grammY bot that polls", () => {
  it("talks with people: texts, replies, topics, edits, buttons, files, reactions", async () => {
    answerAll();
    const running = bot.start({ allowed_updates: ["message", "edited_message", "callback_query", "message_reaction"] });

    const { messageId } = sim.say({ by: "ann", in: "direct", text: "hello" });
    await seen("direct", "you said hello");
    expect(sim.messages("direct").at(-1)).toMatchObject({ by: sim.bot.name, replyTo: messageId });

    sim.edit({ messageId, in: "direct", text: "hallo" });
    await seen("direct", "corrected: hallo");

    sim.react({ messageId, in: "direct", by: "ann", emoji: "🔥" });
    await sim.waitFor(() => sim.messages("direct")[0]?.reactions.find((reaction) => reaction.by === sim.bot.name));

    sim.say({ by: "bob", in: "topic", text: "here" });
    await seen("topic", "you said here");
    expect(sim.messages("group")).toEqual([]);

    sim.command({ by: "ann", in: "direct", name: "menu" });
    const menu = await seen("direct", "choose");
    sim.press({ messageId: menu, in: "direct", by: "ann", button: "One" });
    await seen("direct", "chose one");

    const file = { name: "note.txt", mediaType: "text/plain", base64: Buffer.from("a note").toString("base64") };
    sim.say({ by: "ann", in: "direct", text: "", files: [file] });
    await seen("direct", "copy");
    expect(sim.messages("direct").at(-1)?.files).toEqual(["copy.txt"]);

    await bot.stop();
    await running;
    expect(sim.violations()).toEqual([]);
    expect(sim.events().every((event) => event.acknowledgedBy === "offset")).toBe(true);
  });

  it("is ended by a second one", async () => {
    const running = bot.start();
    await sim.waitFor(() => sim.calls().find((call) => call.method === "getUpdates"));
    const other = new Bot(sim.credentials.botToken, { client: { apiRoot: sim.apiRoot } });
    const otherRunning = other.start();
    await expect(running).rejects.toMatchObject({ error_code: 409 });
    await other.stop();
    await otherRunning;
  });

  it.each([
    {
      what: "a wrong text",
      run: async () => bot.api.sendMessage(1001, "a.b", { parse_mode: "MarkdownV2" }),
      error: GrammyError,
      has: {
        error_code: 400,
        description:
          "Bad Request: can't parse entities: Character '.' is reserved and must be escaped with the preceding '\\'",
      },
    },
    {
      what: "a rate limit",
      fault: { retryAfter: 5 },
      run: async () => bot.api.sendMessage(1001, "x"),
      error: GrammyError,
      has: { error_code: 429, parameters: { retry_after: 5 } },
    },
    {
      what: "a lost answer",
      fault: { drop: "after" } as const,
      run: async () => bot.api.sendMessage(1001, "x"),
      error: HttpError,
      has: {},
    },
  ])("throws its own error for $what", async ({ fault, run, error, has }) => {
    if (fault !== undefined) sim.faults.add({ match: { method: "sendMessage" }, do: fault });
    const failure: unknown = await run().catch((caught: unknown) => caught);
    expect(failure).toBeInstanceOf(error);
    expect(failure).toMatchObject(has);
  });

  it("learns of a bad token", async () => {
    const stranger = new Bot("1:wrong", { client: { apiRoot: sim.apiRoot } });
    await expect(stranger.start()).rejects.toMatchObject({ error_code: 401, description: "Unauthorized" });
  });
});

describe("a grammY bot with a webhook", () => {
  it.each([{ canUseWebhookReply: false }, { canUseWebhookReply: true }])(
    "answers people, the call in the answer itself $canUseWebhookReply",
    async ({ canUseWebhookReply }) => {
      bot = new Bot(sim.credentials.botToken, {
        client: { apiRoot: sim.apiRoot, canUseWebhookReply: () => canUseWebhookReply },
      });
      bot.on("message:text", async (context) => {
        await context.reply(`got ${context.message.text}`);
      });
      await bot.init();
      const handle = webhookCallback(bot, "http", { secretToken: "secret" });
      const server = createServer((request, response) => {
        void handle(request, response);
      }).listen(0, "127.0.0.1");
      await once(server, "listening");
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
      await bot.api.raw.setWebhook({ url, secret_token: "secret" });
      sim.say({ by: "ann", in: "direct", text: "hello" });
      await seen("direct", "got hello");
      await sim.waitFor(() => (sim.events()[0]?.acknowledgedBy === "http 200" ? true : undefined));
      expect(sim.messages("direct")).toHaveLength(2);
      expect(sim.violations()).toEqual([]);
      server.closeAllConnections();
      server.close();
    },
  );
});
