import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { startTelegramSimulator, type TelegramSimulator } from "../src/telegram/start-telegram-simulator.ts";
import { type BotApiAnswer, callBotApi } from "./support/call-bot-api.ts";

const chat_id = 1001;

let sim: TelegramSimulator;
beforeEach(async () => {
  sim = await startTelegramSimulator({ clock: "manual" });
});
afterEach(async () => {
  await sim.close();
});

const call = async (method: string, params: object = {}): Promise<BotApiAnswer> => callBotApi(sim, method, params);
const send = async (text: string, more: object = {}): Promise<BotApiAnswer> =>
  call("sendMessage", { chat_id, text, ...more });

describe("faults on calls", () => {
  it.each([
    { do: { status: 500 }, status: 500, body: { ok: false, error_code: 500 }, seen: 0, retryAfter: null },
    {
      do: { status: 403, body: { ok: false, x: 1 } },
      status: 403,
      body: { ok: false, x: 1 },
      seen: 0,
      retryAfter: null,
    },
    {
      do: { retryAfter: 7 },
      status: 429,
      body: { error_code: 429, description: "Too Many Requests: retry after 7", parameters: { retry_after: 7 } },
      seen: 0,
      retryAfter: "7",
    },
    { do: { duplicate: true }, status: 200, body: { ok: true }, seen: 2, retryAfter: null },
    { do: { status: 502, drop: "after" }, status: 502, body: { ok: false }, seen: 1, retryAfter: null },
  ] as const)(
    "$do answers $status with $seen messages, once",
    async ({ do: action, status, body, seen, retryAfter }) => {
      const { id } = sim.faults.add({ match: { method: "sendmessage" }, do: action });
      expect(await send("x")).toMatchObject({ status, body, retryAfter });
      expect(sim.messages("direct")).toHaveLength(seen);
      expect(sim.calls()[0]).toMatchObject({ status, fault: id, effect: seen === 0 ? "none" : "applied" });
      expect(await send("y")).toMatchObject({ status: 200 });
      expect(sim.calls()[1]?.fault).toBeUndefined();
    },
  );

  it.each([
    { do: { drop: "before" }, seen: 0 },
    { do: { close: true }, seen: 0 },
    { do: { drop: "after" }, seen: 1 },
  ] as const)("$do closes the socket, with $seen messages", async ({ do: action, seen }) => {
    sim.faults.add({ match: { method: "sendMessage" }, do: action });
    await expect(send("x")).rejects.toThrow("fetch failed");
    expect(sim.messages("direct")).toHaveLength(seen);
    expect(sim.calls()[0]).toMatchObject({ status: 0, effect: seen === 0 ? "none" : "applied" });
  });

  it("delays the effect, on the simulator's clock", async () => {
    sim.faults.add({ match: { method: "sendMessage" }, do: { delayMs: 5_000 } });
    const late = send("x");
    await sim.waitFor(() => sim.calls()[0]);
    sim.advanceClock(4_999);
    await call("getMe");
    expect(sim.messages("direct")).toEqual([]);
    sim.advanceClock(1);
    expect((await late).status).toBe(200);
    expect(sim.calls()[0]?.tookMs).toBe(5_000);
  });

  it.each([
    { do: { hold: true }, seen: 1, status: 200 },
    { do: { hold: true, status: 500 }, seen: 0, status: 500 },
  ])("$do keeps the answer back until it is released", async ({ do: action, seen, status }) => {
    const { id } = sim.faults.add({ match: { method: "sendMessage" }, do: action });
    let isAnswered = false;
    const held = send("x").then((answer) => {
      isAnswered = true;
      return answer;
    });
    await sim.waitFor(() => sim.calls()[0]);
    await call("getMe");
    expect({ isAnswered, seen: sim.messages("direct").length }).toEqual({ isAnswered: false, seen });
    sim.faults.release(id);
    expect((await held).status).toBe(status);
  });

  it("hits only the n-th, and nothing after it was removed", async () => {
    sim.faults.add({ match: { method: "sendMessage", nth: 2 }, do: { status: 500 } });
    const statuses = [];
    for (const text of ["1", "2", "3"]) statuses.push((await send(text)).status);
    expect(statuses).toEqual([200, 500, 200]);
    const other = sim.faults.add({ match: {}, times: 5, do: { status: 500 } });
    expect(sim.faults.remove(other.id)).toBe(true);
    expect((await call("getMe")).status).toBe(200);
  });

  it.each(["topic", "-1001000000001/2", "group", "-1001000000001"])("knows the place %s", async (place) => {
    sim.faults.add({ match: { place }, do: { status: 500 } });
    expect((await send("elsewhere")).status).toBe(200);
    expect((await send("there", { chat_id: -1_001_000_000_001, message_thread_id: 2 })).status).toBe(500);
  });

  it("hits downloads", async () => {
    const file = { name: "a.txt", mediaType: "text/plain", base64: "aGk=" };
    sim.say({ by: "ann", in: "direct", text: "", files: [file] });
    const [said] = sim.messages("direct");
    const document = said?.native["document"] as { readonly file_id: string };
    const { file_path } = (await call("getFile", { file_id: document.file_id })).body.result as unknown as {
      file_path: string;
    };
    const url = `${sim.apiRoot}/file/bot${sim.credentials.botToken}/${file_path}`;
    sim.faults.add({ match: { method: "downloadFile" }, do: { status: 500 } });
    sim.faults.add({ match: { method: "downloadFile" }, do: { drop: "after" } });
    expect((await fetch(url)).status).toBe(500);
    await expect(fetch(url)).rejects.toThrow("fetch failed");
    expect(await (await fetch(url)).text()).toBe("hi");
  });
});

describe("rate limits, when they are asked for", () => {
  it("refuse the fourth message to a chat within three seconds, and no edit of the world", async () => {
    await using limited = await startTelegramSimulator({ clock: "manual", rateLimits: true });
    const statuses = [];
    for (const text of ["1", "2", "3", "4"]) statuses.push(await callBotApi(limited, "sendMessage", { chat_id, text }));
    expect(statuses.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(statuses[3]).toMatchObject({ retryAfter: "3", body: { parameters: { retry_after: 3 } } });
    expect((await callBotApi(limited, "sendChatAction", { chat_id, action: "typing" })).status).toBe(200);
    limited.advanceClock(3_000);
    expect((await callBotApi(limited, "sendMessage", { chat_id, text: "5" })).status).toBe(200);
  });
});
