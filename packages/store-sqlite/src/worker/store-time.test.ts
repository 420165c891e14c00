import { describe, expect, test } from "vitest";

import { momentFrom, nextMoment } from "./store-time.ts";

const HOUR_MS = 3_600_000;
const start = momentFrom({ nowMs: 10 * HOUR_MS, monotonicMs: 0 }, 0);

describe("the store's time", () => {
  test.each([
    { jump: "none", nowMs: 10 * HOUR_MS + 5, dueMs: 10 * HOUR_MS + 5 },
    { jump: "an hour forward", nowMs: 11 * HOUR_MS + 5, dueMs: 11 * HOUR_MS + 5 },
    { jump: "an hour back", nowMs: 9 * HOUR_MS + 5, dueMs: 10 * HOUR_MS + 5 },
  ])("5 ms later, wall clock jumped: $jump", ({ nowMs, dueMs }) => {
    expect(nextMoment(start, { nowMs, monotonicMs: 5 })).toMatchObject({
      nowMs,
      dueMs,
      aheadMs: dueMs - nowMs,
    });
  });

  test("moves on in steps of less than a millisecond while the wall clock is behind", () => {
    let moment = start;
    for (let step = 1; step <= 100; step += 1) {
      moment = nextMoment(moment, { nowMs: 9 * HOUR_MS, monotonicMs: step / 10 });
    }
    expect(moment.exactDueMs).toBeCloseTo(10 * HOUR_MS + 10);
  });

  test("goes on from what was stored when the wall clock was set back while nothing ran", () => {
    const moment = momentFrom({ nowMs: 9 * HOUR_MS, monotonicMs: 70 }, 10 * HOUR_MS);
    expect(nextMoment(moment, { nowMs: 9 * HOUR_MS, monotonicMs: 80 }).dueMs).toBe(10 * HOUR_MS + 10);
  });
});
