import type { AgentEvent, ChannelCapabilities } from "@turnwire/turn-ports";
import { afterEach, describe, expect, it, vi } from "vitest";

import { FAILURE_NOTICES } from "../src/turns/notice-texts.ts";
import type { PlatformFault } from "./support/memory-platform.ts";
import { scriptedRunner, startTestRuntime, type TestRuntime, type TestRuntimeOptions } from "./support/test-runtime.ts";

const open: TestRuntime[] = [];
afterEach(async () => {
  for (const rig of open.splice(0)) await rig.close();
});

type Drafts = ChannelCapabilities["drafts"];
const edited: Drafts = { direct: "edit", group: "edit", channel: "edit" };
const native: Drafts = { direct: "native", group: "native", channel: "native" };

async function start(
  drafts: Drafts,
  options: TestRuntimeOptions,
  capabilities: Partial<ChannelCapabilities> = {},
): Promise<TestRuntime> {
  const rig = await startTestRuntime({
    ...options,
    channel: { account: { streaming: { mode: "partial" } }, capabilities: { drafts, ...capabilities } },
  });
  open.push(rig);
  return rig;
}

/** Says `first`, waits until the test lets it go on, and ends with `last`. */
function twoSteps(
  first: string,
  last: readonly AgentEvent[],
): { readonly runner: ReturnType<typeof scriptedRunner>; readonly goOn: () => void } {
  const gate = Promise.withResolvers<void>();
  const runner = scriptedRunner(async function* (_context, { signal }) {
    yield { type: "text-delta", text: first };
    await Promise.race([
      gate.promise,
      new Promise<void>((resolve) => {
        signal.addEventListener("abort", () => resolve(), { once: true });
      }),
    ]);
    yield* last;
  });
  return { runner, goOn: gate.resolve };
}

const done: AgentEvent = { type: "done", outcome: "completed" };
const ending: readonly AgentEvent[] = [{ type: "text-delta", text: " world" }, done];
const methods = (rig: TestRuntime): readonly string[] => rig.platform.calls.map(({ method }) => method);
const shown = (rig: TestRuntime, text: string): Promise<void> =>
  vi.waitFor(() => expect(rig.platform.seen("dm")).toEqual([text]));

describe("a draft that is a message", () => {
  it("is posted with the first content and finished by an edit of itself", async () => {
    const { runner, goOn } = twoSteps("hello", ending);
    const rig = await start(edited, { runner });
    await rig.channel.say({ text: "hi" });
    await shown(rig, "hello");
    goOn();
    await rig.settled();
    expect(rig.platform.seen("dm")).toEqual(["hello world"]);
    expect(methods(rig)).toEqual(["send", "edit"]);
    const purposes = (await rig.test.store.outbox.list({ limit: 10 })).map(
      ({ purpose, status }) => `${purpose} ${status}`,
    );
    expect(purposes.toSorted()).toEqual(["draft sent", "final sent"]);
  });

  it("stays away until there is content", async () => {
    const gate = Promise.withResolvers<void>();
    const runner = scriptedRunner(async function* () {
      await gate.promise;
      yield { type: "text-delta", text: "at last" };
      yield done;
    });
    const rig = await start(edited, { runner });
    await rig.channel.say({ text: "hi" });
    await vi.waitFor(() => expect(runner.contexts).toHaveLength(1));
    expect(rig.platform.calls).toEqual([]);
    gate.resolve();
    await rig.settled();
    expect(rig.platform.seen("dm")).toEqual(["at last"]);
  });

  const faults: readonly (readonly [string, PlatformFault])[] = [
    ["the message to edit is gone", "gone"],
    ["the edit is refused for good", "refuse"],
    ["the connection failed before the edit was written", "drop_before"],
    ["the answer to the edit was lost", "drop_after"],
  ];
  it.each(faults)("final edit, %s: the full text is seen once", async (_name, fault) => {
    const { runner, goOn } = twoSteps("hello", ending);
    const rig = await start(edited, { runner });
    await rig.channel.say({ text: "hi" });
    await shown(rig, "hello");
    if (fault === "gone") for (const { id } of rig.platform.messages("dm")) rig.platform.remove(id);
    rig.platform.failNext("edit", fault);
    goOn();
    await rig.settled();
    const full = rig.platform.seen("dm").filter((text) => text === "hello world");
    expect(full).toHaveLength(1);
  });

  it.each([
    ["silence", [{ type: "done", outcome: "completed" }] as readonly AgentEvent[], []],
    [
      "a failure",
      [{ type: "done", outcome: "failed", error: { code: "runner_refused" } }] as readonly AgentEvent[],
      [FAILURE_NOTICES.refused.text],
    ],
  ])("%s after a draft leaves no draft behind", async (name, last, seen) => {
    const { runner, goOn } = twoSteps(name === "silence" ? "NO_REPLY but" : "hello", last);
    const rig = await start(edited, { runner });
    await rig.channel.say({ text: "hi" });
    await vi.waitFor(() => expect(rig.platform.seen("dm")).toHaveLength(1));
    goOn();
    await rig.settled();
    // A text that only began like the token is an answer.
    expect(rig.platform.seen("dm")).toEqual(name === "silence" ? ["NO_REPLY but"] : seen);
  });

  it("is taken away when the turn is stopped", async () => {
    const { runner } = twoSteps("hello", []);
    const rig = await start(edited, { runner });
    await rig.channel.say({ text: "hi" });
    await shown(rig, "hello");
    await rig.channel.say({ text: "/stop" });
    await rig.settled();
    expect(rig.platform.seen("dm")).toEqual(["Stopped."]);
  });

  it("is marked as stopped where messages cannot be deleted", async () => {
    const { runner } = twoSteps("hello", []);
    const rig = await start(edited, { runner }, { deletes: false });
    await rig.channel.say({ text: "hi" });
    await shown(rig, "hello");
    await rig.channel.say({ text: "/stop" });
    await rig.settled();
    expect(rig.platform.seen("dm").toSorted()).toEqual(["Stopped.", "hello… (stopped)"]);
  });
});

describe("a draft of the platform's own", () => {
  it("is shown while the answer grows, and the final is one new message", async () => {
    const { runner, goOn } = twoSteps("hello", ending);
    const rig = await start(native, { runner });
    await rig.channel.say({ text: "hi" });
    await vi.waitFor(() => expect(methods(rig)).toEqual(["draft"]));
    expect(rig.platform.seen("dm")).toEqual([]);
    goOn();
    await rig.settled();
    expect(rig.platform.seen("dm")).toEqual(["hello world"]);
    expect(methods(rig)).toEqual(["draft", "send"]);
  });
});

describe("typing", () => {
  it("starts with the run and ends with the turn", async () => {
    const { runner, goOn } = twoSteps("hello", ending);
    const rig = await start(
      { direct: "none", group: "none", channel: "none" },
      { runner },
      { typing: true, typingRefreshMs: 20 },
    );
    await rig.channel.say({ text: "hi" });
    await vi.waitFor(() => expect(methods(rig).length).toBeGreaterThanOrEqual(2));
    expect(new Set(methods(rig))).toEqual(new Set(["typing"]));
    goOn();
    await rig.settled();
    const before = rig.platform.calls.length;
    await rig.channel.say({ text: "unmentioned", chat: "room", chatKind: "group" });
    await rig.settled();
    expect(rig.platform.calls.length).toBe(before);
  });
});
