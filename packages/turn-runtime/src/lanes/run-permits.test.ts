import { describe, expect, it } from "vitest";

import { createRunPermits } from "./run-permits.ts";

const never = new AbortController().signal;

describe("createRunPermits", () => {
  it("gives as many as there are, then first come, first served", async () => {
    const permits = createRunPermits(2);
    const order: string[] = [];
    const first = await permits.acquire(never);
    await permits.acquire(never);
    const third = permits.acquire(never).then((release) => {
      order.push("third");
      return release;
    });
    const fourth = permits.acquire(never).then((release) => {
      order.push("fourth");
      return release;
    });
    expect(permits).toMatchObject({ inUse: 2, waiting: 2 });

    first?.();
    (await third)?.();
    await fourth;
    expect(order).toEqual(["third", "fourth"]);
    expect(permits).toMatchObject({ inUse: 2, waiting: 0 });
  });

  it("counts a release only once", async () => {
    const permits = createRunPermits(1);
    const release = await permits.acquire(never);
    release?.();
    release?.();
    expect(permits.inUse).toBe(0);
  });

  it("an asker that gives up gets null and takes no permit", async () => {
    const permits = createRunPermits(1);
    const release = await permits.acquire(never);
    const stopped = new AbortController();
    const asked = permits.acquire(stopped.signal);
    stopped.abort();
    expect(await asked).toBeNull();
    release?.();
    expect(permits).toMatchObject({ inUse: 0, waiting: 0 });
    expect(await permits.acquire(AbortSignal.abort())).toBeNull();
  });
});
