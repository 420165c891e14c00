import { afterEach, describe, expect, it } from "vitest";

import {
  startTelegramSimulator,
  type TelegramSimulator,
  type TelegramSimulatorOptions,
} from "../src/telegram/start-telegram-simulator.ts";
import { callBotApi } from "./support/call-bot-api.ts";

let sim: TelegramSimulator;
async function start(options: TelegramSimulatorOptions = {}): Promise<void> {
  sim = await startTelegramSimulator(options);
}
afterEach(async () => {
  await sim.close();
});

interface Reply {
  readonly status: number;
  readonly json: unknown;
}

async function request(method: string, path: string, body?: unknown, token?: string): Promise<Reply> {
  const response = await fetch(`${sim.control}${path}`, {
    method,
    ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  return { status: response.status, json: await response.json() };
}
const get = async (path: string): Promise<Reply> => request("GET", path);
const post = async (path: string, body?: unknown): Promise<Reply> => request("POST", path, body);

const anyText = expect.stringMatching(/./) as string;

describe("people", () => {
  it("write, edit, react, press, command and delete; what they see is told", async () => {
    await start();
    const said = await post("/say", { by: "ann", in: "topic", text: "hi", mentionBot: true });
    expect(said.json).toEqual({ messageId: anyText, eventIds: [anyText] });
    const { messageId } = said.json as { messageId: string };
    expect((await post("/edit", { messageId, in: "topic", text: "hi again" })).json).toEqual({ eventIds: [anyText] });
    await post("/react", { messageId, in: "topic", by: "bob", emoji: "👍" });
    expect((await get("/places/topic/messages")).json).toMatchObject([
      {
        messageId,
        by: "ann",
        text: "hi again",
        thread: "2",
        replyTo: null,
        edits: 1,
        deleted: false,
        draft: false,
        reactions: [{ by: "bob", emoji: "👍" }],
        files: [],
        at: expect.any(Number) as number,
      },
    ]);
    await post("/react", { messageId, in: "topic", by: "bob", emoji: "👍", remove: true });
    expect((await post("/delete", { messageId, in: "topic" })).json).toEqual({ eventIds: [] });
    expect((await get("/places/topic/messages")).json).toMatchObject([{ deleted: true, reactions: [] }]);
    expect((await post("/command", { by: "bob", in: "direct:bob", name: "help", text: "me" })).status).toBe(200);
    expect((await get("/places/direct:bob/messages")).json).toMatchObject([{ text: "/help me" }]);
    expect((await get("/events")).json).toHaveLength(5);
  });

  it("press a button by its text or its data", async () => {
    await start();
    const reply_markup = { inline_keyboard: [[{ text: "Yes", callback_data: "y" }]] };
    await callBotApi(sim, "sendMessage", { chat_id: 1001, text: "?", reply_markup });
    for (const button of ["Yes", "y"])
      expect((await post("/press", { messageId: "1", in: "direct", by: "ann", button })).json).toEqual({
        eventIds: [anyText],
      });
    expect(await post("/press", { messageId: "1", in: "direct", by: "ann", button: "No" })).toMatchObject({
      status: 400,
      json: { field: "button" },
    });
  });

  it("send what the verb has no word for, and any event verbatim", async () => {
    await start();
    await post("/say", { by: "ann", in: "direct", text: "x", native: { has_protected_content: true } });
    expect((await get("/places/direct/messages")).json).toMatchObject([{ native: { has_protected_content: true } }]);
    const event = { update_id: 5, poll_answer: { poll_id: "1", option_ids: [0] } };
    expect((await post("/emit", { event })).json).toEqual({ eventIds: ["5"] });
    expect((await callBotApi(sim, "getUpdates", {})).body.result).toContainEqual(event);
  });
});

describe("the world", () => {
  it("grows by people and places, in which they come and go", async () => {
    await start();
    expect((await post("/people", { name: "cleo" })).json).toEqual({ id: anyText });
    const team = await post("/places", { kind: "group", name: "team", members: ["ann"] });
    const { id } = team.json as { id: string };
    expect(await post("/say", { by: "cleo", in: "team", text: "x" })).toMatchObject({ status: 400 });
    expect((await post("/join", { who: "cleo", in: id })).json).toEqual({ eventIds: [anyText] });
    expect((await post("/say", { by: "cleo", in: "team", text: "x" })).status).toBe(200);
    await post("/leave", { who: "bot", in: "team" });
    expect((await post("/say", { by: "cleo", in: "team", text: "unheard" })).json).toEqual({
      messageId: anyText,
      eventIds: [],
    });
    expect((await callBotApi(sim, "sendMessage", { chat_id: id, text: "x" })).body.description).toBe(
      "Forbidden: bot was kicked from the supergroup chat",
    );
  });

  it("makes a forum of a group with its first topic, and a channel that posts", async () => {
    await start();
    await post("/places", { kind: "group", name: "team", members: ["ann"] });
    const topic = await post("/places", { kind: "topic", name: "plans", parent: "team" });
    await post("/say", { by: "ann", in: "plans", text: "x" });
    expect((await get("/places/plans/messages")).json).toMatchObject([
      { text: "x", thread: (topic.json as { id: string }).id, native: { is_topic_message: true } },
    ]);
    await post("/places", { kind: "channel", name: "news", members: ["ann"] });
    await post("/say", { by: "ann", in: "news", text: "post" });
    const { json } = await get("/events");
    expect((json as { event: object }[]).at(-1)?.event).toHaveProperty("channel_post.text", "post");
    expect(await post("/places", { kind: "topic", name: "x", parent: "news" })).toMatchObject({
      status: 400,
      json: { field: "parent" },
    });
  });

  it("is new after a reset, with the same credentials", async () => {
    await start();
    await post("/people", { name: "cleo" });
    await post("/say", { by: "ann", in: "direct", text: "x" });
    await post("/faults", { match: {}, do: { status: 500 } });
    expect((await post("/reset")).json).toEqual({ ok: true });
    expect(await get("/events")).toMatchObject({ json: [] });
    expect(await get("/state")).toMatchObject({
      json: { platform: "telegram", pendingUpdates: 0, people: [{ name: "ann" }, { name: "bob" }] },
    });
    expect((await callBotApi(sim, "getMe", {})).status).toBe(200);
  });
});

describe("what was recorded", () => {
  it("is given from a number on", async () => {
    await start();
    for (const method of ["getMe", "sendMessage", "getNothing"]) await callBotApi(sim, method, {});
    const calls = (await get("/calls")).json as { seq: number }[];
    expect(calls).toMatchObject([
      { method: "getMe", status: 200, effect: "none", params: {} },
      { method: "sendMessage", status: 400, effect: "none" },
      { method: "getNothing", status: 404 },
    ]);
    expect((await get(`/calls?since=${calls[0]?.seq}`)).json).toHaveLength(2);
    expect((await get("/violations")).json).toMatchObject([{ method: "getNothing" }]);
    expect(await get("/calls?since=yesterday")).toMatchObject({ status: 400, json: { field: "since" } });
  });

  it("keeps requests that could not be read", async () => {
    await start();
    const url = `${sim.apiRoot}/bot${sim.credentials.botToken}/sendMessage`;
    const headers = { "content-type": "application/json" };
    expect((await fetch(url, { method: "POST", headers, body: "{" })).status).toBe(400);
    expect((await get("/calls")).json).toMatchObject([{ method: "sendMessage", status: 400, params: {} }]);
  });
});

describe("faults and time", () => {
  it("are driven over HTTP", async () => {
    await start({ clock: "manual" });
    const { json } = await post("/faults", { match: { method: "getMe" }, do: { hold: true } });
    const { id } = json as { id: string };
    const held = callBotApi(sim, "getMe", {});
    await sim.waitFor(() => sim.calls()[0]);
    expect((await post(`/faults/${id}/release`)).json).toEqual({ ok: true });
    expect((await held).status).toBe(200);
    expect((await request("DELETE", `/faults/${id}`)).json).toEqual({ ok: true });
    expect(await request("DELETE", `/faults/${id}`)).toMatchObject({ status: 400, json: { field: "id" } });
    const before = ((await get("/state")).json as { now: number }).now;
    expect((await post("/clock", { advanceMs: 1_500 })).json).toEqual({ now: before + 1_500 });
  });
});

describe("a bad control call", () => {
  it.each([
    ["/say", { by: "nobody", in: "direct", text: "x" }, "by"],
    ["/say", { by: "ann", in: "nowhere", text: "x" }, "in"],
    ["/say", { by: "ann", in: "direct" }, "text"],
    ["/say", { by: "bob", in: "direct", text: "x" }, "by"],
    ["/say", { by: "ann", in: "group", text: "x", thread: "none" }, "thread"],
    ["/say", { by: "ann", in: "direct", text: "x", replyTo: "77" }, "replyTo"],
    ["/say", { by: "ann", in: "direct", text: "", files: [{ name: "a" }] }, "files"],
    ["/edit", { messageId: "9", in: "direct", text: "x" }, "messageId"],
    ["/react", { messageId: "9", in: "direct", by: "ann" }, "emoji"],
    ["/people", {}, "name"],
    ["/places", { kind: "castle", name: "x" }, "kind"],
    ["/places", { kind: "direct", name: "x" }, "members"],
    ["/places", { kind: "group", name: "x", members: ["nobody"] }, "members"],
    ["/join", { who: "nobody", in: "group" }, "who"],
    ["/faults", { do: {} }, "match"],
    ["/clock", { advanceMs: 5 }, "advanceMs"],
    ["/emit", {}, "event"],
    ["/app", { eventsUrl: "http://127.0.0.1:9" }, ""],
    ["/say", "[1]", ""],
    ["/say", "{", ""],
  ])("%s %j is refused, naming %j", async (path, body, field) => {
    await start();
    expect(await post(path, body)).toEqual({ status: 400, json: { field, error: anyText, expected: anyText } });
  });
});

describe("the stream", () => {
  it("tells of changes as server-sent events", async () => {
    await start();
    const response = await fetch(`${sim.control}/stream`);
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let told = (await reader?.read())?.value ?? "";
    sim.say({ by: "ann", in: "direct", text: "x" });
    while (!/event: change\ndata: .*\n\n/.test(told)) told += (await reader?.read())?.value ?? "";
    expect(told).toContain('event: change\ndata: {"place":"1001","kind":"message"}\n\n');
    await reader?.cancel();
  });
});

describe("the control token", () => {
  it("must be borne by every control call, and by no bot", async () => {
    await start({ controlToken: "sesame" });
    for (const token of [undefined, "wrong"])
      expect(await request("GET", "/state", undefined, token)).toMatchObject({
        status: 401,
        json: { field: "authorization" },
      });
    expect((await request("GET", "/state", undefined, "sesame")).status).toBe(200);
    expect((await callBotApi(sim, "getMe", {})).status).toBe(200);
  });

  it("is needed on an address that others reach", async () => {
    await start();
    await expect(startTelegramSimulator({ host: "0.0.0.0" })).rejects.toThrow("set a control token");
  });
});
