import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { OutboundPart, OutboundTarget, SendOutcome } from "@turnwire/turn-ports";
import type { ReplyPayload } from "@turnwire/turn-kernel";
import { describe, expect, it } from "vitest";

import { openWorld, type TelegramWorld } from "./support/telegram-world.ts";

const signal = new AbortController().signal;

function targetOf(world: TelegramWorld, name: string): OutboundTarget {
  const place = world.sim.defaults.places.find((candidate) => candidate.name === name);
  if (place === undefined) throw new Error(`no place called ${name}`);
  const chatKind = place.kind === "direct" ? "direct" : "group";
  return { to: place.id, chatKind, ...(place.thread === undefined ? {} : { threadId: place.thread }) };
}

async function send(
  world: TelegramWorld,
  parts: readonly OutboundPart[],
  target: OutboundTarget,
): Promise<readonly SendOutcome[]> {
  const outcomes: SendOutcome[] = [];
  for (const part of parts) outcomes.push(await world.channel.send(part, target, "id", signal));
  return outcomes;
}

async function say(
  world: TelegramWorld,
  payload: ReplyPayload,
  where = "direct",
  more: Partial<OutboundTarget> = {},
): Promise<readonly SendOutcome[]> {
  const target = { ...targetOf(world, where), ...more };
  return send(world, world.channel.render(payload, { target, mode: "final" }), target);
}

const seen = (world: TelegramWorld, where = "direct"): readonly string[] =>
  world.sim
    .messages(where)
    .filter(({ by, deleted }) => by === world.sim.bot.name && !deleted)
    .map(({ text }) => text);

