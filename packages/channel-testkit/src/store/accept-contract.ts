import type { InboxDebounce } from "@turnwire/turn-ports";
import { describe, expect, test } from "vitest";

import { ACCOUNT, aDelete, anEdit, anEvent, aStop, accept } from "./sample-rows.ts";
import { must, type StoreUnderTest } from "./store-under-test.ts";

/** Events come in: stored once, all of a batch or none of it, before anybody is told that we have them. */
export function describeAccept(under: StoreUnderTest): void {
  describe("accept", () => {
    test("stores an event with everything that was said of it, waiting, at attempt 0", async () => {
      const event = anEvent(1, { threadId: "t-1", routePeer: { kind: "group", id: "peer-1" } });
      const [outcome] = await under.store.accept(accept(event));
      const [row] = await under.store.inbox.open("turn:a", 10);
      expect(outcome).toEqual({ kind: "accepted", inboxId: row?.id });
      expect(row).toEqual({
        ...event,
        ...ACCOUNT,
        id: row?.id,
        status: "waiting",
        attempt: 0,
        acceptedAtMs: under.clock.now(),
        notBeforeMs: under.clock.now(),
      });
      expect(await under.store.inbox.get(must(row).id)).toEqual(row);
    });

    test("answers for each event of a batch, in its order", async () => {
      const outcomes = await under.store.accept(
        accept(anEvent(1), anEvent(1), anEvent(2, { deadReason: "no sender" })),
      );
      expect(outcomes.map((outcome) => outcome.kind)).toEqual(["accepted", "duplicate", "dead"]);
      expect(await under.store.inbox.counts()).toMatchObject({ accepted: 2, waiting: 1, dead: 1 });
    });

    test("gives later events greater ids, within a batch too", async () => {
      const ids: number[] = [];
      for (const batch of [accept(anEvent(1), anEvent(2)), accept(anEvent(3))]) {
        for (const outcome of await under.store.accept(batch)) if ("inboxId" in outcome) ids.push(outcome.inboxId);
      }
      expect(ids).toEqual(ids.toSorted((a, b) => a - b));
      expect(new Set(ids).size).toBe(3);
    });

    test.each([
      { what: "the same transport key", again: anEvent(2, { dedupeKey: "update:1" }), kind: "duplicate" },
      { what: "the same turn key in another event", again: anEvent(2, { turnKey: "peer-1::1:0" }), kind: "duplicate" },
      { what: "no turn key, twice", again: anEvent(2, { turnKey: null }), kind: "accepted" },
      { what: "other keys", again: anEvent(2), kind: "accepted" },
    ])("$what: $kind", async ({ again, kind }) => {
      await under.store.accept(accept(anEvent(1), anEvent(0, { turnKey: null })));
      expect(await under.store.accept(accept(again))).toMatchObject([{ kind }]);
    });

    test("keys belong to their channel and account", async () => {
      await under.store.accept(accept(anEvent(1)));
      for (const account of [
        { channel: "telegram", accountId: "second" },
        { channel: "slack", accountId: "default" },
      ]) {
        expect(await under.store.accept({ ...account, rows: [anEvent(1)] })).toMatchObject([{ kind: "accepted" }]);
      }
    });

    test("a redelivery is a duplicate whatever became of the event", async () => {
      const [outcome] = await under.store.accept(accept(anEvent(1)));
      const id = must(outcome && "inboxId" in outcome ? outcome.inboxId : undefined);
      for (const write of [
        { op: "inbox.run", ids: [id], turnId: "turn-1" },
        { op: "inbox.end", ids: [id], ending: "dead", reason: "three attempts" },
        { op: "inbox.revive", id },
        { op: "inbox.end", ids: [id], ending: "dead", reason: "again" },
        { op: "inbox.discard", id },
      ] as const) {
        await under.store.commit([], [write]);
        expect(await under.store.accept(accept(anEvent(1)))).toEqual([{ kind: "duplicate" }]);
      }
    });

    test("a dead letter is kept with its reason, ends at once and wakes no lane", async () => {
      const [outcome] = await under.store.accept(accept(anEvent(1, { deadReason: "no sender", turnKey: null })));
      expect(outcome).toMatchObject({ kind: "dead" });
      expect(await under.store.inbox.list({ status: "dead", limit: 10 })).toMatchObject([
        { status: "dead", reason: "no sender", endedAtMs: under.clock.now() },
      ]);
      expect(await under.store.lanes.ready(10)).toEqual({ keys: [], nextAtMs: null });
    });

    test("commits cursor and state with the events", async () => {
      await under.store.accept({
        ...accept(anEvent(1)),
        cursor: "100",
        state: [
          { key: "seen", value: { a: [1, null] } },
          { key: "gone", value: 1 },
        ],
      });
      await under.store.accept({ ...accept(), cursor: "101", state: [{ key: "gone", value: null }] });
      const state = under.store.channelState(ACCOUNT.channel, ACCOUNT.accountId);
      expect(await state.cursor()).toBe("101");
      expect(await state.get("seen")).toEqual({ a: [1, null] });
      expect(await state.get("gone")).toBeNull();
      expect(await under.store.channelState("telegram", "second").cursor()).toBeNull();
    });

    test("a stale lease refuses the whole batch, cursor and state included", async () => {
      const { leases } = under.store;
      const first = await leases.acquire("telegram:1", "node-1", 10_000);
      if (first.kind !== "held") throw new Error("the lease should be free");
      await under.store.accept({ ...accept(anEvent(1)), cursor: "1", lease: first.fence });
      await under.clock.advance(10_001);
      expect(await leases.acquire("telegram:1", "node-2", 10_000)).toMatchObject({ kind: "held" });
      await expect(
        under.store.accept({ ...accept(anEvent(2)), cursor: "2", state: [{ key: "k", value: 1 }], lease: first.fence }),
      ).rejects.toMatchObject({ code: "fenced" });
      const state = under.store.channelState(ACCOUNT.channel, ACCOUNT.accountId);
      expect(await state.cursor()).toBe("1");
      expect(await state.get("k")).toBeNull();
      expect(await under.store.inbox.counts()).toMatchObject({ accepted: 1, waiting: 1 });
    });

    test("concurrent accepts are each stored once; those that are refused are refused alone", async () => {
      const stale = { key: "telegram:9", epoch: 1 };
      const results = await Promise.allSettled(
        Array.from({ length: 300 }, (_, n) =>
          under.store.accept({
            ...accept(anEvent(n % 200, { laneKey: `turn:${n % 7}` })),
            ...(n % 50 === 49 ? { lease: stale } : {}),
          }),
        ),
      );
      const refused = results.filter((result) => result.status === "rejected");
      expect(refused).toHaveLength(6);
      for (const result of refused) expect(result.reason).toMatchObject({ code: "fenced" });
      // 49, 99, 149 and 199 come once with a stale lease and, of those, 49 and 99 once more with one (249, 299).
      const kinds = results.flatMap((result) =>
        result.status === "fulfilled" ? result.value.map((one) => one.kind) : [],
      );
      expect(kinds.filter((kind) => kind === "accepted")).toHaveLength(196);
      expect(await under.store.inbox.counts()).toMatchObject({ accepted: 196, waiting: 196 });
      expect(await under.store.inbox.waitingOf(ACCOUNT.channel, ACCOUNT.accountId)).toBe(196);
    });
  });

  describe("edits and deletes of what still waits", () => {
    test("an edit replaces the waiting event, keeps its place, and is not run itself", async () => {
      await under.store.accept(accept(anEvent(1), anEvent(2)));
      const [first] = await under.store.inbox.open("turn:a", 10);
      const [outcome] = await under.store.accept(accept(anEdit(1, 1)));
      expect(outcome).toEqual({ kind: "applied", inboxId: first?.id });
      const ready = await under.store.inbox.ready("turn:a", 10);
      expect(ready.map((row) => row.raw.payload)).toEqual([{ text: "message 1, version 1" }, { text: "message 2" }]);
      expect(await under.store.inbox.list({ status: "handled", limit: 10 })).toMatchObject([
        { reason: "edit_applied" },
      ]);
      expect(await under.store.inbox.counts()).toMatchObject({ accepted: 3, handled: 1, waiting: 2 });
    });

    test("a delete ends the waiting event; nothing of it is run", async () => {
      await under.store.accept(accept(anEvent(1)));
      const [first] = await under.store.inbox.open("turn:a", 10);
      expect(await under.store.accept(accept(aDelete(1)))).toEqual([{ kind: "applied", inboxId: first?.id }]);
      expect(await under.store.inbox.get(must(first).id)).toMatchObject({ status: "dropped", reason: "deleted" });
      expect(await under.store.lanes.ready(10)).toEqual({ keys: [], nextAtMs: null });
      expect(await under.store.inbox.counts()).toMatchObject({ accepted: 2, dropped: 1, handled: 1, waiting: 0 });
    });

    test("told twice, each is applied once", async () => {
      await under.store.accept(accept(anEvent(1), anEvent(2), anEdit(1, 1), aDelete(2)));
      expect(await under.store.accept(accept(anEdit(1, 1), aDelete(2)))).toEqual([
        { kind: "duplicate" },
        { kind: "duplicate" },
      ]);
    });

    test.each(["done", "running"] as const)("of a %s event: an event of its own in the lane", async (status) => {
      await under.store.accept(accept(anEvent(1)));
      const [first] = await under.store.inbox.open("turn:a", 10);
      const ids = [must(first).id];
      await under.store.commit(
        [],
        [status === "done" ? { op: "inbox.end", ids, ending: "done" } : { op: "inbox.run", ids, turnId: "turn-1" }],
      );
      expect(await under.store.accept(accept(anEdit(1, 1)))).toMatchObject([{ kind: "accepted" }]);
      expect(await under.store.inbox.ready("turn:a", 10)).toMatchObject([{ change: "edit", messageId: "1" }]);
    });

    test("of another conversation with the same message id: untouched", async () => {
      await under.store.accept(accept(anEvent(1)));
      const elsewhere = anEdit(1, 1, { routePeer: { kind: "direct", id: "peer-2" }, laneKey: "turn:b" });
      expect(await under.store.accept(accept(elsewhere))).toMatchObject([{ kind: "accepted" }]);
      expect(await under.store.inbox.ready("turn:a", 10)).toMatchObject([{ raw: { payload: { text: "message 1" } } }]);
    });
  });

  describe("debounce", () => {
    const scope = (mode: InboxDebounce["mode"]): InboxDebounce => ({
      scope: "telegram:peer-1:ada",
      mode,
      delayMs: 500,
    });
    const readyIds = async (): Promise<readonly string[]> =>
      (await under.store.inbox.ready("turn:a", 10)).map((row) => row.messageId);

    test("wait: becomes ready after the delay, counted from the newest of its scope", async () => {
      await under.store.accept(accept(anEvent(1, { debounce: scope("wait") })));
      await under.clock.advance(400);
      await under.store.accept(accept(anEvent(2, { debounce: scope("wait") })));
      await under.clock.advance(400);
      expect(await readyIds()).toEqual([]);
      expect(await under.store.lanes.ready(10)).toEqual({ keys: [], nextAtMs: under.clock.now() + 100 });
      await under.clock.advance(100);
      expect(await readyIds()).toEqual(["1", "2"]);
      expect(await under.store.lanes.ready(10)).toEqual({ keys: ["turn:a"], nextAtMs: null });
    });

    test("flush: what waits in the scope is ready at once, before the one that flushed it", async () => {
      await under.store.accept(accept(anEvent(1, { debounce: scope("wait") })));
      await under.store.accept(accept(anEvent(2, { kind: "media", debounce: scope("flush") })));
      expect(await readyIds()).toEqual(["1", "2"]);
    });

    test("bypass: ready at once, and what waits goes on waiting", async () => {
      await under.store.accept(accept(anEvent(1, { debounce: scope("wait") })));
      await under.store.accept(accept(aStop(2, { debounce: scope("bypass") })));
      expect(await readyIds()).toEqual(["2"]);
      await under.clock.advance(500);
      expect(await readyIds()).toEqual(["2", "1"]);
    });

    test("another sender's window is another window, and does not hold anybody up", async () => {
      await under.store.accept(accept(anEvent(1, { debounce: scope("wait") })));
      await under.clock.advance(300);
      await under.store.accept(accept(anEvent(2, { debounce: { ...scope("wait"), scope: "telegram:peer-1:bob" } })));
      await under.store.accept(accept(anEvent(3)));
      expect(await readyIds()).toEqual(["3"]);
      await under.clock.advance(200);
      expect(await readyIds()).toEqual(["3", "1"]);
    });
  });
}
