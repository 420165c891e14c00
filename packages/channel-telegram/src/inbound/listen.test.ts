import { describe, expect, it } from "vitest";

import { cursorOf, nextConflictPauseMs, offsetOf } from "./listen.ts";

const DAY_MS = 86_400_000;

describe("the cursor", () => {
  it.each<readonly [string, string | null, number, number | undefined]>([
    ["none yet", null, 0, undefined],
    ["a fresh one", cursorOf(42, 1_000), 2_000, 42],
    ["one of six days ago", cursorOf(42, 0), 6 * DAY_MS, 42],
    ["one from before ids may have begun anew", cursorOf(42, 0), 6 * DAY_MS + 1, undefined],
    ["one that is none", "forty-two", 0, undefined],
  ])("%s", (_name, cursor, nowMs, offset) => {
    expect(offsetOf(cursor, nowMs)).toBe(offset);
  });
});

describe("pauses while another polls", () => {
  it("double from 3 s to a minute, so that at most a few calls a minute are made", () => {
    const pauses: number[] = [];
    let last: { readonly pauseMs: number; readonly atMs: number } | null = null;
    let nowMs = 0;
    for (let conflict = 0; conflict < 8; conflict += 1) {
      const pauseMs = nextConflictPauseMs(last, nowMs);
      pauses.push(pauseMs);
      last = { pauseMs, atMs: nowMs };
      nowMs += pauseMs;
    }
    expect(pauses).toEqual([3_000, 6_000, 12_000, 24_000, 48_000, 60_000, 60_000, 60_000]);
  });

  it("stay long while polls succeed only between conflicts, and are forgotten after a quiet while", () => {
    const last = { pauseMs: 60_000, atMs: 0 };
    expect(nextConflictPauseMs(last, 60_000 + 30_000)).toBe(60_000);
    expect(nextConflictPauseMs(last, 60_000 + 120_001)).toBe(3_000);
  });
});
