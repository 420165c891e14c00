import fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  createDraftSession,
  type DraftSession,
  type DraftSessionOptions,
  type DraftTransport,
} from "./draft-session.ts";
import { createManualClock, type ManualClock } from "./manual-clock.ts";

interface Draft {
  readonly clock: ManualClock;
  readonly session: DraftSession;
  /** Calls to the platform with their times, ms. */
  readonly calls: string[];
}

function draft(transport: Partial<DraftTransport> = {}, options: Partial<DraftSessionOptions> = {}): Draft {
  const clock = createManualClock();
  const calls: string[] = [];
  const note = (call: string): number => calls.push(`${call} @${clock.monotonic()}`);
  const full: DraftTransport = {
    open: (text) => {
      note(`open ${text}`);
      return transport.open?.(text) ?? Promise.resolve("sent");
    },
    update: (text) => {
      note(`update ${text}`);
      return transport.update?.(text) ?? Promise.resolve("ok");
    },
    close: () => {
      note("close");
      return transport.close?.() ?? Promise.resolve();
    },
  };
  return { clock, calls, session: createDraftSession({ clock, transport: full, throttleMs: 1000, ...options }) };
}

describe("a draft opens", () => {
  it.each([
    { name: "not without content", texts: ["", " ", "\n"], calls: [] },
    { name: "not while it may become the silent token", texts: ["N", "NO", "NO_REP", "NO_REPLY"], calls: [] },
    {
      name: "as soon as it cannot be the silent token any more",
      texts: ["NO", "NO_", "NO way"],
      calls: ["open NO way @0"],
    },
    { name: "with the first content", texts: ["H", "He"], calls: ["open H @0", "update He @1000"] },
  ])("$name", async ({ texts, calls }) => {
    const { clock, session, calls: made } = draft();
    for (const text of texts) session.push(text);
    await clock.advance(1000);
    expect(made).toEqual(calls);
  });

  it("not before there is enough to read", async () => {
    const { clock, session, calls } = draft({}, { minInitialChars: 5 });
    session.push("Four");
    await clock.advance(5000);
    expect(calls).toEqual([]);
    session.push("Fives");
    await clock.advance(0);
    expect(calls).toEqual(["open Fives @5000"]);
  });
});

describe("a live draft", () => {
  it("shows the newest text at its pace, and always the last one", async () => {
    const { clock, session, calls } = draft();
    for (let index = 1; index <= 2000; index += 1) {
      session.push(`${index}`);
      if (index % 400 === 0) await clock.advance(1000);
    }
    await clock.advance(10_000);
    expect(calls).toEqual([
      "open 1 @0",
      "update 400 @1000",
      "update 800 @2000",
      "update 1200 @3000",
      "update 1600 @4000",
      "update 2000 @5000",
    ]);
    expect(clock.pendingTimers).toBe(0);
  });

  it("sends equal text once", async () => {
    const { clock, session, calls } = draft();
    session.push("same");
    await clock.advance(1000);
    session.push("same");
    await clock.advance(5000);
    expect(calls).toEqual(["open same @0"]);
  });

  it.each([
    { answer: "not_modified" as const, calls: ["open a @0", "update ab @1000"] },
    { answer: "retry" as const, calls: ["open a @0", "update ab @1000", "update ab @2000", "update ab @3000"] },
    { answer: "gone" as const, calls: ["open a @0", "update ab @1000"] },
  ])("takes the answer $answer as what it is", async ({ answer, calls }) => {
    const { clock, session, calls: made } = draft({ update: () => Promise.resolve(answer) });
    session.push("a");
    await clock.advance(0);
    session.push("ab");
    await clock.advance(3000);
    expect(made).toEqual(calls);
    expect(session.state()).toBe(answer === "gone" ? "gone" : "live");
  });

  it("never has two calls under way", async () => {
    const { promise, resolve } = Promise.withResolvers<"sent">();
    const { clock, session, calls } = draft({ open: () => promise });
    session.push("a");
    await clock.advance(5000);
    session.push("ab");
    session.push("abc");
    expect(calls).toEqual(["open a @0"]);
    resolve("sent");
    await clock.advance(0);
    expect(calls).toEqual(["open a @0", "update abc @5000"]);
  });

  it("freezes at its limit: what is shown stays, nothing else is opened", async () => {
    const { clock, session, calls } = draft({}, { limit: 5 });
    session.push("12345");
    await clock.advance(1000);
    session.push("123456");
    session.push("1234567");
    await clock.advance(5000);
    expect(calls).toEqual(["open 12345 @0"]);
    expect(session.state()).toBe("frozen");
    await expect(session.finish()).resolves.toBe("live");
  });

  it("measures its limit as the platform does", async () => {
    const { clock, session, calls } = draft({}, { limit: 2, measure: (text) => Array.from(text).length });
    session.push("😀😀");
    await clock.advance(0);
    expect(calls).toEqual(["open 😀😀 @0"]);
  });
});

