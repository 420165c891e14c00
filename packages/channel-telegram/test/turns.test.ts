import { readFile } from "node:fs/promises";

import { createManualClock, type ManualClock } from "@turnwire/adapter-kit";
import type { Clock } from "@turnwire/turn-kernel";
import { describe, expect, it } from "vitest";

import { openWorld, type TelegramWorld } from "./support/telegram-world.ts";
import { runTurn, type BenchOptions, type BenchTurn } from "./support/turn-bench.ts";

type Say = Parameters<TelegramWorld["sim"]["say"]>[0];
const picture = { name: "rose.jpg", mediaType: "image/jpeg", base64: Buffer.from("a rose").toString("base64") };

/** People write, the listener takes it in, and the newest events become one turn. */
async function turnOf(
  world: TelegramWorld,
  says: readonly Say[],
  options: Partial<BenchOptions> = {},
): Promise<BenchTurn> {
  const before = world.events.length;
  for (const say of says) world.sim.say(say);
  await world.until(() => world.events.length === before + says.length, "the events");
  return runTurn(
    world.events.slice(before).map(({ raw }) => raw),
    { channel: world.channel, ...options },
  );
}

async function listening(clock?: Clock): Promise<TelegramWorld> {
  const world = await openWorld(clock === undefined ? {} : { clock });
  world.start();
  await world.until(() => world.health.includes("connected"), "connected");
  return world;
}

/** Lets the clock go on after each `getFile` but the last: each pause is at most 2 s. */
async function passPauses(world: TelegramWorld, clock: ManualClock, asked: number): Promise<void> {
  for (let times = 1; times < asked; times += 1) {
    // The answer is there when its time limit is gone and the pause's timer stands in its place.
    await world.until(
      () => world.callsOf("getFile").filter(({ status }) => status !== 0).length === times,
      `try ${times}`,
    );
    while (world.callsOf("getFile").length === times) await nextTick(clock);
  }
}

async function nextTick(clock: ManualClock): Promise<void> {
  await new Promise<void>((resolve) => {
    setImmediate(resolve);
  });
  await clock.advance(100);
}

/** What the bot called beside taking updates in. */
const calls = (world: TelegramWorld): readonly string[] =>
  world.sim
    .calls()
    .map(({ method }) => method)
    .filter((method) => method !== "getMe" && method !== "getUpdates");

