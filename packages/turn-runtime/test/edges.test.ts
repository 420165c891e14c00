import { afterEach, describe, expect, it, vi } from "vitest";

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

const debounced = { messages: { inbound: { debounceMs: 150 } } };

describe("debounce", () => {
  it("text, photo, text in quick succession: the photo joins the text before it and is not lost", async () => {
    const runner = scriptedRunner(({ message }) => say(message.BodyForAgent ?? ""));
    const rig = await start({ runner, config: debounced });
    await rig.channel.say({ text: "look" });
    await rig.channel.say({ text: "[photo]", isMedia: true });
    await rig.channel.say({ text: "nice?" });
    await rig.settled();
    expect(runner.contexts.map(({ message }) => message.BodyForAgent)).toEqual(["look\n[photo]", "nice?"]);
    expect(await rig.test.store.inbox.get(1)).toMatchObject({ status: "done", mergedInto: runner.contexts[0]?.turnId });
    expect(await rig.test.store.inbox.counts()).toMatchObject({ accepted: 3, done: 3 });
  });

  it("a stop is recognised and ends what its sender has waiting there", async () => {
    const runner = scriptedRunner(() => say("no"));
    const rig = await start({ runner, config: debounced });
    await rig.channel.say({ text: "do X" });
    await rig.channel.say({ text: "/stop" });
    await rig.settled();
    expect(runner.contexts).toEqual([]);
    expect(await rig.test.store.inbox.get(1)).toMatchObject({ status: "handled", reason: "stopped" });
    expect(rig.platform.seen("dm")).toEqual(["Stopped."]);
  });
});

describe("an observed turn", () => {
  it("runs the agent, and nothing is seen of it: no answer, no draft, no typing", async () => {
    const runner = scriptedRunner(() => say("secret thoughts"));
    const drafts = { direct: "edit", group: "edit", channel: "edit" } as const;
    const rig = await start({
      runner,
      channel: {
        account: { streaming: { mode: "partial" } },
        capabilities: { drafts, typing: true, typingRefreshMs: 10 },
      },
    });
    await rig.channel.say({ text: "just listen", observed: true });
    await rig.settled();
    expect(runner.contexts).toHaveLength(1);
    expect(rig.platform.calls).toEqual([]);
  });
});

describe("the ack reaction", () => {
  it("stands on a mention while it is answered, and is taken away with the turn", async () => {
    const rig = await start({ channel: { account: { ackReaction: "eyes" }, capabilities: { reactions: true } } });
    await rig.channel.say({ text: "not for you", chat: "room", chatKind: "group" });
    await rig.channel.say({ text: "hello", chat: "room", chatKind: "group", mentionsBot: true });
    await rig.channel.say({ text: "hello", chat: "dm" });
    await rig.settled();
    const calls = rig.platform.calls
      .filter(({ method }) => method === "react")
      .map(({ chat, text }) => `${chat}: ${text}`);
    expect(calls).toEqual(["room: eyes", "room: "]);
  });
});

describe("while the store cannot be reached", () => {
  it("a turn waits with what it has to write, and is answered once", async () => {
    const runner = scriptedRunner(() => say("the answer"));
    const rig = await start({ runner });
    rig.test.failCommits(2);
    await rig.channel.say({ text: "hello" });
    await rig.settled();
    expect(rig.platform.seen("dm")).toEqual(["the answer"]);
    expect(runner.contexts).toHaveLength(1);
  });
});

describe("control", () => {
  it("a stop gets through although every slot is taken, and the others go on hanging", async () => {
    const aborted: string[] = [];
    const runner = scriptedRunner(async function* ({ message }, { signal }) {
      await new Promise<void>((resolve) => {
        signal.addEventListener("abort", () => resolve(), { once: true });
      });
      aborted.push(message.BodyForAgent ?? "");
      yield* say("too late");
    });
    const rig = await start({ runner, config: { session: { dmScope: "per-peer" }, limits: { maxRuns: 2 } } });
    await rig.channel.say({ text: "one", chat: "a", from: "a" });
    await rig.channel.say({ text: "two", chat: "b", from: "b" });
    await vi.waitFor(() => expect(runner.contexts).toHaveLength(2));
    await rig.channel.say({ text: "three", chat: "c", from: "c" });
    await rig.channel.say({ text: "/stop", chat: "b", from: "b" });
    await vi.waitFor(() => expect(rig.platform.seen("b")).toEqual(["Stopped."]));
    expect(aborted).toEqual(["two"]);
    // The freed slot goes to the one that waited.
    await vi.waitFor(() => expect(runner.contexts).toHaveLength(3));
    await rig.channel.say({ text: "/stop", chat: "c", from: "c" });
    await rig.channel.say({ text: "/stop", chat: "a", from: "a" });
    await rig.settled();
  });

  it("a stranger's stop stops nothing", async () => {
    const gate = Promise.withResolvers<void>();
    const runner = scriptedRunner(async function* () {
      await gate.promise;
      yield* say("done");
    });
    const rig = await start({
      runner,
      channel: { account: { groups: { room: { allowFrom: ["ann"] } }, groupPolicy: "allowlist" } },
    });
    const room = { chat: "room", chatKind: "group" as const, mentionsBot: true };
    await rig.channel.say({ ...room, text: "work" });
    await vi.waitFor(() => expect(runner.contexts).toHaveLength(1));
    await rig.channel.say({ ...room, text: "/stop", from: "eve" });
    await vi.waitFor(async () => expect((await rig.test.store.inbox.get(2))?.status).toBe("dropped"));
    gate.resolve();
    await rig.settled();
    expect(rig.platform.seen("room")).toEqual(["done"]);
  });
});

describe("accounts", () => {
  it(
    "what waits for a removed account waits on, and is answered when it is there again",
    { timeout: 20_000 },
    async () => {
      const rig = await start();
      const other = { ...rig.channel };
      await rig.runtime.removeChannel("memory", "default", 1_000);
      await rig.test.store.accept({
        channel: "memory",
        accountId: "default",
        rows: [
          {
            laneKey: "turn:agent:main:main",
            dedupeKey: "x",
            turnKey: "x",
            messageId: "m1",
            change: "new",
            routePeer: { kind: "direct", id: "dm" },
            senderId: "ann",
            replyTarget: "dm",
            kind: "text",
            raw: { type: "message", payload: { ...rig.platform.say({ text: "anyone?" }) } as never, receivedAtMs: 0 },
          },
        ],
      });
      await vi.waitFor(async () =>
        expect((await rig.test.store.inbox.get(1))?.notBeforeMs).toBeGreaterThan(Date.now() + 1_000),
      );
      expect(await rig.test.store.inbox.get(1)).toMatchObject({ status: "waiting", attempt: 0 });
      rig.runtime.addChannel(other);
      expect(rig.runtime.accounts()).toMatchObject([{ channel: "memory", status: "ok" }]);
      await rig.settled();
      expect(rig.platform.seen("dm")).toEqual(["anyone?"]);
    },
  );

  it("two accounts of one name are refused, and so is a prefix with a typing error", async () => {
    const rig = await start();
    expect(() => rig.runtime.addChannel(rig.channel)).toThrow(/memory:default was added before/u);
    const broken = {
      ...rig.channel,
      accountId: "two",
      account: { ...rig.channel.account, responsePrefix: "[{modle}]" },
    };
    expect(() => rig.runtime.addChannel(broken)).toThrow(/responsePrefix.*\{modle\}/u);
  });
});
