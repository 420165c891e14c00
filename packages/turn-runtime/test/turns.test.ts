import type { AgentEvent } from "@turnwire/turn-ports";
import { afterEach, describe, expect, it, vi } from "vitest";

import { EMPTY_ANSWER_TEXT, FAILURE_NOTICES } from "../src/turns/notice-texts.ts";
import type { TurnEvent } from "../src/turns/turn-record.ts";
import {
  say,
  scriptedRunner,
  startTestRuntime,
  type TestRuntime,
  type TestRuntimeOptions,
} from "./support/test-runtime.ts";

const open: TestRuntime[] = [];
afterEach(async () => {
  for (const rig of open.splice(0)) await rig.close();
});

async function start(options: TestRuntimeOptions = {}): Promise<TestRuntime> {
  const rig = await startTestRuntime(options);
  open.push(rig);
  return rig;
}

async function* events(...list: readonly AgentEvent[]): AsyncGenerator<AgentEvent> {
  yield* list;
}

const once = { agentDefaults: { maxAttempts: 1 } };

describe("a turn from event to answer", () => {
  it("echoes a direct message, and costs three transactions", async () => {
    const rig = await start();
    const heard: TurnEvent[] = [];
    rig.runtime.onTurnEvent((event) => heard.push(event));
    await rig.channel.say({ text: "hello there" });
    await rig.settled();
    expect(rig.platform.seen("dm")).toEqual(["hello there"]);
    expect(rig.platform.calls).toHaveLength(1);
    expect(rig.test.transactions).toEqual([
      ["accept"],
      ["session.put", "session.put", "inbox.run", "transcript.append", "outbox.insert"],
      ["outbox.sent", "transcript.append", "turn.put", "inbox.end"],
    ]);
    expect(rig.log.problems).toEqual([]);
    const ends = heard.filter((event) => event.event !== "start").map((event) => `${event.stage}:${event.event}`);
    expect(ends).toEqual([
      "ingest:done",
      "classify:skipped",
      "preflight:done",
      "resolve:done",
      "authorize:done",
      "assemble:done",
      "record:done",
      "dispatch:done",
      "finalize:done",
    ]);
    const [turn] = await rig.test.store.turns.list({ limit: 10 });
    expect(turn).toMatchObject({ outcome: "completed", attempt: 1, sessionKey: "agent:main:main" });
    expect(turn?.stages.length).toBe(18);
  });

  it("answers a redelivered event once", async () => {
    const rig = await start();
    const said = await rig.channel.say({ text: "hello" });
    await rig.channel.redeliver(said);
    await rig.settled();
    await rig.channel.redeliver(said);
    await rig.settled();
    expect(rig.platform.seen("dm")).toEqual(["hello"]);
  });

  it("keeps a transcript that the next turn is shown, with the outcome and whether it arrived", async () => {
    const runner = scriptedRunner(({ message }) => say(`re: ${message.BodyForAgent ?? ""}`));
    const rig = await start({ runner });
    await rig.channel.say({ text: "one" });
    await rig.settled();
    await rig.channel.say({ text: "two" });
    await rig.settled();
    expect(
      runner.contexts[1]?.transcript.map(({ role, parts, outcome, deliveryState }) => ({
        role,
        parts,
        outcome,
        deliveryState,
      })),
    ).toEqual([
      { role: "user", parts: [{ type: "text", text: "one" }], outcome: undefined, deliveryState: undefined },
      {
        role: "assistant",
        parts: [{ type: "text", text: "re: one" }],
        outcome: "completed",
        deliveryState: "delivered",
      },
    ]);
  });

  it("puts the prefix in front and takes secrets out", async () => {
    const rig = await start({
      runner: scriptedRunner(() => say("the password is hunter2hunter2")),
      config: { messages: { reply: { responsePrefix: "[{identity.name}]" } } },
    });
    await rig.channel.say({ text: "tell me" });
    await rig.settled();
    expect(rig.platform.seen("dm")).toEqual(["[Ada] the password is [redacted]"]);
  });

  it("leaves the prefix out when a value is missing", async () => {
    const rig = await start({ config: { messages: { reply: { responsePrefix: "[{model}]" } } } });
    await rig.channel.say({ text: "hello" });
    await rig.settled();
    expect(rig.platform.seen("dm")).toEqual(["hello"]);
  });
});