describe("a turn in a direct chat", () => {
  it("answers to where it was asked, with who and what", async () => {
    await using world = await listening();
    const { result, context, replies } = await turnOf(world, [{ by: "ann", in: "direct", text: "hello" }]);
    const { id } = world.sim.defaults.people[0] ?? { id: "" };
    expect(result).toMatchObject({
      admission: { kind: "dispatch" },
      dispatched: true,
      routeSessionKey: `agent:main|direct|${id}|`,
    });
    expect(context).toMatchObject({
      BodyForAgent: "hello",
      RawBody: "hello",
      CommandBody: "hello",
      ChatType: "direct",
      SenderId: id,
      SenderName: "ann",
      To: id,
      OriginatingTo: id,
      OriginatingChannel: "telegram",
      Provider: "telegram",
      AccountId: "default",
      MessageSid: world.events[0]?.envelope?.messageId,
      CommandAuthorized: true,
    });
    expect(context?.Timestamp).toBeGreaterThan(Date.UTC(2020, 0, 1));
    expect(replies).toEqual([
      { text: "ok", options: { to: id, replyToId: world.events[0]?.envelope?.messageId, replyToMode: "off" } },
    ]);
    expect(calls(world)).toEqual([]);
  });

  it.each<readonly [string, Partial<BenchOptions>, object]>([
    ["open", { account: { dmPolicy: "open" } }, { kind: "dispatch" }],
    ["disabled", { account: { dmPolicy: "disabled" } }, { kind: "drop", reason: "dm_denied" }],
    ["pairing, and not known", { account: { dmPolicy: "pairing" } }, { kind: "handled", reason: "pairing_required" }],
    ["pairing, and approved", { account: { dmPolicy: "pairing" }, paired: ["1001"] }, { kind: "dispatch" }],
    ["allowlist, not on it", { account: { dmPolicy: "allowlist" } }, { kind: "drop", reason: "dm_denied" }],
    ["allowlist, on it", { account: { dmPolicy: "allowlist", allowFrom: ["1001"] } }, { kind: "dispatch" }],
    [
      "allowlist with the name instead of the id",
      { account: { dmPolicy: "allowlist", allowFrom: ["ann"] } },
      { kind: "drop", reason: "dm_denied" },
    ],
    [
      "allowlist, and an owner",
      { account: { dmPolicy: "allowlist" }, owners: ["telegram:1001"] },
      { kind: "dispatch" },
    ],
    ["nobody owns the place", { hasOwner: false }, { kind: "drop", reason: "no_owner" }],
    ["an edit that came too late", { change: "edit" }, { kind: "handled", reason: "event:lifecycle" }],
  ])("%s", async (_name, options, admission) => {
    await using world = await listening();
    const { result } = await turnOf(world, [{ by: "ann", in: "direct", text: "", files: [picture] }], options);
    expect(result.admission).toMatchObject(admission);
    // Nothing is fetched for a turn that is not let in.
    expect(calls(world)).toEqual(result.admission.kind === "dispatch" ? ["getFile", "downloadFile"] : []);
  });

  it("brings the picture, readable, with its words", async () => {
    await using world = await listening();
    const { context } = await turnOf(world, [{ by: "ann", in: "direct", text: "what is this?", files: [picture] }]);
    expect(context).toMatchObject({ BodyForAgent: "what is this?", MediaType: "image/jpeg" });
    expect(await readFile(context?.MediaPath ?? "", "utf8")).toBe("a rose");
  });

  it.each([
    { name: "refused for good", fault: { status: 400 }, times: 1, asked: 1 },
    { name: "failing each time", fault: { status: 500 }, times: 9, asked: 4 },
  ])("goes on without a file whose fetch is $name, and says so", async ({ fault, times, asked }) => {
    const clock = createManualClock();
    await using world = await listening(clock);
    world.sim.faults.add({ match: { method: "getFile" }, times, do: fault });
    const turn = turnOf(world, [{ by: "ann", in: "direct", text: "what is this?", files: [picture] }]);
    await passPauses(world, clock, asked);
    const { result, context } = await turn;
    expect(result.dispatched).toBe(true);
    expect(world.callsOf("getFile")).toHaveLength(asked);
    expect(context).toMatchObject({
      BodyForAgent: "what is this?",
      MediaTypes: ["image/jpeg"],
      UntrustedStructuredContext: [
        { type: "media_unavailable", payload: { kind: "image", reason: "telegram_file_unavailable" } },
      ],
    });
    expect(context?.MediaPath).toBeUndefined();
  });

  it("gets a file that a second try brings", async () => {
    const clock = createManualClock();
    await using world = await listening(clock);
    world.sim.faults.add({ match: { method: "getFile" }, do: { status: 500 } });
    const turn = turnOf(world, [{ by: "ann", in: "direct", text: "see", files: [picture] }]);
    await passPauses(world, clock, 2);
    const { context } = await turn;
    expect(context?.MediaPath).toBeDefined();
    expect(context?.UntrustedStructuredContext).toBeUndefined();
  });

  it("joins what debouncing gathered: words, picture and ids, in order", async () => {
    await using world = await listening();
    const { context } = await turnOf(world, [
      { by: "ann", in: "direct", text: "look" },
      { by: "ann", in: "direct", text: "", files: [picture] },
      { by: "ann", in: "direct", text: "nice?" },
    ]);
    expect(context).toMatchObject({ BodyForAgent: "look\n[photo]\nnice?", MediaType: "image/jpeg" });
    expect(context?.MessageSids).toEqual(world.events.map(({ envelope }) => envelope?.messageId));
  });
});

