import { describe, expect, it } from "vitest";

import { createManualClock } from "./manual-clock.ts";

describe("the manual clock", () => {
  it("fires timers in the order of their times, each at its own time", async () => {
    const clock = createManualClock(1000);
    const fired: string[] = [];
    for (const [name, delayMs] of [
      ["late", 30],
      ["early", 10],
      ["early too", 10],
      ["never", 31],
    ] as const) {
      clock.setTimer(() => fired.push(`${name} at ${clock.now()}`), delayMs);
    }
    await clock.advance(30);
    expect(fired).toEqual(["early at 1010", "early too at 1010", "late at 1030"]);
    expect([clock.now(), clock.monotonic(), clock.pendingTimers]).toEqual([1030, 30, 1]);
  });

  it("fires timers that timers set, when they are due in the same stretch", async () => {
    const clock = createManualClock();
    const times: number[] = [];
    const tick = (): void => {
      times.push(clock.monotonic());
      clock.setTimer(tick, 10);
    };
    clock.setTimer(tick, 0);
    await clock.advance(25);
    expect(times).toEqual([0, 10, 20]);
  });

  it("lets promises run on between two timers", async () => {
    const clock = createManualClock();
    const order: string[] = [];
    const later = async (name: string): Promise<void> => {
      await Promise.resolve();
      await Promise.resolve();
      order.push(name);
    };
    clock.setTimer(() => void later("after the first"), 1);
    clock.setTimer(() => order.push("second"), 2);
    await clock.advance(2);
    expect(order).toEqual(["after the first", "second"]);
  });

  it("forgets cancelled timers", async () => {
    const clock = createManualClock();
    const fired: string[] = [];
    const cancel = clock.setTimer(() => fired.push("cancelled"), 1);
    cancel();
    cancel();
    await clock.advance(10);
    expect(fired).toEqual([]);
    expect(clock.pendingTimers).toBe(0);
  });

  it("jumps in wall time without firing anything or moving the monotonic time", async () => {
    const clock = createManualClock(0);
    const fired: number[] = [];
    clock.setTimer(() => fired.push(clock.now()), 10);
    clock.jump(3_600_000);
    expect([clock.now(), clock.monotonic(), fired]).toEqual([3_600_000, 0, []]);
    clock.jump(-7_200_000);
    await clock.advance(10);
    expect([clock.now(), clock.monotonic(), fired]).toEqual([-3_599_990, 10, [-3_599_990]]);
  });
});
