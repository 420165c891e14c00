import { describe, expect, it } from "vitest";

import { createTurnScope } from "./create-turn-scope.ts";

describe("the scope of a turn", () => {
  it("aborts once, and the first reason counts", () => {
    const scope = createTurnScope();
    let aborts = 0;
    scope.signal.addEventListener("abort", () => (aborts += 1));
    expect(scope.signal.aborted).toBe(false);
    scope.abort("stop");
    scope.abort("shutdown");
    expect([scope.signal.aborted, scope.signal.reason, aborts]).toEqual([true, "stop", 1]);
  });

  it("releases everything once, newest first, one after the other", async () => {
    const order: string[] = [];
    const scope = createTurnScope();
    scope.onRelease(() => void order.push("oldest"));
    scope.onRelease(async () => {
      await Promise.resolve();
      order.push("slow");
    });
    scope.onRelease(() => void order.push("newest"));
    await Promise.all([scope.release(), scope.release()]);
    await scope.release();
    expect(order).toEqual(["newest", "slow", "oldest"]);
  });

  it("resolves only when the last release has ended", async () => {
    const scope = createTurnScope();
    let end = (): void => {};
    scope.onRelease(
      async () =>
        new Promise<void>((resolve) => {
          end = resolve;
        }),
    );
    let isReleased = false;
    const releasing = scope.release().then(() => (isReleased = true));
    await Promise.resolve();
    expect(isReleased).toBe(false);
    end();
    await releasing;
    expect(isReleased).toBe(true);
  });

  it("goes on behind a release that fails, and tells of it", async () => {
    const told: unknown[] = [];
    const order: string[] = [];
    const scope = createTurnScope((error) => void told.push(error));
    const boom = new Error("boom");
    scope.onRelease(() => void order.push("first"));
    scope.onRelease(() => {
      throw boom;
    });
    scope.onRelease(async () => Promise.reject(boom));
    await scope.release();
    expect([order, told]).toEqual([["first"], [boom, boom]]);
    await expect(createTurnScope().release()).resolves.toBeUndefined();
  });

  it("forgets what was unregistered", async () => {
    const order: string[] = [];
    const scope = createTurnScope();
    const keep = scope.onRelease(() => void order.push("kept"));
    const forget = scope.onRelease(() => void order.push("forgotten"));
    forget();
    forget();
    await scope.release();
    keep();
    expect(order).toEqual(["kept"]);
  });

  it("releases at once what comes after it was closed", async () => {
    const told: unknown[] = [];
    const order: string[] = [];
    const scope = createTurnScope((error) => void told.push(error));
    await scope.release();
    const forget = scope.onRelease(() => void order.push("late"));
    scope.onRelease(() => {
      throw new Error("late failure");
    });
    await Promise.resolve();
    expect(order).toEqual(["late"]);
    expect(told).toHaveLength(1);
    expect(() => forget()).not.toThrow();
  });
});
