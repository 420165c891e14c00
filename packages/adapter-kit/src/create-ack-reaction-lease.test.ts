import { describe, expect, it } from "vitest";

import { type AckEnding, createAckReactionLease } from "./create-ack-reaction-lease.ts";

describe("the ack reaction", () => {
  it.each<{
    readonly name: string;
    readonly ending: AckEnding;
    readonly done?: string;
    readonly failed?: string;
    readonly calls: readonly (string | null)[];
  }>([
    { name: "is swapped when the turn is done", ending: "done", done: "✅", failed: "❌", calls: ["👀", "✅"] },
    { name: "is swapped when the turn failed", ending: "failed", done: "✅", failed: "❌", calls: ["👀", "❌"] },
    { name: "is removed when nothing stands for the end", ending: "done", failed: "❌", calls: ["👀", null] },
    { name: "is removed when nothing is to be seen", ending: "none", done: "✅", failed: "❌", calls: ["👀", null] },
    { name: "stays when the end looks the same", ending: "done", done: "👀", calls: ["👀"] },
  ])("$name", async ({ ending, done, failed, calls }) => {
    const made: (string | null)[] = [];
    const lease = createAckReactionLease({
      working: "👀",
      done,
      failed,
      set: (emoji) => Promise.resolve(made.push(emoji)),
    });
    await lease.settle(ending);
    expect(made).toEqual(calls);
  });

  it("ends once, after the call that put it there", async () => {
    const made: (string | null)[] = [];
    const waiting: (() => void)[] = [];
    const set = (emoji: string | null): Promise<void> => {
      made.push(emoji);
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push(resolve);
      return promise;
    };
    const lease = createAckReactionLease({ working: "👀", done: "✅", set });
    const endings = [lease.settle("done"), lease.settle("failed")];
    await Promise.resolve();
    expect(made).toEqual(["👀"]);
    waiting[0]?.();
    await expect.poll(() => made).toEqual(["👀", "✅"]);
    waiting[1]?.();
    await Promise.all(endings);
    expect(made).toEqual(["👀", "✅"]);
  });

  it.each(["rejects", "throws"])("has no follower when the first call %s", async (how) => {
    const made: (string | null)[] = [];
    const lease = createAckReactionLease({
      working: "👀",
      done: "✅",
      set: (emoji) => {
        made.push(emoji);
        if (how === "throws") throw new Error("not allowed here");
        return Promise.reject(new Error("not allowed here"));
      },
    });
    await lease.settle("done");
    expect(made).toEqual(["👀"]);
  });
});
