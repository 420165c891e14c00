import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { createManualClock } from "./manual-clock.ts";
import { createTokenBucket } from "./token-bucket.ts";

describe("the token bucket", () => {
  it("gives its burst, then its rate", async () => {
    const clock = createManualClock();
    const bucket = createTokenBucket(clock, 2, 3);
    for (let taken = 0; taken < 3; taken += 1) {
      expect(bucket.readyInMs()).toBe(0);
      bucket.take();
    }
    expect(bucket.readyInMs()).toBe(500);
    await clock.advance(500);
    expect(bucket.readyInMs()).toBe(0);
  });

  it("keeps no more than its burst, however long nothing is taken", async () => {
    const clock = createManualClock();
    const bucket = createTokenBucket(clock, 100, 2);
    await clock.advance(86_400_000);
    bucket.take();
    bucket.take();
    expect(bucket.readyInMs()).toBe(10);
  });

  it("is ready when it said it would be", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.double({ min: 0.01, max: 1000, noNaN: true }),
        fc.integer({ min: 1, max: 20 }),
        async (perSecond, takes) => {
          const clock = createManualClock();
          const bucket = createTokenBucket(clock, perSecond, 1);
          for (let taken = 0; taken < takes; taken += 1) {
            await clock.advance(bucket.readyInMs());
            expect(bucket.readyInMs()).toBe(0);
            bucket.take();
          }
        },
      ),
    );
  });
});
