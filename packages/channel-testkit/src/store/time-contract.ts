import { describe, expect, test } from "vitest";

import { anEvent, accept, aPart } from "./sample-rows.ts";
import type { StoreUnderTest } from "./store-under-test.ts";

const HOUR_MS = 3_600_000;

/** A wall clock that jumps, as operators and NTP make it: nothing is stolen, hidden or stretched by it. */
export function describeTime(under: StoreUnderTest): void {
  const ready = async (): Promise<readonly string[]> =>
    (await under.store.inbox.ready("turn:a", 10)).map((row) => row.messageId);

  describe.each([
    { jump: "an hour back", byMs: -HOUR_MS },
    { jump: "an hour forward", byMs: HOUR_MS },
  ])("the wall clock jumps $jump", ({ byMs }) => {
    test("a lease is not stolen, and ends when its time has really passed", async () => {
      await under.store.leases.acquire("telegram:1", "node-1", 10_000);
      under.clock.jump(byMs);
      expect(await under.store.leases.acquire("telegram:1", "node-2", 10_000)).toMatchObject({ kind: "busy" });
      await under.clock.advance(10_000);
      expect(await under.store.leases.acquire("telegram:1", "node-2", 10_000)).toMatchObject({ kind: "held" });
    });

    test("what waits stays ready and in order", async () => {
      await under.store.accept(accept(anEvent(1)));
      under.clock.jump(byMs);
      await under.store.accept(accept(anEvent(2)));
      expect(await ready()).toEqual(["1", "2"]);
      expect((await under.store.lanes.ready(10)).keys).toEqual(["turn:a"]);
    });

    test("delays that begin after it are as long as before", async () => {
      under.clock.jump(byMs);
      await under.store.accept(accept(anEvent(1, { debounce: { scope: "s", mode: "wait", delayMs: 500 } })));
      expect((await under.store.lanes.ready(10)).nextAtMs).toBe(under.clock.now() + 500);
      await under.clock.advance(499);
      expect(await ready()).toEqual([]);
      await under.clock.advance(1);
      expect(await ready()).toEqual(["1"]);
    });

    test("times that a caller names are meant by the wall clock of that moment", async () => {
      under.clock.jump(byMs);
      await under.store.commit([], [{ op: "outbox.insert", row: aPart("p-1") }]);
      const notBeforeMs = under.clock.now() + 2_000;
      await under.store.commit([], [{ op: "outbox.move", id: "p-1", from: ["queued"], to: "queued", notBeforeMs }]);
      expect(await under.store.outbox.get("p-1")).toMatchObject({ notBeforeMs });
      expect(await under.store.lanes.ready(10)).toEqual({ keys: [], nextAtMs: notBeforeMs });
      await under.clock.advance(2_000);
      expect((await under.store.lanes.ready(10)).keys).toHaveLength(1);
    });
  });

  test("what waited before a restart is ready after it, though the clock was set back meanwhile", async () => {
    await under.store.accept(accept(anEvent(1)));
    await under.store.close();
    under.clock.jump(-HOUR_MS);
    await under.reopen();
    expect(await ready()).toEqual(["1"]);
    await under.store.accept(accept(anEvent(2)));
    expect(await ready()).toEqual(["1", "2"]);
  });
}
