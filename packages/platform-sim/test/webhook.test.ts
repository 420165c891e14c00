import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { startTelegramSimulator, type TelegramSimulator } from "../src/telegram/start-telegram-simulator.ts";
import { type BotApiAnswer, callBotApi } from "./support/call-bot-api.ts";
import { startReceiver } from "./support/webhook-receiver.ts";

const chat_id = 1001;
const DAY_MS = 24 * 60 * 60 * 1000;

let sim: TelegramSimulator;
beforeEach(async () => {
  sim = await startTelegramSimulator({ clock: "manual" });
});
afterEach(async () => {
  await sim.close();
});

const call = async (method: string, params: object = {}): Promise<BotApiAnswer> => callBotApi(sim, method, params);
const say = (text: string, by: string = "ann"): object => sim.say({ by, in: `direct:${by}`, text });
const until = async (isSo: () => boolean, what: string): Promise<true> =>
  sim.waitFor(() => (isSo() ? true : undefined), { what });
const infoOf = async (): Promise<Readonly<Record<string, unknown>>> =>
  (await call("getWebhookInfo")).body.result as unknown as Record<string, unknown>;

/** Texts in the order in which the bot had them. */
const texts = (hook: { readonly got: readonly { readonly text: string }[] }): string[] =>
  hook.got.map(({ text }) => text);

describe("setting", () => {
  it.each([
    [{ url: "http://127.0.0.1:9/x", secret_token: "not allowed!" }, "secret token contains unallowed characters"],
    [{ url: "ftp://127.0.0.1/x" }, "bad webhook: An HTTPS URL must be provided for webhook"],
  ])("refuses %j", async (params, complaint) => {
    expect((await call("setWebhook", params)).body.description).toBe(`Bad Request: ${complaint}`);
  });

  it("is refused a second time within the second", async () => {
    await call("setWebhook", { url: "http://127.0.0.1:9/x" });
    expect(await call("setWebhook", { url: "http://127.0.0.1:9/y" })).toMatchObject({ status: 429, retryAfter: "1" });
    sim.advanceClock(1_000);
    expect((await call("setWebhook", { url: "http://127.0.0.1:9/y" })).status).toBe(200);
  });

  it("refuses polling until it is deleted, and then gives what is left, or drops it", async () => {
    await using hook = await startReceiver(() => ({ status: 500 }));
    await call("setWebhook", { url: hook.url });
    expect(await call("getUpdates")).toMatchObject({
      status: 409,
      body: {
        description:
          "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
      },
    });
    say("a");
    await call("deleteWebhook");
    expect((await call("getUpdates")).body.result).toHaveLength(1);
    await call("deleteWebhook", { drop_pending_updates: true });
    expect((await call("getUpdates")).body.result).toEqual([]);
  });
});

describe("delivering", () => {
  it("bears the secret, and gives what waited before the webhook was set", async () => {
    await using hook = await startReceiver(() => ({ status: 204 }));
    say("waited");
    await call("setWebhook", { url: hook.url, secret_token: "s-1", max_connections: 7 });
    await until(() => sim.events()[0]?.acknowledgedBy === "http 204", "the delivery");
    expect(hook.got).toEqual([{ text: "waited", secret: "s-1" }]);
    expect(await infoOf()).toMatchObject({ url: hook.url, pending_update_count: 0, max_connections: 7 });
  });

  it("keeps the order of a chat, and goes on with others meanwhile", async () => {
    const gate = Promise.withResolvers<void>();
    await using hook = await startReceiver(async ({ text }) => {
      if (text === "a1") await gate.promise;
      return { status: 200 };
    });
    await call("setWebhook", { url: hook.url });
    for (const text of ["a1", "a2"]) say(text);
    say("b1", "bob");
    await until(() => sim.events()[2]?.acknowledgedBy === "http 200", "b1");
    expect(texts(hook)).toEqual(["a1", "b1"]);
    gate.resolve();
    await until(() => sim.events()[1]?.acknowledgedBy === "http 200", "a2");
    expect(texts(hook)).toEqual(["a1", "b1", "a2"]);
  });

  it("opens no more connections than it may", async () => {
    const gate = Promise.withResolvers<void>();
    let open = 0;
    let most = 0;
    await using hook = await startReceiver(async () => {
      open += 1;
      most = Math.max(most, open);
      await gate.promise;
      open -= 1;
      return { status: 200 };
    });
    await call("setWebhook", { url: hook.url, max_connections: 1 });
    say("a");
    say("b", "bob");
    gate.resolve();
    await until(() => sim.events().every((event) => event.acknowledgedBy !== null), "both");
    expect(most).toBe(1);
    expect(texts(hook)).toEqual(["a", "b"]);
  });
});

describe("a call in the answer", () => {
  it.each([
    { body: JSON.stringify({ method: "sendMessage", chat_id, text: "done" }), done: ["done"], violations: 0 },
    { body: JSON.stringify({ method: "getMe" }), done: [], violations: 0 },
    { body: JSON.stringify({ method: "deleteWebhook" }), done: [], violations: 0 },
    { body: '{"method":', done: [], violations: 1 },
    { body: "thanks", done: [], violations: 0 },
  ])("$body", async ({ body, done, violations }) => {
    await using hook = await startReceiver(({ text }) => ({ status: 200, ...(text === "ask" ? { body } : {}) }));
    await call("setWebhook", { url: hook.url });
    say("ask");
    say("next");
    await until(() => sim.events()[1]?.acknowledgedBy === "http 200", "the next one");
    expect(texts(hook)).toEqual(["ask", "next"]);
    const ours = sim.messages("direct").filter((message) => message.by === sim.bot.name);
    expect(ours.map((message) => message.text)).toEqual(done);
    expect(sim.violations()).toHaveLength(violations);
    expect((await infoOf())["url"]).toBe(hook.url);
  });
});

