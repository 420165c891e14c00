import { createManualClock } from "@turnwire/adapter-kit";
import { describe, expect, it } from "vitest";

import { openWorld, type TelegramWorld } from "./support/telegram-world.ts";

const textsOf = (world: TelegramWorld): readonly unknown[] =>
  world.events.map(({ raw }) => (raw.payload as { readonly content?: { readonly text?: string } }).content?.text);

describe("long polling", () => {
  it("stores messages, and acknowledges them with the next poll", async () => {
    await using world = await openWorld();
    world.start();
    await world.until(() => world.health.includes("connected"), "connected");
    world.sim.say({ by: "ann", in: "direct", text: "hello" });
    world.sim.say({ by: "bob", in: "group", text: "hi all" });
    await world.until(() => world.events.length === 2, "two events");
    expect(textsOf(world)).toEqual(["hello", "hi all"]);
    await world.until(() => world.sim.events().every((event) => event.acknowledgedAt !== null), "acknowledged");
    expect(world.cursor()).toMatch(/^\d+@\d+$/);
    expect(world.sim.violations()).toEqual([]);
  });

  it("asks for a first answer at once, and then waits 30 s for each, naming what it wants", async () => {
    await using world = await openWorld();
    world.start();
    await world.until(() => world.callsOf("getUpdates").length >= 1 && world.health.includes("connected"), "connected");
    expect(world.callsOf("getMe")).toHaveLength(1);
    const [first] = world.callsOf("getUpdates");
    expect(first?.params).toMatchObject({ timeout: 0, limit: 100 });
    expect(first?.params["allowed_updates"]).toContain("message_reaction");
    world.sim.say({ by: "ann", in: "direct", text: "x" });
    await world.until(() => world.events.length === 1, "one event");
    expect(world.callsOf("getUpdates")[1]?.params).toMatchObject({ timeout: 30 });
  });

  it("does not acknowledge what could not be stored: it comes again", async () => {
    await using world = await openWorld();
    world.sim.say({ by: "ann", in: "direct", text: "hello" });
    world.refuseNext();
    const error = await world.start().done;
    expect(error).toMatchObject({ code: "inbox_unavailable" });
    expect(world.channel.classifyError(error)).toEqual({ kind: "retry", afterMs: 5_000 });
    expect(world.cursor()).toBeNull();
    expect(world.sim.events().map((event) => event.acknowledgedAt)).toEqual([null]);
    world.start();
    await world.until(() => world.events.length === 1, "the event again");
  });

  it("goes on behind the stored offset after a restart, and takes nothing twice", async () => {
    await using world = await openWorld();
    const first = world.start();
    world.sim.say({ by: "ann", in: "direct", text: "one" });
    await world.until(() => world.events.length === 1, "the first");
    expect(await first.stop()).toBeNull();
    const polls = world.callsOf("getUpdates").length;
    const offset = Number(world.cursor()?.split("@")[0]);
    world.sim.say({ by: "ann", in: "direct", text: "two" });
    world.start();
    await world.until(() => world.events.length === 2, "the second");
    expect(textsOf(world)).toEqual(["one", "two"]);
    expect(world.callsOf("getUpdates")[polls]?.params["offset"]).toBe(offset);
  });

  it("does not trust an offset from before ids began anew", async () => {
    const clock = createManualClock();
    await using world = await openWorld({ clock });
    const first = world.start();
    world.sim.say({ by: "ann", in: "direct", text: "one" });
    await world.until(() => world.cursor(), "a cursor");
    await first.stop();
    const before = world.callsOf("getUpdates").length;
    await clock.advance(7 * 86_400_000);
    world.start();
    await world.until(() => world.callsOf("getUpdates").length > before, "another poll");
    expect(world.callsOf("getUpdates")[before]?.params).not.toHaveProperty("offset");
  });

  it("keeps what it cannot understand as a dead letter, and goes on", async () => {
    await using world = await openWorld();
    world.start();
    await world.until(() => world.health.includes("connected"), "connected");
    world.sim.emit({ message: { message_id: 1, chat: "nowhere" } });
    world.sim.say({ by: "ann", in: "direct", text: "after" });
    await world.until(() => world.events.length === 2, "both");
    expect(world.events[0]).toMatchObject({ envelope: null, deadReason: expect.stringContaining("message.") });
    expect(world.events[1]?.envelope).toMatchObject({ kind: "text" });
  });

  it("stops at once when it is told to, with a poll open", async () => {
    await using world = await openWorld();
    const run = world.start();
    await world.until(() => world.health.includes("connected"), "connected");
    expect(await run.stop()).toBeNull();
  });
});

