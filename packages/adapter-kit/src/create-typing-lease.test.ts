import { describe, expect, it } from "vitest";

import { createManualClock, type ManualClock } from "./manual-clock.ts";
import { createTypingLease, type TypingLease } from "./create-typing-lease.ts";

interface Shown {
  readonly clock: ManualClock;
  readonly lease: TypingLease;
  /** When each call was made, ms after the start. */
  readonly calls: number[];
  readonly signals: AbortSignal[];
}

function lease(show: (signal: AbortSignal) => Promise<unknown> = () => Promise.resolve()): Shown {
  const clock = createManualClock();
  const calls: number[] = [];
  const signals: AbortSignal[] = [];
  const typing = createTypingLease({
    clock,
    refreshMs: 4000,
    maxMs: 60_000,
    show: (signal) => {
      calls.push(clock.monotonic());
      signals.push(signal);
      return show(signal);
    },
  });
  return { clock, lease: typing, calls, signals };
}

describe("the typing lease", () => {
  it("shows at once and again under the platform's expiry", async () => {
    const { clock, calls } = lease();
    await clock.advance(9000);
    expect(calls).toEqual([0, 4000, 8000]);
  });

  const endings: readonly { readonly name: string; readonly end: (shown: Shown) => Promise<void> | void }[] = [
    { name: "stop", end: ({ lease: typing }) => typing.stop() },
    {
      name: "stop, twice",
      end: (shown) => {
        shown.lease.stop();
        shown.lease.stop();
      },
    },
    {
      name: "stop during a pause",
      end: ({ lease: typing }) => {
        typing.pause();
        typing.stop();
        typing.resume();
      },
    },
    { name: "its longest time", end: ({ clock }) => clock.advance(51_000) },
    {
      name: "its longest time during a pause",
      end: async ({ lease: typing, clock }) => {
        typing.pause();
        await clock.advance(51_000);
        typing.resume();
      },
    },
  ];

  it.each(endings)("is over after $name: no call, no timer", async ({ end }) => {
    const shown = lease();
    await shown.clock.advance(9000);
    await end(shown);
    const { length } = shown.calls;
    await shown.clock.advance(600_000);
    expect(shown.calls).toHaveLength(length);
    expect(shown.clock.pendingTimers).toBe(0);
    expect(shown.lease.isActive()).toBe(false);
  });

  it("is silent during a pause and shows at once after it", async () => {
    const { clock, lease: typing, calls } = lease();
    await clock.advance(1000);
    typing.pause();
    await clock.advance(20_000);
    typing.resume();
    typing.resume();
    await clock.advance(5000);
    expect(calls).toEqual([0, 21_000, 25_000]);
  });

  it.each(["rejects", "throws"])("goes on when a call %s", async (how) => {
    const { clock, calls } = lease(() => {
      if (how === "throws") throw new Error("no connection");
      return Promise.reject(new Error("no connection"));
    });
    await clock.advance(4000);
    expect(calls).toEqual([0, 4000]);
  });

  it("never has two calls under way, and aborts the one there is when it stops", async () => {
    const { clock, lease: typing, calls, signals } = lease(() => new Promise(() => {}));
    await clock.advance(30_000);
    expect(calls).toEqual([0]);
    typing.stop();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it("resumed while an aborted call still ends, shows when it has ended", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { clock, lease: typing, calls } = lease(() => promise);
    await clock.advance(1000);
    typing.pause();
    typing.resume();
    expect(calls).toEqual([0]);
    resolve();
    await clock.advance(1000);
    expect(calls).toEqual([0, 1000]);
  });
});
