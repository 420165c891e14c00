import { describe, expect, test } from "vitest";

import { ACCOUNT, anEvent, aStop, accept } from "./sample-rows.ts";
import { must, type StoreUnderTest } from "./store-under-test.ts";

/** What becomes of stored events: who sees them, in which order, and how they end. */
export function describeInbox(under: StoreUnderTest): void {
  const storeSome = async (...ns: readonly number[]): Promise<readonly number[]> => {
    await under.store.accept(accept(...ns.map((n) => anEvent(n))));
    return (await under.store.inbox.open("turn:a", 100)).map((row) => row.id);
  };
  const ready = async (lane = "turn:a"): Promise<readonly string[]> =>
    (await under.store.inbox.ready(lane, 100)).map((row) => row.messageId);

  describe("order of a lane", () => {
    test("oldest ready first, control rows ahead of the line", async () => {
      await under.store.accept(accept(anEvent(1), anEvent(2), aStop(3), anEvent(4), aStop(5)));
      expect(await ready()).toEqual(["3", "5", "1", "2", "4"]);
      expect((await under.store.inbox.open("turn:a", 3)).map((row) => row.messageId)).toEqual(["1", "2", "3"]);
      expect((await under.store.inbox.ready("turn:a", 3)).map((row) => row.messageId)).toEqual(["3", "5", "1"]);
    });

    test("a lane sees its own rows only", async () => {
      await under.store.accept(accept(anEvent(1), anEvent(2, { laneKey: "turn:b" })));
      expect(await ready("turn:b")).toEqual(["2"]);
    });
  });

  describe("the run of a row", () => {
    test("inbox.run: running under its turn, attempt counted, no longer ready, still open", async () => {
      const [id = 0] = await storeSome(1, 2);
      await under.store.commit([], [{ op: "inbox.run", ids: [id], turnId: "turn-1" }]);
      expect(await under.store.inbox.get(id)).toMatchObject({ status: "running", turnId: "turn-1", attempt: 1 });
      expect(await ready()).toEqual(["2"]);
      expect((await under.store.inbox.open("turn:a", 10)).map((row) => row.status)).toEqual(["running", "waiting"]);
    });

    test("inbox.requeue: waits again until its time, then comes first of what became ready after it", async () => {
      const [id = 0] = await storeSome(1, 2);
      await under.store.commit([], [{ op: "inbox.run", ids: [id], turnId: "turn-1" }]);
      await under.store.commit([], [{ op: "inbox.requeue", ids: [id], notBeforeMs: under.clock.now() + 1_000 }]);
      expect(await ready()).toEqual(["2"]);
      await under.clock.advance(1_000);
      expect(await ready()).toEqual(["2", "1"]);
      expect(await under.store.inbox.get(id)).toMatchObject({ status: "waiting", attempt: 1 });
    });

    test("inbox.defer: waits on, marked with how it was deferred", async () => {
      const [id = 0] = await storeSome(1);
      await under.store.commit(
        [],
        [{ op: "inbox.defer", ids: [id], as: "collect", turnId: "turn-1", notBeforeMs: under.clock.now() + 500 }],
      );
      expect(await under.store.inbox.get(id)).toMatchObject({ status: "waiting", deferredAs: "collect" });
      expect(await ready()).toEqual([]);
      await under.clock.advance(500);
      expect(await ready()).toEqual(["1"]);
    });

    test.each([
      { ending: "done", more: { mergedInto: "turn-9" } },
      { ending: "dropped", more: { reason: "queue_overflow" } },
      { ending: "handled", more: { reason: "stopped" } },
      { ending: "dead", more: { reason: "three attempts" } },
    ] as const)("inbox.end as $ending: ended once, counted once", async ({ ending, more }) => {
      const [id = 0] = await storeSome(1);
      await under.store.commit([], [{ op: "inbox.end", ids: [id], ending, ...more }]);
      const ended = must(await under.store.inbox.get(id));
      expect(ended).toMatchObject({ status: ending, ...more, endedAtMs: under.clock.now() });
      await under.store.commit([], [{ op: "inbox.end", ids: [id], ending: "done", reason: "late" }]);
      await under.store.commit([], [{ op: "inbox.run", ids: [id], turnId: "late" }]);
      await under.store.commit([], [{ op: "inbox.requeue", ids: [id], notBeforeMs: 0 }]);
      await under.store.commit([], [{ op: "inbox.defer", ids: [id], as: "steer", turnId: "late" }]);
      expect(await under.store.inbox.get(id)).toEqual(ended);
      expect(await under.store.inbox.counts()).toMatchObject({ accepted: 1, [ending]: 1, waiting: 0 });
      expect(await under.store.inbox.open("turn:a", 10)).toEqual([]);
    });
  });

  describe("dead letters", () => {
    test("inbox.revive: waits again as if new, in another lane if told so", async () => {
      const [id = 0] = await storeSome(1);
      await under.store.commit([], [{ op: "inbox.run", ids: [id], turnId: "turn-1" }]);
      await under.store.commit([], [{ op: "inbox.end", ids: [id], ending: "dead", reason: "three attempts" }]);
      await under.store.commit([], [{ op: "inbox.revive", id, laneKey: "turn:b" }]);
      const row = must(await under.store.inbox.get(id));
      expect(row).toMatchObject({ status: "waiting", attempt: 0, laneKey: "turn:b" });
      expect([row.reason, row.endedAtMs, row.turnId]).toEqual([undefined, undefined, undefined]);
      expect(await ready("turn:b")).toEqual(["1"]);
      expect(await under.store.inbox.counts()).toMatchObject({ accepted: 1, dead: 0, waiting: 1 });
    });

    test("only a dead letter is revived or discarded", async () => {
      const [id = 0] = await storeSome(1);
      await under.store.commit([], [{ op: "inbox.end", ids: [id], ending: "done" }]);
      await under.store.commit([], [{ op: "inbox.revive", id }]);
      await under.store.commit([], [{ op: "inbox.discard", id }]);
      expect(await under.store.inbox.get(id)).toMatchObject({ status: "done" });
    });

    test("inbox.discard: its body is gone, its ending stays counted", async () => {
      const [id = 0] = await storeSome(1);
      await under.store.commit([], [{ op: "inbox.end", ids: [id], ending: "dead", reason: "no sender" }]);
      await under.store.commit([], [{ op: "inbox.discard", id }]);
      expect(await under.store.inbox.get(id)).toBeNull();
      expect(await under.store.inbox.list({ limit: 10 })).toEqual([]);
      expect(await under.store.inbox.counts()).toMatchObject({ accepted: 1, dead: 1, waiting: 0 });
    });
  });

  describe("lists and counts", () => {
    test("list: newest first, by status, in pages", async () => {
      const ids = await storeSome(1, 2, 3, 4);
      await under.store.commit([], [{ op: "inbox.end", ids: [must(ids[0]), must(ids[2])], ending: "done" }]);
      const list = async (filter: Parameters<typeof under.store.inbox.list>[0]): Promise<readonly number[]> =>
        (await under.store.inbox.list(filter)).map((row) => row.id);
      expect(await list({ limit: 10 })).toEqual(ids.toReversed());
      expect(await list({ limit: 2, beforeId: must(ids[3]) })).toEqual([ids[2], ids[1]]);
      expect(await list({ status: "done", limit: 10 })).toEqual([ids[2], ids[0]]);
      expect(await list({ status: "waiting", limit: 10, beforeId: must(ids[3]) })).toEqual([ids[1]]);
    });

    test("waitingOf: the open rows of one account, running ones included", async () => {
      const [id = 0] = await storeSome(1, 2, 3);
      await under.store.commit([], [{ op: "inbox.run", ids: [id], turnId: "turn-1" }]);
      expect(await under.store.inbox.waitingOf(ACCOUNT.channel, ACCOUNT.accountId)).toBe(3);
      await under.store.commit([], [{ op: "inbox.end", ids: [id], ending: "done" }]);
      expect(await under.store.inbox.waitingOf(ACCOUNT.channel, ACCOUNT.accountId)).toBe(2);
      expect(await under.store.inbox.waitingOf(ACCOUNT.channel, "second")).toBe(0);
    });

    test("get: null for an id that never was", async () => {
      expect(await under.store.inbox.get(4_711)).toBeNull();
    });
  });
}