describe("a bot that fails", () => {
  /** Moves the clock and tells how much went by from the beginning. */
  function stopwatch(): { readonly go: (ms: number) => Promise<void>; readonly at: () => number } {
    let elapsedMs = 0;
    return {
      async go(ms) {
        sim.advanceClock(ms);
        elapsedMs += ms;
        // A round trip: an attempt that began now would have arrived.
        await call("getMe");
      },
      at: () => elapsedMs,
    };
  }

  function countAttempts(): () => number {
    let count = 0;
    sim.onChange(({ kind }) => {
      if (kind === "event") count += 1;
    });
    return () => count;
  }

  it("is tried again at once, then after 1 s, 2 s, 4 s … and a minute or two at most", async () => {
    const attempts = countAttempts();
    const watch = stopwatch();
    const times: number[] = [];
    await using hook = await startReceiver(() => {
      times.push(watch.at());
      return { status: 500 };
    });
    await call("setWebhook", { url: hook.url });
    say("a");
    await until(() => attempts() >= 2, "the first repeat");
    for (const pauseS of [1, 2, 4, 8, 16, 32]) {
      const before = attempts();
      await watch.go(pauseS * 1000 - 1);
      await watch.go(1);
      await until(() => attempts() > before, `the repeat after ${pauseS} s`);
    }
    expect(times).toEqual([0, 0, 1, 3, 7, 15, 31, 63].map((seconds) => seconds * 1000));
    const before = attempts();
    await watch.go(59_999);
    expect(attempts()).toBe(before);
    await watch.go(60_001);
    await until(() => attempts() > before, "the repeat after the longest pause");
    expect(await infoOf()).toMatchObject({
      pending_update_count: 1,
      last_error_message: "Wrong response from the webhook: 500 Internal Server Error",
    });
  });

  it.each([
    { header: "30", pauseMs: 30_000 },
    { header: "9000", pauseMs: 3_600_000 },
  ])("is left alone for its Retry-After of $header s, an hour at most", async ({ header, pauseMs }) => {
    const attempts = countAttempts();
    const watch = stopwatch();
    await using hook = await startReceiver((_, count) =>
      count === 1 ? { status: 503, headers: { "retry-after": header } } : { status: 200 },
    );
    await call("setWebhook", { url: hook.url });
    say("a");
    await until(() => attempts() >= 1, "the first attempt");
    await watch.go(pauseMs - 1);
    expect(hook.got).toHaveLength(1);
    await watch.go(1);
    await until(() => sim.events()[0]?.acknowledgedBy === "http 200", "the second attempt");
    expect(hook.got).toHaveLength(2);
  });

  it("loses what is a day old", async () => {
    const attempts = countAttempts();
    await using hook = await startReceiver(() => ({ status: 500 }));
    await call("setWebhook", { url: hook.url });
    say("a");
    await until(() => attempts() >= 2, "two attempts");
    expect(await infoOf()).toMatchObject({ pending_update_count: 1 });
    sim.advanceClock(DAY_MS);
    expect(await infoOf()).toMatchObject({ pending_update_count: 0 });
  });
});

describe("faults on deliveries", () => {
  it.each([
    { do: { duplicate: true }, got: ["a", "a"], deliveries: 2 },
    { do: { drop: "before" }, got: ["a"], deliveries: 2 },
    { do: { close: true }, got: ["a"], deliveries: 2 },
    { do: { drop: "after" }, got: ["a", "a"], deliveries: 2 },
  ] as const)("$do: the bot gets $got", async ({ do: action, got, deliveries }) => {
    await using hook = await startReceiver(() => ({ status: 200 }));
    await call("setWebhook", { url: hook.url });
    sim.faults.add({ match: { direction: "event" }, do: action });
    say("a");
    await until(() => sim.events()[0]?.acknowledgedBy === "http 200", "the delivery");
    expect(texts(hook)).toEqual(got);
    expect(sim.events()[0]?.deliveries).toBe(deliveries);
  });

  it("swaps two of a chat", async () => {
    const gate = Promise.withResolvers<void>();
    await using hook = await startReceiver(async ({ text }) => {
      if (text === "1") await gate.promise;
      return { status: 200 };
    });
    await call("setWebhook", { url: hook.url });
    for (const text of ["1", "2", "3"]) say(text);
    sim.faults.add({ match: { direction: "event" }, do: { reorder: true } });
    gate.resolve();
    await until(() => sim.events().every((event) => event.acknowledgedBy !== null), "all three");
    expect(texts(hook)).toEqual(["1", "3", "2"]);
  });

  it("delays and holds", async () => {
    await using hook = await startReceiver(() => ({ status: 200 }));
    await call("setWebhook", { url: hook.url });
    const { id } = sim.faults.add({ match: { direction: "event" }, do: { delayMs: 500, hold: true } });
    say("a");
    sim.advanceClock(500);
    await call("getMe");
    expect(hook.got).toEqual([]);
    sim.faults.release(id);
    await until(() => sim.events()[0]?.acknowledgedBy === "http 200", "the delivery");
    expect(texts(hook)).toEqual(["a"]);
  });
});
