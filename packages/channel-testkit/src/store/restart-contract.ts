import { describe, expect, test } from "vitest";

import { anEvent, accept, aPart } from "./sample-rows.ts";
import { must, type StoreUnderTest } from "./store-under-test.ts";

/** What a clean stop and a new start keep. */
export function describeRestart(under: StoreUnderTest): void {
  describe("a restart", () => {
    test("keeps what waits, in order, with its lanes listed", async () => {
      await under.store.accept(accept(anEvent(1), anEvent(2), anEvent(3, { laneKey: "turn:b" })));
      await under.store.commit([], [{ op: "outbox.insert", row: aPart("p-1") }]);
      await under.claim("turn:a");
      const store = await under.reopen();
      expect((await store.inbox.ready("turn:a", 10)).map((row) => [row.messageId, row.attempt])).toEqual([
        ["1", 0],
        ["2", 0],
      ]);
      expect((await store.lanes.ready(10)).keys.toSorted()).toEqual([
        "deliver:telegram:default:peer-1",
        "turn:a",
        "turn:b",
      ]);
    });

    test("knows what it has seen", async () => {
      await under.store.accept(accept(anEvent(1)));
      const [row] = await under.store.inbox.ready("turn:a", 1);
      await under.store.commit([], [{ op: "inbox.end", ids: [must(row).id], ending: "done" }]);
      const store = await under.reopen();
      expect(await store.accept(accept(anEvent(1), anEvent(2, { turnKey: "peer-1::1:0" })))).toEqual([
        { kind: "duplicate" },
        { kind: "duplicate" },
      ]);
      expect(await store.inbox.counts()).toMatchObject({ accepted: 1, done: 1 });
    });

    test("makes a row that was still running wait again, with the attempt that was counted when it began", async () => {
      await under.store.accept(accept(anEvent(1)));
      const fence = await under.claim("turn:a");
      const [row] = await under.store.inbox.ready("turn:a", 1);
      await under.store.commit([fence], [{ op: "inbox.run", ids: [must(row).id], turnId: "turn-1" }]);
      const store = await under.reopen();
      expect(await store.inbox.ready("turn:a", 1)).toMatchObject([{ status: "waiting", attempt: 1, turnId: "turn-1" }]);
    });

    test("leaves a part in sending as it is: whether it was sent is unknown", async () => {
      await under.store.commit([], [{ op: "outbox.insert", row: aPart("p-1", { sending: true }) }]);
      const store = await under.reopen();
      expect(await store.outbox.get("p-1")).toMatchObject({ status: "sending", attempts: 1 });
      expect((await store.lanes.ready(10)).keys).toEqual(["deliver:telegram:default:peer-1"]);
    });

    test("gives out greater epochs only", async () => {
      const epochs: number[] = [];
      for (let start = 0; start < 3; start += 1) {
        epochs.push((await under.claim("turn:a")).epoch, (await under.claim("turn:b")).epoch);
        await under.reopen();
      }
      expect(epochs).toEqual(epochs.toSorted((a, b) => a - b));
      expect(new Set(epochs).size).toBe(epochs.length);
    });

    test("continues the numbers of rows and parts", async () => {
      await under.store.accept(accept(anEvent(1)));
      const [first] = await under.store.inbox.open("turn:a", 1);
      const store = await under.reopen();
      await store.accept(accept(anEvent(2)));
      const [, second] = await store.inbox.open("turn:a", 2);
      expect(must(second).id).toBeGreaterThan(must(first).id);
    });
  });

  describe("open and close", () => {
    test("are idempotent; a closed store refuses with store_unavailable", async () => {
      await under.store.open();
      await under.store.ping();
      await under.store.close();
      await under.store.close();
      await expect(under.store.ping()).rejects.toMatchObject({ code: "store_unavailable" });
      await expect(under.store.accept(accept(anEvent(1)))).rejects.toMatchObject({ code: "store_unavailable" });
    });

    test("close waits for the writes under way", async () => {
      const accepted = Array.from({ length: 50 }, (_, n) => under.store.accept(accept(anEvent(n))));
      await under.store.close();
      expect((await Promise.all(accepted)).flat()).toHaveLength(50);
      await under.reopen();
      expect(await under.store.inbox.counts()).toMatchObject({ accepted: 50, waiting: 50 });
    });
  });
}
