import type { AgentEvent } from "@turnwire/turn-ports";
import { afterEach, describe, expect, it, vi } from "vitest";

import { CUT_OFF_TEXT, GIVEN_UP_TEXT } from "../src/turns/notice-texts.ts";
import { MemoryPlatform } from "./support/memory-platform.ts";
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

/** Kills a runtime and starts the next one on the same store and platform. */
async function restart(before: TestRuntime, options: TestRuntimeOptions = {}): Promise<TestRuntime> {
  await before.kill();
  open.splice(open.indexOf(before), 1);
  return start({ ...options, test: before.test.reopen(), platform: before.platform, name: "b" });
}

const never = (): AsyncIterable<AgentEvent> => ({
  [Symbol.asyncIterator]: () => ({ next: () => Promise.withResolvers<IteratorResult<AgentEvent>>().promise }),
});

const drafts = { direct: "edit", group: "edit", channel: "edit" } as const;
const streaming = { account: { streaming: { mode: "partial" as const } }, capabilities: { drafts } };

describe("after the process was killed", () => {
  it("in the model call: the turn runs again by itself and is answered once", async () => {
    const runner = scriptedRunner(never);
    const before = await start({ runner });
    await before.channel.say({ text: "hello" });
    await vi.waitFor(() => expect(runner.contexts).toHaveLength(1));
    const after = await restart(before);
    await after.settled();
    expect(after.platform.seen("dm")).toEqual(["hello"]);
  });

  it("with others waiting: all are answered, in order", async () => {
    const runner = scriptedRunner(never);
    const before = await start({ runner });
    await before.channel.say({ text: "one" });
    await vi.waitFor(() => expect(runner.contexts).toHaveLength(1));
    for (const text of ["two", "three", "four"]) await before.channel.say({ text });
    await vi.waitFor(async () => expect((await before.test.store.inbox.get(4))?.deferredAs).toBe("steer"));
    const after = await restart(before);
    await after.settled();
    expect(after.platform.seen("dm")).toEqual(["one", "two", "three", "four"]);
  });

  it("between the send and its receipt: the answer is not sent again, and the person is told", async () => {
    const platform = new MemoryPlatform();
    platform.failNext("send", "hold");
    const before = await start({ platform });
    await before.channel.say({ text: "hello" });
    await vi.waitFor(() => expect(platform.calls).toHaveLength(1));
    const runner = scriptedRunner(() => say("other words"));
    const after = await restart(before, { runner });
    platform.release();
    await after.settled();
    expect(runner.contexts).toEqual([]);
    expect(platform.seen("dm").filter((text) => text === "hello")).toHaveLength(1);
    expect(platform.seen("dm")).not.toContain("other words");
    expect(await after.test.store.outbox.counts()).toMatchObject({ unknown: 1 });
  });

  it("between the receipt and the end of the turn: nothing is run or sent again", async () => {
    const runner = scriptedRunner(async function* () {
      yield* say("the answer");
    });
    const before = await start({ runner });
    // The receipt joins the turn's last commit; that it is stored by itself is what the end of the turn does not outlive.
    const gate = Promise.withResolvers<void>();
    before.test.holdOn("inbox.end", gate.promise);
    await before.channel.say({ text: "hello" });
    await vi.waitFor(() => expect(before.platform.seen("dm")).toEqual(["the answer"]));
    const again = scriptedRunner(() => say("other words"));
    const after = await restart(before, { runner: again });
    gate.resolve();
    await after.settled();
    expect(again.contexts).toEqual([]);
    expect(after.platform.seen("dm").filter((text) => text === "the answer")).toHaveLength(1);
    expect(after.platform.seen("dm")).not.toContain("other words");
  });

  it("with a draft in the chat: the next attempt goes on in that message", async () => {
    const runner = scriptedRunner(async function* () {
      yield { type: "text-delta", text: "hel" };
      yield* never();
    });
    const before = await start({ runner, channel: streaming });
    await before.channel.say({ text: "hi" });
    await vi.waitFor(async () => expect((await before.test.store.outbox.counts()).sent).toBe(1));
    const next = scriptedRunner(() => say("hello world"));
    const after = await restart(before, { runner: next, channel: streaming });
    await after.settled();
    expect(after.platform.seen("dm")).toEqual(["hello world"]);
  });

  it("with a draft in the chat and policy notice: the draft says so, and the agent is not asked", async () => {
    const runner = scriptedRunner(async function* () {
      yield { type: "text-delta", text: "hel" };
      yield* never();
    });
    const before = await start({ runner, channel: streaming });
    await before.channel.say({ text: "hi" });
    await vi.waitFor(async () => expect((await before.test.store.outbox.counts()).sent).toBe(1));
    const next = scriptedRunner(() => say("other words"));
    const after = await restart(before, {
      runner: next,
      channel: streaming,
      config: { agentDefaults: { recovery: "notice" } },
    });
    await after.settled();
    expect(next.contexts).toEqual([]);
    expect(after.platform.seen("dm")).toEqual([CUT_OFF_TEXT]);
  });

  it("in the middle of tool work: finished calls are not made again, one without a result is told as unknown", async () => {
    const launched: string[] = [];
    const hang = Promise.withResolvers<null>();
    const tool = (name: string, result: Promise<null | string>): object => ({
      name,
      description: name,
      inputSchema: {},
      call: () => {
        launched.push(name);
        return result;
      },
    });
    const tools = [tool("look", Promise.resolve("found")), tool("pay", hang.promise)];
    const runner = scriptedRunner(async function* ({ tools: offered }) {
      const results: unknown[] = [];
      for (const { call } of offered) results.push(await call({ amount: 1 }));
      yield* say(JSON.stringify(results));
    });
    const agents = [{ id: "main", default: true, disabled: false, identity: { name: "Ada" }, runner, tools }] as never;
    const before = await start({ config: { agents } });
    await before.channel.say({ text: "buy it" });
    await vi.waitFor(() => expect(launched).toEqual(["look", "pay"]));
    const after = await restart(before, { config: { agents } });
    await after.settled();
    expect(launched).toEqual(["look", "pay"]);
    expect(after.platform.seen("dm")[0]).toContain('"found"');
    expect(after.platform.seen("dm")[0]).toContain("outcome_unknown");
    expect(runner.contexts[1]?.resume?.toolResults).toMatchObject([{ name: "look", result: "found" }]);
    expect(runner.contexts[1]?.resume?.unknownToolCalls).toMatchObject([{ name: "pay" }]);
  });

  it("again and again by the same message: it is given up after the last attempt", async () => {
    const runner = scriptedRunner(async function* () {
      yield { type: "text-delta", text: "x" };
      yield* never();
    });
    let rig = await start({ runner, channel: streaming });
    await rig.channel.say({ text: "poison" });
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await vi.waitFor(() => expect(runner.contexts).toHaveLength(attempt));
      rig = await restart(rig, { runner, channel: streaming });
    }
    await vi.waitFor(async () => expect((await rig.test.store.inbox.counts()).dead).toBe(1));
    await rig.settled();
    expect(runner.contexts).toHaveLength(3);
    expect(new Set(runner.contexts.map(({ turnId }) => turnId)).size).toBe(1);
    expect(rig.platform.seen("dm")).toEqual([GIVEN_UP_TEXT]);
  });
});