describe("what a person sees", () => {
  it("is the text with its formatting, and the receipt names the message", async () => {
    await using world = await openWorld();
    const [outcome] = await say(world, { text: "**bold** & `code` <b>\n\n```ts\nx\n```" });
    const [message] = world.sim.messages("direct");
    expect(message?.text).toBe("bold & code <b>\n\nx");
    expect(message?.native["entities"]).toMatchObject([
      { type: "bold" },
      { type: "code" },
      { type: "pre", language: "ts" },
    ]);
    expect(outcome).toMatchObject({
      kind: "sent",
      receipt: { platformMessageIds: [message?.messageId], parts: [{ kind: "text", index: 0 }] },
    });
    expect(world.sim.violations()).toEqual([]);
  });

  it("is every character of a long answer, at the first try, whatever would have to be escaped", async () => {
    await using world = await openWorld();
    const text = Array.from({ length: 900 }, (_, n) => `<${n}> & *not* _md_ [x](y) \`${n}\``).join(" ");
    const outcomes = await say(world, { text });
    expect(outcomes.length).toBeGreaterThan(3);
    expect(outcomes.every(({ kind }) => kind === "sent")).toBe(true);
    expect(world.callsOf("sendMessage").every(({ status }) => status === 200)).toBe(true);
    expect(seen(world)).toHaveLength(outcomes.length);
  });

  it.each([
    { where: "direct", thread: undefined, typing: undefined },
    { where: "topic", thread: 2, typing: 2 },
  ])("is in its place: $where", async ({ where, thread, typing }) => {
    await using world = await openWorld();
    const target = targetOf(world, where);
    await say(world, { text: "here" }, where);
    await send(world, [{ op: "typing", kind: "unknown", index: 0, body: null }], target);
    expect(world.callsOf("sendMessage")[0]?.params["message_thread_id"]).toBe(thread);
    expect(world.callsOf("sendChatAction")[0]?.params["message_thread_id"]).toBe(typing);
    expect(world.sim.place(where).typing).toBe(true);
    expect(seen(world, where)).toEqual(["here"]);
  });

  it("is in a forum's General topic, which sends must not name and typing must", async () => {
    await using world = await openWorld();
    const target = { ...targetOf(world, "group"), threadId: "1" };
    await say(world, { text: "here" }, "group", target);
    await send(world, [{ op: "typing", kind: "unknown", index: 0, body: null }], target);
    expect(world.callsOf("sendMessage")[0]?.params).not.toHaveProperty("message_thread_id");
    expect(world.callsOf("sendChatAction")[0]?.params["message_thread_id"]).toBe(1);
    expect(seen(world, "group")).toEqual(["here"]);
  });

  it("quotes what it answers, and comes without the quote when that is gone", async () => {
    await using world = await openWorld();
    const { messageId } = world.sim.say({ by: "ann", in: "direct", text: "hello" });
    await say(world, { text: "one" }, "direct", { replyToId: messageId });
    await say(world, { text: "two" }, "direct", { replyToId: "987654" });
    await say(world, { text: "three" }, "direct", { replyToId: "callback:1" });
    expect(
      world.sim
        .messages("direct")
        .slice(1)
        .map(({ text, replyTo }) => [text, replyTo]),
    ).toEqual([
      ["one", messageId],
      ["two", null],
      ["three", null],
    ]);
  });

  it("makes no sound when it should not", async () => {
    await using world = await openWorld();
    await say(world, { text: "psst" }, "direct", { silent: true });
    expect(world.callsOf("sendMessage")[0]?.params).toMatchObject({ disable_notification: true });
  });

  it("are buttons, reactions, edits and deletions", async () => {
    await using world = await openWorld();
    const target = targetOf(world, "direct");
    const { messageId } = world.sim.say({ by: "ann", in: "direct", text: "hello" });
    const react = (body: string | null): OutboundPart => ({ op: "react", kind: "unknown", index: 0, messageId, body });
    await send(world, [react("👀")], target);
    expect(world.sim.messages("direct")[0]?.reactions).toMatchObject([{ emoji: "👀" }]);
    await send(world, [react(null)], target);
    expect(world.sim.messages("direct")[0]?.reactions).toEqual([]);

    const [first] = await say(world, { text: "Sure?", presentation: { buttons: [[{ label: "Yes", value: "y" }]] } });
    const id = first?.kind === "sent" ? first.receipt.primaryPlatformMessageId : undefined;
    const press = world.sim.press({ messageId: id ?? "", in: "direct", by: "ann", button: "Yes" });
    expect(press.eventIds).toHaveLength(1);

    const edit = world.channel.render({ text: "**Done**" }, { target, mode: "final", editOf: id });
    expect(await send(world, edit, target)).toMatchObject([{ kind: "sent", receipt: { platformMessageIds: [id] } }]);
    expect(await send(world, edit, target)).toMatchObject([{ kind: "sent" }]);
    expect(seen(world)).toEqual(["Done"]);
    const remove: OutboundPart = { op: "delete", kind: "text", index: 0, messageId: id, body: null };
    expect(await send(world, [remove, remove], target)).toMatchObject([{ kind: "sent" }, { kind: "sent" }]);
    expect(seen(world)).toEqual([]);
    expect(await send(world, edit, target)).toMatchObject([
      { kind: "rejected", error: { code: "telegram_message_gone" } },
    ]);
  });

  it("is a draft that grows in a direct chat, and ends with the message", async () => {
    await using world = await openWorld();
    const target = targetOf(world, "direct");
    for (const text of ["Hel", "Hello **wor", "Hello **world**"]) {
      const parts = world.channel.render({ text }, { target, mode: "draft", draftId: 7 });
      expect(await send(world, parts, target)).toMatchObject([{ kind: "sent", receipt: { platformMessageIds: [] } }]);
    }
    expect(world.sim.place("direct").draft).toBe("Hello world");
    await say(world, { text: "Hello **world**" });
    expect(world.sim.place("direct").draft).toBeNull();
    expect(seen(world)).toEqual(["Hello world"]);
  });

  it("is a message that grows by edits in a group", async () => {
    await using world = await openWorld();
    const target = targetOf(world, "topic");
    const [opened] = await send(world, world.channel.render({ text: "Hel" }, { target, mode: "draft" }), target);
    const editOf = opened?.kind === "sent" ? opened.receipt.primaryPlatformMessageId : undefined;
    await send(world, world.channel.render({ text: "Hello" }, { target, mode: "draft", editOf }), target);
    await send(world, world.channel.render({ text: "Hello!" }, { target, mode: "final", editOf }), target);
    expect(seen(world, "topic")).toEqual(["Hello!"]);
  });

  it("are files of this machine, with their words, and what stands in for one that is gone", async () => {
    await using world = await openWorld();
    const folder = await mkdtemp(join(tmpdir(), "telegram-"));
    try {
      const path = join(folder, "report.pdf");
      await writeFile(path, "%PDF");
      const target = targetOf(world, "direct");
      const parts = world.channel.render({ text: "**Here**", mediaUrl: path }, { target, mode: "final" });
      expect(await send(world, parts, target)).toMatchObject([
        { kind: "sent", receipt: { parts: [{ kind: "media" }] } },
      ]);
      expect(world.sim.messages("direct")).toMatchObject([{ text: "Here", files: ["report.pdf"] }]);

      await rm(path);
      const [outcome] = await send(world, parts, target);
      expect(outcome).toMatchObject({ kind: "rejected", error: { code: "telegram_media_refused" } });
      const fallback = outcome?.kind === "rejected" ? outcome.fallback : undefined;
      await send(world, fallback === undefined ? [] : [fallback], target);
      expect(seen(world)).toEqual(["Here", "Here\n[report.pdf]"]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe("how a send ends", () => {
  it.each([
    {
      name: "429",
      fault: { retryAfter: 3 },
      expected: { kind: "retry", retryAfterMs: 3_000, scope: "chat" },
      shown: [],
    },
    {
      name: "500 before the effect",
      fault: { status: 500 },
      expected: { kind: "unknown", error: { code: "telegram_failed" } },
      shown: [],
    },
    {
      name: "500 after the effect",
      fault: { status: 500, drop: "after" as const },
      expected: { kind: "unknown" },
      shown: ["hello"],
    },
    {
      name: "taken, and the connection dropped",
      fault: { drop: "after" as const },
      expected: { kind: "unknown", error: { code: "telegram_unreachable" } },
      shown: ["hello"],
    },
    {
      name: "dropped before it was taken: bytes had left",
      fault: { drop: "before" as const },
      expected: { kind: "unknown" },
      shown: [],
    },
    {
      name: "403",
      fault: { status: 403 },
      expected: { kind: "rejected", error: { code: "telegram_chat_forbidden" } },
      shown: [],
    },
    { name: "401", fault: { status: 401 }, expected: { kind: "retry", scope: "bot" }, shown: [] },
  ])("$name", async ({ fault, expected, shown }) => {
    await using world = await openWorld();
    world.sim.faults.add({ match: { method: "sendMessage" }, do: fault });
    expect(await say(world, { text: "hello" })).toMatchObject([expected]);
    expect(seen(world)).toEqual(shown);
    // One call: nothing below us tries again.
    expect(world.callsOf("sendMessage")).toHaveLength(1);
  });

  it("nobody listens: nothing was sent, and it is tried again", async () => {
    await using world = await openWorld({ account: { apiRoot: "http://127.0.0.1:9" } });
    expect(await say(world, { text: "hello" })).toMatchObject([
      { kind: "retry", error: { code: "telegram_unreachable" } },
    ]);
  });

  it("a signal that has aborted makes no call; one that aborts a call leaves its outcome unknown", async () => {
    await using world = await openWorld();
    const target = targetOf(world, "direct");
    const [part] = world.channel.render({ text: "hello" }, { target, mode: "final" });
    if (part === undefined) throw new Error("no part");
    expect(await world.channel.send(part, target, "id", AbortSignal.abort())).toMatchObject({ kind: "retry" });
    expect(world.callsOf("sendMessage")).toEqual([]);
    world.sim.faults.add({ match: { method: "sendMessage" }, do: { hold: true } });
    const stop = new AbortController();
    const outcome = world.channel.send(part, target, "id", stop.signal);
    await world.until(() => world.callsOf("sendMessage").length === 1, "the call");
    stop.abort();
    expect(await outcome).toMatchObject({ kind: "unknown" });
  });

  it("formatting that is refused is left out, once", async () => {
    await using world = await openWorld();
    world.sim.faults.add({
      match: { method: "sendMessage" },
      times: 2,
      do: { status: 400, body: { ok: false, error_code: 400, description: "Bad Request: can't parse entities" } },
    });
    const [outcome] = await say(world, { text: "**hello**" });
    expect(outcome).toMatchObject({ kind: "rejected", error: { code: "telegram_markup_refused" } });
    const fallback = outcome?.kind === "rejected" ? outcome.fallback : undefined;
    const target = targetOf(world, "direct");
    const [second] = await send(world, fallback === undefined ? [] : [fallback], target);
    expect(second).toMatchObject({ kind: "rejected" });
    expect(second).not.toHaveProperty("fallback");
    await send(world, fallback === undefined ? [] : [fallback], target);
    expect(seen(world)).toEqual(["hello"]);
    expect(world.callsOf("sendMessage").map(({ params }) => "entities" in params)).toEqual([true, false, false]);
  });

  it("a group that became a supergroup gets it there", async () => {
    await using world = await openWorld();
    const target = { to: "-42", chatKind: "group" } as const;
    const moved = targetOf(world, "group").to;
    world.sim.faults.add({
      match: { method: "sendMessage" },
      do: {
        status: 400,
        body: {
          ok: false,
          error_code: 400,
          description: "Bad Request: group chat was upgraded to a supergroup chat",
          parameters: { migrate_to_chat_id: Number(moved) },
        },
      },
    });
    const [outcome] = await send(world, world.channel.render({ text: "hello" }, { target, mode: "final" }), target);
    const fallback = outcome?.kind === "rejected" ? outcome.fallback : undefined;
    expect(await send(world, fallback === undefined ? [] : [fallback], target)).toMatchObject([{ kind: "sent" }]);
    expect(seen(world, "group")).toEqual(["hello"]);
  });

  it("a part that something else made is refused without a call", async () => {
    await using world = await openWorld();
    const target = targetOf(world, "direct");
    for (const body of [null, "text", { method: 1 }]) {
      expect(await send(world, [{ op: "send", kind: "text", index: 0, body }], target)).toMatchObject([
        { kind: "rejected", error: { code: "telegram_part_invalid" } },
      ]);
    }
    expect(world.sim.calls()).toEqual([]);
  });

  it("cannot be settled afterwards: Telegram gives no means", async () => {
    await using world = await openWorld();
    const target = targetOf(world, "direct");
    const [part] = world.channel.render({ text: "hello" }, { target, mode: "final" });
    if (part === undefined) throw new Error("no part");
    expect(await world.channel.reconcile(part, target, "id", 0, signal)).toEqual({ kind: "unsupported" });
    expect(world.channel.capabilities.settlement).toBe("none");
  });
});
