import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { startTelegramSimulator, type TelegramSimulator } from "../src/telegram/start-telegram-simulator.ts";
import { type BotApiAnswer, callBotApi } from "./support/call-bot-api.ts";

let sim: TelegramSimulator;
beforeEach(async () => {
  sim = await startTelegramSimulator();
});
afterEach(async () => {
  await sim.close();
});

type Answer = BotApiAnswer;

const call = async (method: string, params: object = {}, token?: string): Promise<Answer> =>
  callBotApi(sim, method, params, token);

const updatesOf = (answer: Answer): { update_id: number }[] => answer.body.result ?? [];
const chat_id = 1001;

describe("calls", () => {
  it.each([
    ["a bad token", "getMe", {}, 401, "Unauthorized"],
    ["an unknown method", "getNothing", {}, 404, "Not Found: method not found"],
    ["no chat", "sendMessage", { text: "x" }, 400, "Bad Request: chat_id is empty"],
    ["a chat that is not there", "sendMessage", { chat_id: 5, text: "x" }, 400, "Bad Request: chat not found"],
    ["an empty text", "sendMessage", { chat_id, text: "  " }, 400, "Bad Request: message text is empty"],
    [
      "an unknown parse mode",
      "sendMessage",
      { chat_id, text: "x", parse_mode: "bbcode" },
      400,
      "Bad Request: unsupported parse_mode",
    ],
    [
      "a reply to nothing",
      "sendMessage",
      { chat_id, text: "x", reply_parameters: { message_id: 99 } },
      400,
      "Bad Request: message to be replied not found",
    ],
    [
      "a topic that is not there",
      "sendMessage",
      { chat_id: -1_001_000_000_001, text: "x", message_thread_id: 77 },
      400,
      "Bad Request: message thread not found",
    ],
    [
      "an edit of nothing",
      "editMessageText",
      { chat_id, message_id: 99, text: "x" },
      400,
      "Bad Request: message to edit not found",
    ],
    [
      "a wrong action",
      "sendChatAction",
      { chat_id, action: "dancing" },
      400,
      "Bad Request: wrong parameter action in request",
    ],
    ["a file that is not there", "getFile", { file_id: "x" }, 400, "Bad Request: invalid file_id"],
  ])("%s: %s", async (...[what, method, params, status, description]) => {
    const answer = await call(method, params, what === "a bad token" ? "1:x" : undefined);
    expect(answer).toMatchObject({ status, body: { ok: false, error_code: status, description } });
    expect(sim.violations().length).toBe(what === "an unknown method" ? 1 : 0);
  });

  it("takes method names in any case, and arguments from query, JSON, form and multipart", async () => {
    const url = `${sim.apiRoot}/bot${sim.credentials.botToken}`;
    await fetch(`${url}/SENDMESSAGE?chat_id=1001&text=query`);
    await call("sendMessage", { chat_id: "1001", text: "json" });
    await fetch(`${url}/sendMessage`, { method: "POST", body: new URLSearchParams({ chat_id: "1001", text: "form" }) });
    const form = new FormData();
    form.set("chat_id", "1001");
    form.set("caption", "multipart");
    form.set("document", new Blob(["hello"], { type: "text/plain" }), "a.txt");
    await fetch(`${url}/sendDocument`, { method: "POST", body: form });
    expect(sim.messages("direct").map((message) => message.text)).toEqual(["query", "json", "form", "multipart"]);
    expect(sim.messages("direct").at(-1)?.files).toEqual(["a.txt"]);
  });

  it("gives an uploaded file back", async () => {
    const form = new FormData();
    form.set("chat_id", "1001");
    form.set("document", new Blob(["hello"], { type: "text/plain" }), "a.txt");
    const sent = await fetch(`${sim.apiRoot}/bot${sim.credentials.botToken}/sendDocument`, {
      method: "POST",
      body: form,
    });
    const { result } = (await sent.json()) as { result: { document: { file_id: string } } };
    const file = await call("getFile", { file_id: result.document.file_id });
    const { file_path } = file.body.result as unknown as { file_path: string };
    expect(await (await fetch(`${sim.apiRoot}/file/bot${sim.credentials.botToken}/${file_path}`)).text()).toBe("hello");
    expect((await fetch(`${sim.apiRoot}/file/bot1:x/${file_path}`)).status).toBe(404);
  });

  it("edits, refuses an edit without change, and lets only the bot's own be edited", async () => {
    const { messageId } = sim.say({ by: "ann", in: "direct", text: "mine" });
    const sent = await call("sendMessage", { chat_id, text: "one" });
    const { message_id } = sent.body.result as unknown as { message_id: number };
    expect((await call("editMessageText", { chat_id, message_id, text: "two" })).status).toBe(200);
    expect((await call("editMessageText", { chat_id, message_id, text: "two" })).body.description).toMatch(
      /^Bad Request: message is not modified/,
    );
    expect(
      (await call("editMessageText", { chat_id, message_id: Number(messageId), text: "x" })).body.description,
    ).toBe("Bad Request: message can't be edited");
    expect(sim.messages("direct").at(-1)).toMatchObject({ text: "two", edits: 1 });
  });

  it("shows a draft until the message comes, in private chats only", async () => {
    await call("sendMessageDraft", { chat_id, draft_id: 1, text: "half" });
    expect(sim.place("direct").draft).toBe("half");
    await call("sendMessage", { chat_id, text: "whole" });
    expect(sim.place("direct").draft).toBeNull();
    expect((await call("sendMessageDraft", { chat_id: -1_001_000_000_001, draft_id: 1, text: "x" })).status).toBe(400);
  });

  it("refuses a bot that was blocked", async () => {
    sim.leave({ who: "bot", in: "direct" });
    expect(await call("sendMessage", { chat_id, text: "x" })).toMatchObject({
      status: 403,
      body: { description: "Forbidden: bot was blocked by the user" },
    });
  });
});

describe("getUpdates", () => {
  it("gives updates again until the offset confirms them", async () => {
    sim.say({ by: "ann", in: "direct", text: "a" });
    sim.say({ by: "ann", in: "direct", text: "b" });
    const first = updatesOf(await call("getUpdates", { limit: 1 }));
    expect(first).toHaveLength(1);
    expect(updatesOf(await call("getUpdates"))).toHaveLength(2);
    expect(updatesOf(await call("getUpdates", { offset: (first[0]?.update_id ?? 0) + 1 }))).toHaveLength(1);
    expect(updatesOf(await call("getUpdates", { offset: -1 }))).toHaveLength(1);
    expect(sim.events()[0]).toMatchObject({ acknowledgedBy: "offset" });
  });

  it("wakes a poll that waits, and gives it only the kinds it asked for", async () => {
    const poll = call("getUpdates", { timeout: 20, allowed_updates: ["message"] });
    await sim.waitFor(() => sim.calls()[0]);
    const { messageId } = sim.say({ by: "ann", in: "direct", text: "a" });
    sim.edit({ messageId, in: "direct", text: "b" });
    expect(updatesOf(await poll)).toHaveLength(1);
    expect(updatesOf(await call("getUpdates"))).toHaveLength(1);
  });

  it("ends the older of two pollers", async () => {
    const older = call("getUpdates", { timeout: 20 });
    await sim.waitFor(() => sim.calls()[0]);
    const newer = call("getUpdates", { timeout: 20 });
    expect(await older).toMatchObject({
      status: 409,
      body: { description: expect.stringMatching(/^Conflict: terminated by other getUpdates request/) as string },
    });
    sim.say({ by: "ann", in: "direct", text: "a" });
    expect(updatesOf(await newer)).toHaveLength(1);
  });
});