describe("a stop with a deadline", () => {
  const slow = (): { readonly runner: ReturnType<typeof scriptedRunner>; readonly goOn: () => void } => {
    const gate = Promise.withResolvers<void>();
    const runner = scriptedRunner(async function* ({ message }, { signal }) {
      await Promise.race([
        gate.promise,
        new Promise<void>((resolve) => {
          signal.addEventListener("abort", () => resolve(), { once: true });
        }),
      ]);
      yield* say(message.BodyForAgent ?? "");
    });
    return { runner, goOn: gate.resolve };
  };

  it("lets a running turn end", async () => {
    const { runner, goOn } = slow();
    const rig = await start({ runner });
    await rig.channel.say({ text: "hello" });
    await vi.waitFor(() => expect(runner.contexts).toHaveLength(1));
    const drained = rig.runtime.drain(5_000);
    goOn();
    expect(await drained).toEqual({ cutOff: 0, unsent: 0 });
    expect(rig.platform.seen("dm")).toEqual(["hello"]);
  });

  it("hands over what does not end in time: it is answered after the next start, once", async () => {
    const { runner } = slow();
    const rig = await start({ runner });
    await rig.channel.say({ text: "hello" });
    await vi.waitFor(() => expect(runner.contexts).toHaveLength(1));
    expect(await rig.runtime.drain(20)).toMatchObject({ cutOff: 1 });
    expect(rig.platform.seen("dm")).toEqual([]);
    const after = await restart(rig);
    await after.settled();
    expect(after.platform.seen("dm")).toEqual(["hello"]);
  });
});