describe("silence and wording", () => {
  const direct = { text: "hi" };
  const group = { text: "hi", chat: "room", chatKind: "group" as const, mentionsBot: true };

  it.each([
    ["NO_REPLY in pieces", ["NO", "_REP", "LY"]],
    ["no_reply in lower case", ["no_reply"]],
  ])("%s: no call at all, in direct chats and groups, drafts or not", async (_name, pieces) => {
    const runner = scriptedRunner(() =>
      events(...pieces.map((text): AgentEvent => ({ type: "text-delta", text })), {
        type: "done",
        outcome: "completed",
      }),
    );
    const drafts = { direct: "edit", group: "native", channel: "none" } as const;
    const rig = await start({
      runner,
      channel: { account: { streaming: { mode: "partial" } }, capabilities: { drafts } },
    });
    await rig.channel.say(direct);
    await rig.channel.say(group);
    await rig.settled();
    expect(rig.platform.calls).toEqual([]);
    expect(await rig.test.store.inbox.counts()).toMatchObject({ done: 2 });
  });

  it("an empty answer is told in a direct chat and counted in a group", async () => {
    const rig = await start({ runner: scriptedRunner(() => say("")) });
    await rig.channel.say(direct);
    await rig.channel.say(group);
    await rig.settled();
    expect(rig.platform.seen("dm")).toEqual([EMPTY_ANSWER_TEXT]);
    expect(rig.platform.seen("room")).toEqual([]);
    expect(rig.telemetry.counted("empty_answers_total")).toBe(2);
  });

  it("a failure is one fixed sentence in a direct chat, nothing in a group, and never the error's own words", async () => {
    const runner = scriptedRunner(() => ({
      [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error("key sk-verysecret at http://10.0.0.7")) }),
    }));
    const rig = await start({ runner, config: once });
    await rig.channel.say(direct);
    await rig.channel.say(group);
    await rig.settled();
    expect(rig.platform.seen("dm")).toEqual([FAILURE_NOTICES.internal.text]);
    expect(rig.platform.seen("room")).toEqual([]);
    expect(JSON.stringify(rig.platform.calls)).not.toContain("10.0.0.7");
    const [row] = await rig.test.store.inbox.list({ status: "dead", limit: 10 });
    expect(row?.reason).toBe("runner_threw");
  });

  it("an agent that fails once is asked again as the same turn: one answer", async () => {
    const runner = scriptedRunner(({ attempt }) => (attempt === 1 ? events() : say("better now")));
    const rig = await start({ runner });
    await rig.channel.say(direct);
    await rig.settled();
    expect(rig.platform.seen("dm")).toEqual(["better now"]);
    expect(runner.contexts.map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(new Set(runner.contexts.map(({ turnId }) => turnId)).size).toBe(1);
    expect(await rig.test.store.sessions.transcript("agent:main:main", 10)).toHaveLength(2);
  });

  it("a refusal is a word, not a hang, and the row is done", async () => {
    const runner = scriptedRunner(() => events({ type: "done", outcome: "failed", error: { code: "runner_refused" } }));
    const rig = await start({ runner });
    await rig.channel.say(group);
    await rig.settled();
    expect(rig.platform.seen("room")).toEqual([FAILURE_NOTICES.refused.text]);
    expect(await rig.test.store.inbox.counts()).toMatchObject({ done: 1 });
  });

  it("a run over its time is ended and told of; one that ignores its abort is left behind", async () => {
    const never = Promise.withResolvers<never>();
    const runner = scriptedRunner(() => ({ [Symbol.asyncIterator]: () => ({ next: () => never.promise }) }));
    const rig = await start({ runner, config: { agentDefaults: { timeoutMs: 30 }, limits: { runnerGraceMs: 30 } } });
    await rig.channel.say(direct);
    await rig.settled();
    expect(rig.platform.seen("dm")).toEqual([FAILURE_NOTICES.timed_out.text]);
    expect(rig.telemetry.counted("runner_stuck_total")).toBe(1);
    expect(await rig.test.store.inbox.counts()).toMatchObject({ dead: 1 });
    const entries = await rig.test.store.sessions.transcript("agent:main:main", 10);
    expect(entries.at(-1)).toMatchObject({ outcome: "timed_out", deliveryState: "failed" });
  });
});

