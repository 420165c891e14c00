import type { Fence } from "@turnwire/turn-ports";
import { describe, expect, test } from "vitest";

import type { StoreUnderTest } from "./store-under-test.ts";

const NAME = "telegram:1";

/** A listener that must be single has a lease; whoever lost it writes nothing and learns of it at the next renewal. */
export function describeLeases(under: StoreUnderTest): void {
  const acquire = async (holder: string, ttlMs = 10_000): Promise<Fence> => {
    const result = await under.store.leases.acquire(NAME, holder, ttlMs);
    if (result.kind !== "held") throw new Error(`the lease should be free, ${result.holder} has it`);
    return result.fence;
  };

  describe("leases", () => {
    test("busy while it is held, naming the holder", async () => {
      await acquire("node-1");
      expect(await under.store.leases.acquire(NAME, "node-2", 10_000)).toEqual({ kind: "busy", holder: "node-1" });
      expect(await under.store.leases.acquire("telegram:2", "node-2", 10_000)).toMatchObject({ kind: "held" });
    });

    test("renewed, it goes on; not renewed, it is free at its end", async () => {
      const first = await acquire("node-1");
      await under.clock.advance(9_999);
      expect(await under.store.leases.renew(first, 10_000)).toBe(true);
      await under.clock.advance(9_999);
      expect(await under.store.leases.acquire(NAME, "node-2", 10_000)).toMatchObject({ kind: "busy" });
      await under.clock.advance(1);
      const second = await acquire("node-2");
      expect(second.epoch).toBeGreaterThan(first.epoch);
      expect(await under.store.leases.renew(first, 10_000)).toBe(false);
      await expect(under.store.commit([first], [])).rejects.toMatchObject({ code: "fenced" });
    });

    test("an overdue renewal is good as long as nobody else took it", async () => {
      const fence = await acquire("node-1");
      await under.clock.advance(60_000);
      expect(await under.store.leases.renew(fence, 10_000)).toBe(true);
      expect(await under.store.leases.acquire(NAME, "node-2", 10_000)).toMatchObject({ kind: "busy" });
    });

    test("released, it is free at once; a stale release changes nothing", async () => {
      const first = await acquire("node-1");
      await under.store.leases.release(first);
      await acquire("node-2");
      await under.store.leases.release(first);
      expect(await under.store.leases.acquire(NAME, "node-3", 10_000)).toMatchObject({
        kind: "busy",
        holder: "node-2",
      });
    });

    test("a restart ends it, and its fence", async () => {
      const first = await acquire("node-1");
      await under.reopen();
      await expect(under.store.commit([first], [])).rejects.toMatchObject({ code: "fenced" });
      await under.clock.advance(10_000);
      expect((await acquire("node-2")).epoch).toBeGreaterThan(first.epoch);
    });
  });
}
