import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { createManualClock, type ManualClock } from "./manual-clock.ts";
import {
  createOutboundBudget,
  type OutboundBudget,
  type OutboundBudgetOptions,
  type OutboundRequest,
} from "./outbound-budget.ts";

interface Bench {
  readonly clock: ManualClock;
  readonly budget: OutboundBudget;
  /** Names of granted requests with their times, ms; superseded and rejected ones are marked. */
  readonly log: string[];
  readonly ask: (name: string, request?: Partial<OutboundRequest>) => void;
}

function bench(options: Partial<OutboundBudgetOptions> = {}): Bench {
  const clock = createManualClock();
  const budget = createOutboundBudget({ clock, perBotPerSecond: 30, perChatPerSecond: 1, ...options });
  const log: string[] = [];
  const ask: Bench["ask"] = (name, request = {}) => {
    const { signal } = new AbortController();
    budget
      .take({ chat: "a", chatKind: "direct", priority: "final", signal, ...request })
      .then((result) => log.push(result === "granted" ? `${name} ${clock.monotonic()}` : `${name} ${result}`))
      .catch((error: unknown) => log.push(`${name} ${(error as Error).message}`));
  };
  return { clock, budget, log, ask };
}

/** Takes the burst of a chat, so that what comes next has to wait. */
function exhaust({ budget }: Bench, chat = "a"): void {
  while (budget.tryTake({ chat, chatKind: "direct" }));
}

describe("the outbound budget", () => {
  it("lets a short burst pass, then keeps the chat's rate", async () => {
    const { clock, log, ask } = bench();
    for (const name of ["1", "2", "3", "4", "5"]) ask(name);
    await clock.advance(3000);
    expect(log).toEqual(["1 0", "2 0", "3 0", "4 1000", "5 2000"]);
  });

  it("keeps the bot's rate over all chats", async () => {
    const { clock, log, ask } = bench({ perBotPerSecond: 2 });
    for (const chat of ["a", "b", "c", "d"]) ask(chat, { chat });
    await clock.advance(2000);
    expect(log).toEqual(["a 0", "b 0", "c 500", "d 1000"]);
  });

  it("keeps the rate of groups as well", async () => {
    const { clock, log, ask } = bench({ perChatPerSecond: 10, perGroupPerMinute: 2 });
    for (const name of ["1", "2", "3"]) ask(name, { chatKind: "group" });
    ask("direct", { chat: "b" });
    await clock.advance(30_000);
    expect(log).toEqual(["1 0", "2 0", "direct 0", "3 30000"]);
  });

  it("grants finals before edits before typing, and each in order", async () => {
    const at = bench();
    exhaust(at);
    at.ask("typing", { priority: "typing" });
    at.ask("edit 1", { priority: "edit" });
    at.ask("edit 2", { priority: "edit" });
    at.ask("final");
    await at.clock.advance(4000);
    expect(at.log).toEqual(["final 1000", "edit 1 2000", "edit 2 3000", "typing 4000"]);
  });

  it("grants finals of one chat before edits of another when the bot's rate is the limit", async () => {
    const { clock, log, ask } = bench({ perBotPerSecond: 1 });
    ask("first");
    ask("edit", { priority: "edit", chat: "b" });
    ask("final", { chat: "c" });
    await clock.advance(2000);
    expect(log).toEqual(["first 0", "final 1000", "edit 2000"]);
  });

  it("grants only the newest of a slot", async () => {
    const at = bench();
    exhaust(at);
    for (const name of ["1", "2", "3"]) at.ask(name, { priority: "edit", slot: "draft" });
    at.ask("other", { priority: "edit", slot: "another draft" });
    await at.clock.advance(2000);
    expect(at.log).toEqual(["1 superseded", "2 superseded", "3 1000", "other 2000"]);
  });

  it("pauses one chat, and no other", async () => {
    const { clock, budget, log, ask } = bench();
    budget.pause("chat", "a", 5000);
    ask("a");
    ask("b", { chat: "b" });
    await clock.advance(5000);
    expect(log).toEqual(["b 0", "a 5000"]);
  });

  it("pauses the whole bot; a shorter pause does not end a longer one", async () => {
    const { clock, budget, log, ask } = bench();
    budget.pause("bot", "a", 5000);
    budget.pause("bot", "a", 1000);
    ask("a");
    ask("b", { chat: "b" });
    expect(budget.tryTake({ chat: "c", chatKind: "direct" })).toBe(false);
    await clock.advance(5000);
    expect(log).toEqual(["a 5000", "b 5000"]);
  });

  it("gives an aborted request's turn to the next", async () => {
    const at = bench();
    exhaust(at);
    const stop = new AbortController();
    at.ask("stopped", { signal: stop.signal });
    at.ask("next");
    stop.abort(new Error("turn over"));
    at.ask("too late", { signal: stop.signal });
    await at.clock.advance(2000);
    expect(at.log.toSorted()).toEqual(["next 1000", "stopped turn over", "too late turn over"]);
  });

  it("rejects what waits and what comes when it is closed, and leaves no timer", async () => {
    const at = bench();
    exhaust(at);
    at.ask("waiting");
    at.budget.close();
    at.ask("late");
    await at.clock.advance(0);
    expect(at.log).toHaveLength(2);
    expect(at.log.every((line) => line.includes("closed"))).toBe(true);
    expect(at.clock.pendingTimers).toBe(0);
    const { signal } = new AbortController();
    await expect(at.budget.take({ chat: "a", chatKind: "direct", priority: "final", signal })).rejects.toMatchObject({
      code: "budget_closed",
    });
  });

  it("does not jump the queue when asked to take at once", async () => {
    const at = bench();
    exhaust(at);
    at.ask("waiting");
    await at.clock.advance(999);
    expect(at.budget.tryTake({ chat: "a", chatKind: "direct" })).toBe(false);
    await at.clock.advance(1);
    expect(at.log).toEqual(["waiting 1000"]);
  });

  it("loses no request, whatever comes together: each is granted, superseded or rejected", async () => {
    const request = fc.record({
      chat: fc.constantFrom("a", "b", "c"),
      priority: fc.constantFrom("final" as const, "edit" as const, "typing" as const),
      slot: fc.constantFrom(undefined, "s", "t"),
      abort: fc.boolean(),
      afterMs: fc.integer({ min: 0, max: 700 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(request, { maxLength: 30 }), async (requests) => {
        const at = bench({ perBotPerSecond: 3 });
        for (const [index, { afterMs, abort, ...rest }] of requests.entries()) {
          const stop = new AbortController();
          at.ask(String(index), { ...rest, signal: stop.signal });
          await at.clock.advance(afterMs);
          if (abort) stop.abort(new Error("aborted"));
        }
        await at.clock.advance(120_000);
        expect(at.log).toHaveLength(requests.length);
        expect(at.clock.pendingTimers).toBe(0);
        // Three at once and three a second: never more within any stretch of time.
        const grants = at.log.flatMap((line) => (/^\d+ \d+$/.test(line) ? [Number(line.split(" ")[1])] : []));
        for (const [index, time] of grants.entries()) {
          const within = grants.slice(index).filter((later) => later - time <= 1000).length;
          expect(within).toBeLessThanOrEqual(6);
        }
      }),
    );
  });
});
