import { describe, expect, test } from "vitest";

import { anEvent, accept, aPart } from "./sample-rows.ts";
import { must, type StoreUnderTest } from "./store-under-test.ts";

const QUEUE = "deliver:telegram:default:peer-1";

/** One owner of a lane at a time, provably, and no wake-up lost between the last look and the release. */
export function describeLanes(under: StoreUnderTest): void {
  const keys = async (): Promise<readonly string[]> => (await under.store.lanes.ready(100)).keys;

  describe("claims", () => {
    test("one owner at a time; the next one has a greater epoch", async () => {
      const first = await under.claim("turn:a");
      expect(await under.store.lanes.claim("turn:a", "other")).toBeNull();
      await under.store.lanes.abandon(first);
      const second = await under.claim("turn:a");
      expect(second.epoch).toBeGreaterThan(first.epoch);
    });

    test("of fifty who ask at the same time one gets it", async () => {
      const fences = await Promise.all(Array.from({ length: 50 }, () => under.store.lanes.claim("turn:a", "test")));
      expect(fences.filter((fence) => fence !== null)).toHaveLength(1);
    });

    test("lanes are independent", async () => {
      const fences = [await under.claim("turn:a"), await under.claim("turn:b")];
      expect(new Set(fences.map((fence) => fence.key)).size).toBe(2);
    });

    test("rows that a former owner left running wait again, with their attempt counted", async () => {
      await under.store.accept(accept(anEvent(1)));
      const first = await under.claim("turn:a");
      const [row] = await under.store.inbox.ready("turn:a", 1);
      await under.store.commit([first], [{ op: "inbox.run", ids: [must(row).id], turnId: "turn-1" }]);
      await under.store.lanes.abandon(first);
      expect(await keys()).toEqual(["turn:a"]);
      await under.claim("turn:a");
      expect(await under.store.inbox.ready("turn:a", 1)).toMatchObject([{ status: "waiting", attempt: 1 }]);
    });
  });

  describe("release", () => {
    test("only when there is no ready work", async () => {
      await under.store.accept(accept(anEvent(1)));
      const fence = await under.claim("turn:a");
      expect(await under.store.lanes.release(fence)).toBe(false);
      const [row] = await under.store.inbox.ready("turn:a", 1);
      await under.store.commit([fence], [{ op: "inbox.end", ids: [must(row).id], ending: "done" }]);
      expect(await under.store.lanes.release(fence)).toBe(true);
      expect(await under.store.lanes.claim("turn:a", "other")).not.toBeNull();
    });

    test("work that waits for its time does not hold the lane", async () => {
      await under.store.accept(accept(anEvent(1, { debounce: { scope: "s", mode: "wait", delayMs: 500 } })));
      const fence = await under.claim("turn:a");
      expect(await under.store.lanes.release(fence)).toBe(true);
      expect(await under.store.lanes.ready(10)).toEqual({ keys: [], nextAtMs: under.clock.now() + 500 });
    });

    test("a released fence writes nothing any more, and releasing it again is harmless", async () => {
      const fence = await under.claim("turn:a");
      expect(await under.store.lanes.release(fence)).toBe(true);
      await expect(under.store.commit([fence], [])).rejects.toMatchObject({ code: "fenced" });
      const next = await under.claim("turn:a");
      expect(await under.store.lanes.release(fence)).toBe(true);
      await under.store.lanes.abandon(fence);
      await under.store.commit([next], []);
    });

    test("no wake-up is lost: an event that lands around the release is seen by its owner or listed", async () => {
      for (let round = 0; round < 50; round += 1) {
        const lane = `turn:${round}`;
        const fence = await under.claim(lane);
        const [released] = await Promise.all([
          under.store.lanes.release(fence),
          under.store.accept(accept(anEvent(round, { laneKey: lane }))),
        ]);
        const listed = (await keys()).includes(lane);
        expect(listed).toBe(released);
      }
    });
  });

  describe("ready", () => {
    test("keys with ready work that nobody owns, oldest first", async () => {
      for (const lane of ["turn:c", "turn:a", "turn:b"]) {
        await under.store.accept(accept(anEvent(lane, { laneKey: lane })));
        await under.clock.advance(1);
      }
      expect(await keys()).toEqual(["turn:c", "turn:a", "turn:b"]);
      const fence = await under.claim("turn:a");
      expect(await keys()).toEqual(["turn:c", "turn:b"]);
      await under.store.lanes.abandon(fence);
      expect((await keys()).toSorted()).toEqual(["turn:a", "turn:b", "turn:c"]);
      expect((await under.store.lanes.ready(2)).keys).toEqual(["turn:c", "turn:a"]);
    });

    test("nextAtMs: when the next row of a lane without an owner becomes ready", async () => {
      expect(await under.store.lanes.ready(10)).toEqual({ keys: [], nextAtMs: null });
      const later = (delayMs: number): { scope: string; mode: "wait"; delayMs: number } => ({
        scope: `s-${delayMs}`,
        mode: "wait",
        delayMs,
      });
      await under.store.accept(
        accept(
          anEvent(1, { debounce: later(700) }),
          anEvent(2, { laneKey: "turn:b", debounce: later(300) }),
          anEvent(3, { laneKey: "turn:c" }),
        ),
      );
      expect(await under.store.lanes.ready(10)).toEqual({ keys: ["turn:c"], nextAtMs: under.clock.now() + 300 });
      await under.claim("turn:b");
      expect((await under.store.lanes.ready(10)).nextAtMs).toBe(under.clock.now() + 700);
    });
  });

  describe("delivery queues", () => {
    const insert = (...ids: readonly string[]): Promise<void> =>
      under.store.commit(
        [],
        ids.map((id) => ({ op: "outbox.insert", row: aPart(id) }) as const),
      );

    test("have work while a part is queued", async () => {
      await insert("p-1");
      expect(await keys()).toEqual([QUEUE]);
      await under.store.commit([], [{ op: "outbox.move", id: "p-1", from: ["queued"], to: "sending" }]);
      await under.store.commit([], [{ op: "outbox.move", id: "p-1", from: ["sending"], to: "sent" }]);
      expect(await keys()).toEqual([]);
    });

    test("are strict: a first part that waits for its time holds those behind it", async () => {
      await insert("p-1", "p-2");
      const notBeforeMs = under.clock.now() + 2_000;
      await under.store.commit([], [{ op: "outbox.move", id: "p-1", from: ["queued"], to: "queued", notBeforeMs }]);
      expect(await under.store.lanes.ready(10)).toEqual({ keys: [], nextAtMs: notBeforeMs });
      await under.clock.advance(2_000);
      expect(await keys()).toEqual([QUEUE]);
    });

    test("a held unknown part neither gives work nor stands in the way", async () => {
      await insert("p-1");
      await under.store.commit([], [{ op: "outbox.move", id: "p-1", from: ["queued"], to: "sending" }]);
      await under.store.commit([], [{ op: "outbox.move", id: "p-1", from: ["sending"], to: "unknown" }]);
      expect(await under.store.lanes.ready(10)).toEqual({ keys: [], nextAtMs: null });
      expect(await under.store.lanes.release(await under.claim(QUEUE))).toBe(true);
      await insert("p-2");
      expect(await keys()).toEqual([QUEUE]);
      expect((await under.store.outbox.pending(QUEUE, 10)).map((row) => row.id)).toEqual(["p-1", "p-2"]);
    });

    test("an unknown part with a time of its own gives work at that time", async () => {
      await insert("p-1");
      const notBeforeMs = under.clock.now() + 2_000;
      await under.store.commit([], [{ op: "outbox.move", id: "p-1", from: ["queued"], to: "unknown", notBeforeMs }]);
      expect(await under.store.lanes.ready(10)).toEqual({ keys: [], nextAtMs: notBeforeMs });
      await under.clock.advance(2_000);
      expect(await keys()).toEqual([QUEUE]);
    });
  });

  describe("onReady", () => {
    test("hints at lanes that got work, until unsubscribed", async () => {
      const heard = new Set<string>();
      const stop = under.store.onReady((hinted) => {
        for (const key of hinted) heard.add(key);
      });
      await under.store.accept(accept(anEvent(1)));
      await under.store.commit([], [{ op: "outbox.insert", row: aPart("p-1") }]);
      await under.store.ping();
      expect([...heard].toSorted()).toEqual([QUEUE, "turn:a"]);
      stop();
      await under.store.accept(accept(anEvent(2, { laneKey: "turn:b" })));
      await under.store.ping();
      expect(heard.has("turn:b")).toBe(false);
    });
  });
}