describe("events that cannot become a turn", () => {
  it("a malformed event becomes a dead letter with its reason, and the next one is handled", async () => {
    const rig = await start();
    await rig.channel.say({ text: "broken", malformed: true });
    await rig.channel.say({ text: "fine" });
    await rig.settled();
    expect(rig.platform.seen("dm")).toEqual(["fine"]);
    const [dead] = await rig.test.store.inbox.list({ status: "dead", limit: 10 });
    expect(dead?.reason).toBe("ingest:internal");
    const [turn] = (await rig.test.store.turns.list({ limit: 10 })).filter((row) => row.error !== undefined);
    expect(turn?.stages.find((stage) => stage.event === "error")?.stage).toBe("ingest");
  });

  it("a place without an owner is dropped: no_owner", async () => {
    const rig = await start({ config: { bindings: [{ agentId: "main", match: { channel: "elsewhere" } }] } });
    await rig.channel.say({ text: "anyone?" });
    await rig.settled();
    expect(rig.platform.calls).toEqual([]);
    const [row] = await rig.test.store.inbox.list({ status: "dropped", limit: 10 });
    expect(row?.reason).toBe("no_owner");
  });

  it("a stranger gets a pairing code once, and an answer after an operator let them in", async () => {
    const rig = await start({ channel: { account: { dmPolicy: "pairing" } } });
    await rig.channel.say({ text: "hello" });
    await rig.channel.say({ text: "hello?" });
    await rig.settled();
    const [pairing] = await rig.test.store.pairings.list();
    expect(rig.platform.seen("dm")).toHaveLength(1);
    expect(rig.platform.seen("dm")[0]).toContain(pairing?.code);
    await rig.test.store.pairings.approve(pairing?.code ?? "");
    await rig.channel.say({ text: "now?" });
    await rig.settled();
    expect(rig.platform.seen("dm")).toHaveLength(2);
    expect(rig.platform.seen("dm")[1]).toBe("now?");
  });
});

describe("groups", () => {
  const room = { chat: "room", chatKind: "group" as const };

  it("what was not for the bot causes no call, is shown to the next turn, and is gone after its answer", async () => {
    const runner = scriptedRunner(() => say("ok"));
    const rig = await start({ runner });
    for (const text of ["one", "two", "three"]) await rig.channel.say({ ...room, text, from: "bob" });
    await rig.settled();
    expect(rig.platform.calls).toEqual([]);
    await rig.channel.say({ ...room, text: "what do you think?", mentionsBot: true });
    await rig.settled();
    expect(runner.contexts[0]?.history.map(({ sender, body }) => `${sender}: ${body}`)).toEqual([
      "bob: one",
      "bob: two",
      "bob: three",
    ]);
    await rig.channel.say({ ...room, text: "and now?", mentionsBot: true });
    await rig.settled();
    expect(runner.contexts[1]?.history).toEqual([]);
  });

  it("a turn that failed keeps the history for the next one", async () => {
    const runner = scriptedRunner(({ message }) =>
      message.BodyForAgent?.endsWith("fail") === true ? events() : say("ok"),
    );
    const rig = await start({ runner, config: once });
    await rig.channel.say({ ...room, text: "remember me", from: "bob" });
    await rig.channel.say({ ...room, text: "fail", mentionsBot: true });
    await rig.settled();
    await rig.channel.say({ ...room, text: "again", mentionsBot: true });
    await rig.settled();
    expect(runner.contexts[1]?.history.map(({ body }) => body)).toEqual(["remember me"]);
  });

  it("keeps the histories of two threads apart, and answers each in its own", async () => {
    const runner = scriptedRunner(({ message }) => say(`re ${message.BodyForAgent ?? ""}`));
    const rig = await start({ runner });
    await rig.channel.say({ ...room, threadId: "7", text: "seven" });
    await rig.channel.say({ ...room, threadId: "8", text: "eight" });
    await rig.channel.say({ ...room, threadId: "7", text: "ask 7", mentionsBot: true });
    await rig.channel.say({ ...room, threadId: "8", text: "ask 8", mentionsBot: true });
    await rig.settled();
    const shown = new Map(
      runner.contexts.map(({ message, history }) => [message.BodyForAgent, history.map(({ body }) => body)]),
    );
    expect(shown).toEqual(
      new Map([
        ["ann: ask 7", ["seven"]],
        ["ann: ask 8", ["eight"]],
      ]),
    );
    const threads = rig.platform.messages("room").map(({ threadId, text }) => `${threadId}: ${text}`);
    expect(threads.toSorted()).toEqual(["7: re ann: ask 7", "8: re ann: ask 8"]);
  });
});

