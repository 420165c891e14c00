import { describe, expect, it } from "vitest";

import { createManualClock } from "./sim-clock.ts";

describe("a manual clock", () => {
  it("stands still, fires what is due in order of time, and shows the time of each", () => {
    const clock = createManualClock(1_000);
    const fired: string[] = [];
    const note = (what: string) => (): void => {
      fired.push(`${what}@${clock.now()}`);
    };
    clock.after(30, note("late"));
    clock.after(10, () => {
      note("early")();
      clock.after(10, note("chained"));
    });
    const cancel = clock.after(15, note("cancelled"));
    cancel();
    clock.advance(9);
    expect(fired).toEqual([]);
    clock.advance(20);
    expect(fired).toEqual(["early@1010", "chained@1020"]);
    clock.advance(1);
    expect(fired).toEqual(["early@1010", "chained@1020", "late@1030"]);
    expect(clock.now()).toBe(1_030);
  });

  it("fires nothing after it was closed", () => {
    const clock = createManualClock();
    let count = 0;
    clock.after(1, () => {
      count += 1;
    });
    clock.close();
    clock.advance(5);
    expect(count).toBe(0);
  });
});
