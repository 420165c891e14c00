import type { AgentEvent, AgentRunContext, Clock } from "@turnwire/turn-ports";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { createEchoRunner } from "./echo-runner.ts";

const steer = { take: () => Promise.resolve([]) };

function contextOf(text: string): AgentRunContext {
  return {
    turnId: "t1",
    attempt: 1,
    agent: { id: "main", name: "Ada" },
    session: { key: "agent:main:main", generation: 0 },
    message: { BodyForAgent: text, Body: "not this", CommandAuthorized: false },
    transcript: [],
    history: [],
    tools: [],
    limits: { maxSteps: 1, maxOutputTokens: 1, timeoutMs: 1 },
  };
}

async function eventsOf(text: string, signal = new AbortController().signal): Promise<readonly AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of createEchoRunner().run(contextOf(text), { signal, steer })) events.push(event);
  return events;
}

function textOf(events: readonly AgentEvent[]): string {
  return events.map((event) => (event.type === "text-delta" ? event.text : "")).join("");
}

/** A clock whose timers fire when the test says so. */
function manualClock(): { readonly clock: Clock; readonly pending: (() => void)[] } {
  const pending: (() => void)[] = [];
  const clock: Clock = {
    now: () => 0,
    monotonic: () => 0,
    setTimer(callback) {
      pending.push(callback);
      return () => {
        const index = pending.indexOf(callback);
        if (index >= 0) pending.splice(index, 1);
      };
    },
  };
  return { clock, pending };
}

describe("createEchoRunner", () => {
  it("streams word by word, then tells usage and that it is done", async () => {
    expect(await eventsOf("hello  big world")).toEqual([
      { type: "text-delta", text: "hello" },
      { type: "text-delta", text: "  big" },
      { type: "text-delta", text: " world" },
      { type: "usage", inputTokens: 3, outputTokens: 3 },
      { type: "done", outcome: "completed" },
    ]);
  });

  it("joins to exactly the text, whatever it holds, and ends with one done", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(" ", "\n", "\u00A0", "a", "é", "👍") })),
        async (text) => {
          const events = await eventsOf(text);
          expect(textOf(events)).toBe(text);
          expect(events.filter((event) => event.type === "done")).toHaveLength(1);
          expect(events.at(-1)?.type).toBe("done");
        },
      ),
    );
  });

  it("says nothing after its abort", async () => {
    expect(await eventsOf("hello", AbortSignal.abort())).toEqual([]);
  });

  it("waits on the injected clock before each word, and an abort ends the wait", async () => {
    const { clock, pending } = manualClock();
    const controller = new AbortController();
    const run = createEchoRunner({ clock, delayMs: 50 }).run(contextOf("one two"), {
      signal: controller.signal,
      steer,
    });
    const iterator = run[Symbol.asyncIterator]();

    const first = iterator.next();
    expect(pending).toHaveLength(1);
    pending[0]?.();
    expect(await first).toEqual({ done: false, value: { type: "text-delta", text: "one" } });

    const second = iterator.next();
    await Promise.resolve();
    controller.abort();
    expect(await second).toEqual({ done: true, value: undefined });
    expect(pending).toHaveLength(0);
  });
});
