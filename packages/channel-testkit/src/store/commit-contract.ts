import { describe, expect, test } from "vitest";

import { anEvent, accept, aPart } from "./sample-rows.ts";
import { must, type StoreUnderTest } from "./store-under-test.ts";

/** A step: all of its writes or none, and only while its owner owns. */
export function describeCommit(under: StoreUnderTest): void {
  describe("commit", () => {
    test("writes all of a step at once", async () => {
      await under.store.accept(accept(anEvent(1)));
      const fence = await under.claim("turn:a");
      const [row] = await under.store.inbox.ready("turn:a", 1);
      await under.store.commit(
        [fence],
        [
          { op: "session.put", key: "agent:main:main", agentId: "main", createIfMissing: true },
          { op: "outbox.insert", row: aPart("p-1") },
          { op: "inbox.end", ids: [must(row).id], ending: "done" },
        ],
      );
      expect(await under.store.sessions.get("agent:main:main")).not.toBeNull();
      expect(await under.store.outbox.get("p-1")).toMatchObject({ status: "queued" });
      expect(await under.store.inbox.counts()).toMatchObject({ done: 1, waiting: 0 });
    });

    test("a write that is refused takes the whole step with it", async () => {
      await under.store.accept(accept(anEvent(1)));
      const [row] = await under.store.inbox.ready("turn:a", 1);
      await expect(
        under.store.commit(
          [],
          [
            { op: "inbox.end", ids: [must(row).id], ending: "done" },
            { op: "outbox.insert", row: aPart("p-1") },
            { op: "outbox.move", id: "p-2", from: ["queued"], to: "sending" },
          ],
        ),
      ).rejects.toMatchObject({ code: "fenced" });
      expect(await under.store.inbox.get(must(row).id)).toMatchObject({ status: "waiting" });
      expect(await under.store.outbox.get("p-1")).toBeNull();
      expect(await under.store.inbox.counts()).toMatchObject({ done: 0, waiting: 1 });
      expect(await under.store.outbox.counts()).toMatchObject({ queued: 0 });
      expect(await under.store.lanes.ready(10)).toMatchObject({ keys: ["turn:a"] });
    });

    test("any stale fence among several refuses the step", async () => {
      const stale = await under.claim("turn:a");
      await under.store.lanes.abandon(stale);
      const lane = await under.claim("turn:a");
      const queue = await under.claim("deliver:telegram:default:peer-1");
      const write = { op: "outbox.insert", row: aPart("p-1") } as const;
      for (const fences of [[stale], [queue, stale], [lane, stale, queue]]) {
        await expect(under.store.commit(fences, [write])).rejects.toMatchObject({ code: "fenced" });
      }
      expect(await under.store.outbox.get("p-1")).toBeNull();
      await under.store.commit([lane, queue], [write]);
      expect(await under.store.outbox.get("p-1")).not.toBeNull();
    });

    test("steps committed at the same time are each whole, and refused ones are refused alone", async () => {
      const fence = await under.claim("turn:a");
      const stale = { ...fence, epoch: fence.epoch - 1 };
      const results = await Promise.allSettled(
        Array.from({ length: 100 }, (_, n) =>
          under.store.commit(
            [n % 10 === 0 ? stale : fence],
            [
              { op: "outbox.insert", row: aPart(`p-${n}`) },
              { op: "history.append", historyKey: "h", entry: { sender: "Ada", body: String(n) }, limit: 200 },
            ],
          ),
        ),
      );
      expect(results.filter((result) => result.status === "rejected")).toHaveLength(10);
      expect((await under.store.outbox.list({ limit: 200 })).map((row) => row.id)).not.toContain("p-10");
      expect(await under.store.outbox.counts()).toMatchObject({ queued: 90 });
      expect(await under.store.history.load("h", 200)).toHaveLength(90);
    });
  });
}