describe("a turn in a group", () => {
  it.each<readonly [string, Omit<Say, "by" | "in">, Partial<BenchOptions>, object]>([
    ["not addressed", { text: "nice weather" }, {}, { kind: "drop", reason: "missing_mention", recordHistory: true }],
    ["addressed", { text: "nice?", mentionBot: true }, {}, { kind: "dispatch" }],
    ["no mention needed", { text: "nice?" }, { account: { requireMention: false } }, { kind: "dispatch" }],
    ["a control command without a name", { text: "/stop" }, {}, { kind: "dispatch" }],
    ["a slash word that is none of ours", { text: "/weather" }, {}, { kind: "drop", reason: "missing_mention" }],
    [
      "a command for another bot",
      { text: "/stop@other_bot" },
      { account: { requireMention: false } },
      { kind: "drop", reason: "other_bot_command" },
    ],
    [
      "a group that is not served",
      { text: "x", mentionBot: true },
      { account: { groupPolicy: "allowlist" } },
      { kind: "drop", reason: "route_not_allowed" },
    ],
    [
      "a person who may not speak there",
      { text: "x", mentionBot: true },
      { account: { groupPolicy: "allowlist", groups: { "-1001000000001": { allowFrom: ["9"] } } } },
      { kind: "drop", reason: "sender_not_allowed" },
    ],
    [
      "groups are off",
      { text: "x", mentionBot: true },
      { account: { groupPolicy: "disabled" } },
      { kind: "drop", reason: "group_disabled" },
    ],
  ])("%s", async (_name, say, options, admission) => {
    await using world = await listening();
    const { result } = await turnOf(world, [{ by: "ann", in: "topic", ...say }], options);
    expect(result.admission).toMatchObject(admission);
    expect(calls(world)).toEqual([]);
  });

  it("goes to its topic, prefixed with who speaks, without the bot's name", async () => {
    await using world = await listening();
    const { result, context } = await turnOf(world, [{ by: "bob", in: "topic", text: "why?", mentionBot: true }]);
    expect(result.routeSessionKey).toBe("agent:main|group|-1001000000001|2");
    expect(context).toMatchObject({
      ChatType: "group",
      BodyForAgent: "bob: why?",
      GroupSubject: "group",
      MessageThreadId: "2",
      To: "-1001000000001",
      WasMentioned: true,
    });
  });

  it("remembers what was said before it was addressed, pictures too, and fetches nothing else", async () => {
    await using world = await listening();
    const first = await turnOf(world, [{ by: "ann", in: "group", text: "", files: [picture] }]);
    expect(first.history).toMatchObject([
      {
        sender: "ann",
        senderId: "1001",
        body: "[photo]",
        messageId: world.events[0]?.envelope?.messageId,
        media: [{ kind: "image", path: expect.any(String) }],
      },
    ]);
    const sound = { name: "x.mp3", mediaType: "audio/mpeg", base64: "AA==" };
    const before = calls(world).length;
    const second = await turnOf(world, [{ by: "bob", in: "group", text: "", files: [sound] }], {
      history: first.history,
    });
    expect(second.history.map(({ body }) => body)).toEqual(["[photo]", "[audio]"]);
    expect(calls(world)).toHaveLength(before);

    const asked = await turnOf(world, [{ by: "bob", in: "group", text: "what was that?", mentionBot: true }], {
      history: second.history,
    });
    expect(asked.context?.InboundHistory).toMatchObject([
      { sender: "ann", body: "[photo]" },
      { sender: "bob", body: "[audio]" },
    ]);
  });

  it("remembers nothing of people who may not speak, and nothing where history is off", async () => {
    await using world = await listening();
    const groups = { "-1001000000001": { allowFrom: ["9"] } };
    const stranger = await turnOf(world, [{ by: "ann", in: "group", text: "psst" }], {
      account: { groupPolicy: "allowlist", groups },
    });
    expect(stranger.history).toEqual([]);
    const off = await turnOf(world, [{ by: "ann", in: "group", text: "psst" }], { historyLimit: 0 });
    expect(off.history).toEqual([]);
  });

  it("knows what it answers", async () => {
    await using world = await listening();
    const { messageId } = world.sim.say({ by: "ann", in: "group", text: "the roses are dry" });
    await world.until(() => world.events.length === 1, "the first");
    const { context } = await turnOf(world, [
      { by: "bob", in: "group", text: "is that so?", replyTo: messageId, mentionBot: true },
    ]);
    expect(context).toMatchObject({ ReplyToId: messageId, ReplyToBody: "the roses are dry", ReplyToSender: "ann" });
  });

  it.each([
    ["deny", { kind: "drop", reason: "bot_sender" }],
    ["mentions", { kind: "dispatch" }],
  ] as const)("of another bot, with bots: %s", async (bots, admission) => {
    await using world = await listening();
    const { id } = world.sim.people({ name: "echo", isBot: true });
    world.sim.join({ who: "echo", in: "group" });
    await world.until(() => world.events.length === 1, "the joining");
    const { result } = await turnOf(world, [{ by: id, in: "group", text: "beep", mentionBot: true }], {
      account: { bots },
    });
    expect(result.admission).toMatchObject(admission);
  });
});