describe("a draft ends", () => {
  const endings: readonly {
    readonly name: string;
    readonly transport?: Partial<DraftTransport>;
    readonly texts: readonly string[];
    readonly end: "finish" | "cancel";
    readonly result: string | undefined;
    readonly state: string;
    readonly calls: readonly string[];
  }[] = [
    {
      name: "final, with a message to edit",
      texts: ["a"],
      end: "finish",
      result: "live",
      state: "final",
      calls: ["open a @0"],
    },
    { name: "final, without anything shown", texts: [], end: "finish", result: "none", state: "final", calls: [] },
    { name: "final, as silence", texts: ["NO_REPLY"], end: "finish", result: "none", state: "final", calls: [] },
    {
      name: "final, when it could not be opened",
      transport: { open: () => Promise.resolve("failed") },
      texts: ["a"],
      end: "finish",
      result: "none",
      state: "gone",
      calls: ["open a @0"],
    },
    {
      name: "final, when opening threw",
      transport: { open: () => Promise.reject(new Error("no")) },
      texts: ["a"],
      end: "finish",
      result: "none",
      state: "gone",
      calls: ["open a @0"],
    },
    {
      name: "cancelled, and is taken away",
      texts: ["a"],
      end: "cancel",
      result: undefined,
      state: "cancelled",
      calls: ["open a @0", "close @0"],
    },
    {
      name: "cancelled, with nothing to take away",
      texts: [],
      end: "cancel",
      result: undefined,
      state: "cancelled",
      calls: [],
    },
    {
      name: "cancelled, when taking it away failed",
      transport: { close: () => Promise.reject(new Error("no")) },
      texts: ["a"],
      end: "cancel",
      result: undefined,
      state: "cancelled",
      calls: ["open a @0", "close @0"],
    },
  ];

  it.each(endings)("$name", async ({ transport, texts, end, result, state, calls }) => {
    const { clock, session, calls: made } = draft(transport);
    for (const text of texts) session.push(text);
    await expect(session[end]()).resolves.toBe(result);
    expect(session.state()).toBe(state);
    // Whatever comes behind the end changes nothing.
    session.push("late");
    await session.finish();
    await session.cancel();
    await clock.advance(10_000);
    expect(made).toEqual(calls);
    expect(clock.pendingTimers).toBe(0);
  });

  it("after the call under way, and with no update behind it", async () => {
    const { promise, resolve } = Promise.withResolvers<"ok">();
    const { clock, session, calls } = draft({ update: () => promise });
    session.push("a");
    await clock.advance(1000);
    session.push("ab");
    await clock.advance(0);
    session.push("abc");
    const finished = session.finish();
    let isOver = false;
    void finished.then(() => (isOver = true));
    await clock.advance(5000);
    expect(isOver).toBe(false);
    resolve("ok");
    await expect(finished).resolves.toBe("live");
    await clock.advance(10_000);
    expect(calls).toEqual(["open a @0", "update ab @1000"]);
  });

  it("exactly once, in whatever order things happen", async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant("push" as const), length: fc.integer({ min: 0, max: 12 }) }),
      fc.record({ kind: fc.constant("wait" as const), ms: fc.integer({ min: 0, max: 2500 }) }),
      fc.record({ kind: fc.constantFrom("finish" as const, "cancel" as const) }),
    );
    const answer = fc.constantFrom("ok" as const, "not_modified" as const, "gone" as const, "retry" as const);
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 20 }),
        fc.infiniteStream(answer),
        fc.boolean(),
        async (steps, answers, opens) => {
          const { clock, session, calls } = draft(
            {
              open: () => Promise.resolve(opens ? "sent" : "failed"),
              update: () => Promise.resolve(answers.next().value ?? "ok"),
            },
            { limit: 10 },
          );
          for (const next of steps) {
            if (next.kind === "push") session.push("x".repeat(next.length));
            else if (next.kind === "wait") await clock.advance(next.ms);
            else await session[next.kind]();
          }
          await session.cancel();
          const { length } = calls;
          await clock.advance(60_000);
          expect(calls).toHaveLength(length);
          expect(clock.pendingTimers).toBe(0);
          expect(["final", "cancelled", "gone"]).toContain(session.state());
          expect(calls.filter((call) => call.startsWith("open")).length).toBeLessThanOrEqual(1);
          expect(calls.filter((call) => call.startsWith("close")).length).toBeLessThanOrEqual(1);
          expect(calls.slice(0, -1).some((call) => call.startsWith("close"))).toBe(false);
        },
      ),
      { numRuns: 300 },
    );
  });
});