describe("what goes wrong while polling", () => {
  it.each([
    { name: "502", fault: { status: 502 }, expected: { code: "telegram_failed" }, error: { kind: "retry" } },
    {
      name: "an answer that is no JSON",
      fault: { status: 502, body: "<html>" },
      expected: { code: "telegram_unreachable" },
      error: { kind: "retry" },
    },
    {
      name: "a connection that breaks",
      fault: { drop: "before" as const },
      expected: { code: "telegram_unreachable" },
      error: { kind: "retry" },
    },
    {
      name: "429",
      fault: { retryAfter: 7 },
      expected: { code: "telegram_rate_limited" },
      error: { kind: "retry", afterMs: 7_000 },
    },
    {
      name: "a list that is none",
      fault: { status: 200, body: { ok: true, result: {} } },
      expected: { code: "telegram_answer_malformed" },
      error: { kind: "retry" },
    },
    {
      name: "updates without ids",
      fault: { status: 200, body: { ok: true, result: [{ message: {} }] } },
      expected: { code: "telegram_answer_malformed" },
      error: { kind: "retry" },
    },
  ])("$name ends the run, to be begun again", async ({ fault, expected, error }) => {
    await using world = await openWorld();
    world.sim.faults.add({ match: { method: "getUpdates" }, do: fault });
    const ended = await world.start().done;
    expect(ended).toMatchObject(expected);
    expect(world.channel.classifyError(ended)).toEqual(error);
    expect(world.health).toEqual([]);
    // And then it works.
    world.start();
    await world.until(() => world.health.includes("connected"), "connected");
  });

  it("a bad token is fatal at the first try, with what to do", async () => {
    await using world = await openWorld({ account: { botToken: "7000000001:wrong" } });
    const ended = await world.start().done;
    expect(ended).toMatchObject({ code: "telegram_token_invalid" });
    expect(world.channel.classifyError(ended)).toEqual({ kind: "fatal", hint: expect.stringContaining("@BotFather") });
    expect(world.sim.calls().map(({ method }) => method)).toEqual(["getMe"]);
    expect(world.health).toEqual([]);
  });

  it("a token that is taken back while polling is fatal, too", async () => {
    await using world = await openWorld();
    world.sim.faults.add({ match: { method: "getUpdates" }, do: { status: 401 } });
    expect(world.channel.classifyError(await world.start().done)).toMatchObject({ kind: "fatal" });
  });

  it("a poll that hangs is given up after its time and a margin, though other calls work", async () => {
    const clock = createManualClock();
    await using world = await openWorld({ clock });
    const run = world.start();
    await world.until(() => world.health.includes("connected"), "connected");
    const fault = world.sim.faults.add({ match: { method: "getUpdates" }, do: { hold: true } });
    world.sim.say({ by: "ann", in: "direct", text: "wake the open poll" });
    await world.until(() => world.callsOf("getUpdates").some((call) => call.fault === fault.id), "the held poll");
    const part = { op: "typing", kind: "unknown", index: 0, body: null } as const;
    const target = { to: String(world.sim.defaults.people[0]?.id), chatKind: "direct" } as const;
    expect(await world.channel.send(part, target, "id", new AbortController().signal)).toMatchObject({ kind: "sent" });

    await clock.advance(39_000);
    expect(world.callsOf("getUpdates").at(-1)?.fault).toBe(fault.id);
    await clock.advance(1_000);
    expect(await run.done).toMatchObject({ code: "telegram_unreachable", message: expect.stringContaining("timeout") });
  });

  it("another poller is not fought: pauses grow, and health says what to do", async () => {
    const clock = createManualClock();
    await using world = await openWorld({ clock });
    world.sim.faults.add({ match: { method: "getUpdates" }, times: 6, do: { status: 409 } });
    world.start();
    const polls = (): number => world.callsOf("getUpdates").length;
    for (const [n, pauseMs] of [3_000, 6_000, 12_000, 24_000, 48_000, 60_000].entries()) {
      await world.until(() => world.health.filter((told) => told === "conflict").length === n + 1, `conflict ${n + 1}`);
      expect(polls()).toBe(n + 1);
      await clock.advance(pauseMs - 1);
      expect(polls()).toBe(n + 1);
      await clock.advance(1);
    }
    await world.until(() => world.health.includes("connected"), "connected");
  });

  it("a webhook that stands in the way is removed, and only then", async () => {
    await using world = await openWorld();
    world.start();
    await world.until(() => world.health.includes("connected"), "connected");
    expect(world.callsOf("deleteWebhook")).toEqual([]);
    expect(world.callsOf("getWebhookInfo")).toEqual([]);
    await using second = await openWorld();
    const { apiRoot, credentials } = second.sim;
    await fetch(`${apiRoot}/bot${credentials.botToken}/setWebhook?url=http://127.0.0.1:9/x`);
    second.sim.say({ by: "ann", in: "direct", text: "kept" });
    second.start();
    await second.until(() => second.events.length === 1, "the message that came before");
    expect(second.callsOf("deleteWebhook").map(({ params }) => params)).toEqual([{ drop_pending_updates: false }]);
    expect(second.health).not.toContain("conflict");
  });
});

describe("the command menu", () => {
  it("is registered once, and again only when it has changed", async () => {
    await using world = await openWorld({ account: { commandMenu: true } });
    const first = world.start();
    await world.until(() => world.state.size === 1, "the menu's hash");
    expect(world.callsOf("setMyCommands")).toHaveLength(1);
    await first.stop();
    const polls = world.callsOf("getUpdates").length;
    world.start();
    await world.until(
      () =>
        world.callsOf("getUpdates").length > polls + 1 ||
        world.health.filter((told) => told === "connected").length === 2,
      "connected again",
    );
    expect(world.callsOf("setMyCommands")).toHaveLength(1);
  });

  it("that has to wait holds nothing up, and comes when it may", async () => {
    const clock = createManualClock();
    await using world = await openWorld({ account: { commandMenu: true }, clock });
    world.sim.faults.add({ match: { method: "setMyCommands" }, do: { retryAfter: 8 } });
    world.start();
    world.sim.say({ by: "ann", in: "direct", text: "hello" });
    await world.until(() => world.events.length === 1, "the message");
    await world.until(() => world.callsOf("setMyCommands").length === 1 && clock.pendingTimers > 0, "the refusal");
    expect(world.state.size).toBe(0);
    await clock.advance(8_000);
    await world.until(() => world.state.size === 1, "the menu's hash");
  });

  it("that is refused leaves the listener alone", async () => {
    await using world = await openWorld({ account: { commandMenu: true } });
    world.sim.faults.add({ match: { method: "setMyCommands" }, do: { status: 400 } });
    const run = world.start();
    await world.until(() => world.log.lines.some(({ message }) => message.includes("command menu")), "a warning");
    await world.until(() => world.health.includes("connected"), "connected");
    expect(await run.stop()).toBeNull();
  });
});