describe("events that are no messages", () => {
  it.each([
    { name: "a reaction", kind: "message_reaction", reason: "event:reaction" },
    { name: "a change of membership", kind: "my_chat_member", reason: "event:lifecycle" },
    { name: "a service message", kind: "message", reason: "event:lifecycle" },
  ])("$name starts nothing", async ({ kind, reason }) => {
    await using world = await listening();
    if (kind === "message_reaction") {
      const { messageId } = world.sim.say({ by: "ann", in: "direct", text: "x" });
      world.sim.react({ messageId, in: "direct", by: "ann", emoji: "👍" });
    } else world.sim.leave({ who: kind === "message" ? "bob" : "bot", in: "group" });
    const event = await world.until(
      () => world.events.find(({ raw }) => raw.type === kind && (raw.type !== "message" || world.events.length === 1)),
      "the event",
    );
    const { result } = await runTurn([event.raw], { channel: world.channel });
    expect(result.admission).toMatchObject({ kind: "handled", reason });
    expect(calls(world)).toEqual([]);
  });

  it("a pressed button is a turn of who pressed it, and Telegram is told that it arrived", async () => {
    await using world = await listening();
    const target = { to: world.sim.defaults.people[0]?.id ?? "", chatKind: "direct" } as const;
    const [part] = world.channel.render(
      { text: "Sure?", presentation: { buttons: [[{ label: "Yes", value: "/resend 1" }]] } },
      { target, mode: "final" },
    );
    if (part === undefined) throw new Error("no part");
    const sent = await world.channel.send(part, target, "id", new AbortController().signal);
    const messageId = sent.kind === "sent" ? (sent.receipt.primaryPlatformMessageId ?? "") : "";
    world.sim.press({ messageId, in: "direct", by: "ann", button: "Yes" });
    const event = await world.until(() => world.events[0], "the press");
    const { result, context } = await runTurn([event.raw], { channel: world.channel });
    expect(result.dispatched).toBe(true);
    expect(context).toMatchObject({ CommandBody: "/resend 1", SenderId: target.to, ReplyToId: messageId });
    expect(world.callsOf("answerCallbackQuery")).toHaveLength(1);
    // A second pass over the stored event tells it no second time.
    await runTurn([event.raw], { channel: world.channel, resumed: true });
    expect(world.callsOf("answerCallbackQuery")).toHaveLength(1);
  });

  it("the stop button under a draft is /stop", async () => {
    await using world = await listening();
    const { id } = world.sim.defaults.people[0] ?? { id: "" };
    world.sim.emit({
      stopped_message_generation: { chat: { id: Number(id), type: "private", first_name: "ann" }, draft_id: 3 },
    });
    const event = await world.until(() => world.events[0], "the event");
    expect(event.envelope).toMatchObject({ kind: "control", command: "stop", senderId: id });
    const { result, context } = await runTurn([event.raw], { channel: world.channel });
    expect(result.dispatched).toBe(true);
    expect(context?.BodyForCommands).toBe("/stop");
  });

  it("an unreadable one fails its turn at ingest, and finalizes", async () => {
    await using world = await listening();
    const raw = { type: "message", payload: {}, receivedAtMs: 0 };
    await expect(runTurn([raw], { channel: world.channel })).rejects.toMatchObject({
      code: "telegram_update_unreadable",
    });
  });
});
