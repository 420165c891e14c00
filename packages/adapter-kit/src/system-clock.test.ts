import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { createSystemClock } from "./system-clock.ts";

describe("the system clock", () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 5000 });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("tells wall time and calls back after the delay", () => {
    const clock = createSystemClock();
    const fired: number[] = [];
    clock.setTimer(() => fired.push(clock.now()), 1000);
    vi.advanceTimersByTime(999);
    expect(fired).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(fired).toEqual([6000]);
  });

  it("keeps delays that are longer than a timer of Node, and cancels them in any stretch", () => {
    const clock = createSystemClock();
    const fired: string[] = [];
    const dayMs = 86_400_000;
    clock.setTimer(() => fired.push("after 60 days"), 60 * dayMs);
    const cancel = clock.setTimer(() => fired.push("cancelled"), 60 * dayMs);
    vi.advanceTimersByTime(30 * dayMs);
    cancel();
    vi.advanceTimersByTime(30 * dayMs - 1);
    expect(fired).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(fired).toEqual(["after 60 days"]);
  });

  it("takes a negative delay as none", () => {
    const fired: string[] = [];
    createSystemClock().setTimer(() => fired.push("now"), -5);
    vi.advanceTimersByTime(1);
    expect(fired).toEqual(["now"]);
  });
});

it("has a monotonic time that goes on", async () => {
  const clock = createSystemClock();
  const before = clock.monotonic();
  await expect.poll(() => clock.monotonic()).toBeGreaterThan(before);
});