describe("commands", () => {
  it("/help answers without the agent", async () => {
    const runner = scriptedRunner(() => say("no"));
    const rig = await start({ runner });
    await rig.channel.say({ text: "/help" });
    await rig.settled();
    expect(rig.platform.seen("dm")[0]).toContain("/stop");
    expect(runner.contexts).toEqual([]);
  });

  it("unknown slash text is just text", async () => {
    const rig = await start();
    await rig.channel.say({ text: "/dance" });
    await rig.settled();
    expect(rig.platform.seen("dm")).toEqual(["/dance"]);
  });

  it("/queue changes the session's mode, and /status shows it", async () => {
    const rig = await start();
    await rig.channel.say({ text: "/queue collect" });
    await rig.settled();
    await rig.channel.say({ text: "/status" });
    await rig.settled();
    expect(rig.platform.seen("dm")[1]).toContain("Queue: collect");
  });

  it("/new ends the running turn and forgets what was said; what is said after it is answered", async () => {
    const runner = scriptedRunner(({ message }, { signal }) =>
      message.BodyForAgent === "long" ? untilAborted(signal) : say(`re ${message.BodyForAgent ?? ""}`),
    );
    const rig = await start({ runner });
    await rig.channel.say({ text: "before" });
    await rig.settled();
    await rig.channel.say({ text: "long" });
    await vi.waitFor(() => expect(runner.contexts).toHaveLength(2));
    await rig.channel.say({ text: "/new" });
    await rig.settled();
    await rig.channel.say({ text: "after" });
    await rig.settled();
    expect(runner.contexts[2]).toMatchObject({ session: { generation: 1 }, transcript: [] });
    expect(rig.platform.seen("dm").at(-1)).toBe("re after");
    expect(rig.log.problems.map(({ message }) => message)).toEqual([]);
  });

  it("/stop ends what runs and what waits, and the model sees the cancelled request", async () => {
    const runner = scriptedRunner(({ message }, { signal }) =>
      message.BodyForAgent === "hello" ? say("hi") : untilAborted(signal),
    );
    const rig = await start({ runner });
    await rig.channel.say({ text: "delete the file" });
    await vi.waitFor(() => expect(runner.contexts).toHaveLength(1));
    await rig.channel.say({ text: "and the other" });
    await vi.waitFor(async () => expect((await rig.test.store.inbox.get(2))?.deferredAs).toBe("steer"));
    await rig.channel.say({ text: "/stop" });
    await rig.settled();
    expect(rig.platform.seen("dm")).toEqual(["Stopped 2 requests."]);
    await rig.channel.say({ text: "hello" });
    await rig.settled();
    const shown = runner.contexts[1]?.transcript.map(({ role, outcome }) => `${role} ${outcome ?? ""}`.trim());
    expect(shown).toEqual(["user", "assistant cancelled"]);
    expect(rig.platform.seen("dm")[1]).toBe("hi");
  });
});

describe("messages that arrive during a run", () => {
  it("steer it at its next safe point", async () => {
    const arrived = Promise.withResolvers<void>();
    const runner = scriptedRunner(async function* (_context, { steer }) {
      await arrived.promise;
      const taken = await steer.take();
      yield* say(`first, then ${taken.map(({ body }) => body).join()}`);
    });
    const rig = await start({ runner, config: { messages: { queue: { debounceMs: 0 } } } });
    await rig.channel.say({ text: "first" });
    await vi.waitFor(() => expect(runner.contexts).toHaveLength(1));
    await rig.channel.say({ text: "second" });
    await vi.waitFor(async () => expect((await rig.test.store.inbox.get(2))?.deferredAs).toBe("steer"));
    arrived.resolve();
    await rig.settled();
    expect(rig.platform.seen("dm")).toEqual(["first, then second"]);
    expect(runner.contexts).toHaveLength(1);
  });

  it("over the cap are named in the next turn's body and counted", async () => {
    const hold = Promise.withResolvers<void>();
    const runner = scriptedRunner(async function* ({ message }) {
      if (message.BodyForAgent === "m0") await hold.promise;
      yield* say("ok");
    });
    const rig = await start({ runner, config: { messages: { queue: { mode: "followup", cap: 5, debounceMs: 0 } } } });
    await rig.channel.say({ text: "m0" });
    await vi.waitFor(() => expect(runner.contexts).toHaveLength(1));
    for (let index = 1; index <= 9; index += 1) await rig.channel.say({ text: `m${index}` });
    await vi.waitFor(() => expect(rig.telemetry.counted("queue_dropped_total")).toBe(4));
    hold.resolve();
    await rig.settled();
    const body = runner.contexts[1]?.message.BodyForAgent ?? "";
    expect(body).toMatch(/^\[4 messages were dropped[^\n]*\]\n- ann: m1\n- ann: m2\n- ann: m3\n- ann: m4\n\nm5$/u);
    expect(runner.contexts.slice(2).map(({ message }) => message.BodyForAgent)).toEqual(["m6", "m7", "m8", "m9"]);
    expect(await rig.test.store.inbox.counts()).toMatchObject({ accepted: 10, done: 6, dropped: 4 });
  });
});

async function* untilAborted(signal: AbortSignal): AsyncGenerator<AgentEvent> {
  await new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  yield { type: "text-delta", text: "too late" };
}
