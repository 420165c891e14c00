import type { OutboxStatus } from "@turnwire/turn-ports";
import { describe, expect, test } from "vitest";

import { ACCOUNT, aPart } from "./sample-rows.ts";
import type { StoreUnderTest } from "./store-under-test.ts";

const QUEUE = "deliver:telegram:default:peer-1";

/** Everything visible passes here, in order, each part in exactly one state. */
export function describeOutbox(under: StoreUnderTest): void {
  const insert = (...ids: readonly string[]): Promise<void> =>
    under.store.commit(
      [],
      ids.map((id) => ({ op: "outbox.insert", row: aPart(id) }) as const),
    );
  const move = (id: string, from: OutboxStatus, to: OutboxStatus, more: object = {}): Promise<void> =>
    under.store.commit([], [{ op: "outbox.move", id, from: [from], to, ...more }]);

  describe("outbox.insert", () => {
    test("keeps the part exactly, queued and not tried", async () => {
      const part = aPart("p-1", {
        target: { to: "peer-1", chatKind: "group", threadId: "t", replyToId: "5", silent: true },
      });
      await under.store.commit([], [{ op: "outbox.insert", row: part }]);
      const row = await under.store.outbox.get("p-1");
      expect(row).toEqual({
        ...part,
        seq: row?.seq,
        status: "queued",
        attempts: 0,
        notBeforeMs: under.clock.now(),
        createdAtMs: under.clock.now(),
      });
    });

    test("as sending: the caller's first try is counted with it", async () => {
      await under.store.commit([], [{ op: "outbox.insert", row: aPart("p-1", { sending: true }) }]);
      const row = await under.store.outbox.get("p-1");
      const now = under.clock.now();
      expect(row).toMatchObject({ status: "sending", attempts: 1, firstAttemptAtMs: now, lastAttemptAtMs: now });
      expect(row).not.toHaveProperty("sending");
    });

    test("an id is allotted once", async () => {
      await insert("p-1");
      await expect(insert("p-1")).rejects.toMatchObject({ code: "store_conflict" });
      expect(await under.store.outbox.counts()).toMatchObject({ queued: 1 });
    });
  });

  describe("outbox.move", () => {
    test("through a try to its receipt", async () => {
      await insert("p-1");
      await under.clock.advance(5);
      const triedAtMs = under.clock.now();
      await move("p-1", "queued", "sending");
      await under.clock.advance(7);
      const receipt = {
        platformMessageIds: ["77"],
        parts: [{ platformMessageId: "77", kind: "text", index: 0 } as const],
        sentAt: under.clock.now(),
      };
      await move("p-1", "sending", "sent", { receipt });
      expect(await under.store.outbox.get("p-1")).toMatchObject({
        status: "sent",
        attempts: 1,
        firstAttemptAtMs: triedAtMs,
        lastAttemptAtMs: triedAtMs,
        settledAtMs: under.clock.now(),
        receipt,
      });
    });

    test("every try is counted; the first one's time stays", async () => {
      await insert("p-1");
      const firstAttemptAtMs = under.clock.now();
      for (let attempt = 1; attempt <= 3; attempt += 1) {
        await move("p-1", "queued", "sending");
        const error = { code: "unreachable", message: `try ${attempt}` };
        await move("p-1", "sending", "queued", { error, notBeforeMs: under.clock.now() + 10 });
        await under.clock.advance(10);
      }
      expect(await under.store.outbox.get("p-1")).toMatchObject({
        status: "queued",
        attempts: 3,
        firstAttemptAtMs,
        lastAttemptAtMs: firstAttemptAtMs + 20,
        error: { code: "unreachable", message: "try 3" },
        notBeforeMs: under.clock.now(),
      });
    });

    test("only out of a state that the caller named", async () => {
      await insert("p-1");
      await expect(move("p-1", "sending", "sent")).rejects.toMatchObject({ code: "fenced" });
      await expect(move("nobody", "queued", "sending")).rejects.toMatchObject({ code: "fenced" });
      expect(await under.store.outbox.get("p-1")).toMatchObject({ status: "queued", attempts: 0 });
    });

    test("may exchange the part, e.g. for plain text after a rejection", async () => {
      await insert("p-1");
      const part = { ...aPart("p-1").part, body: { text: "plain" } };
      await move("p-1", "queued", "queued", { part });
      expect((await under.store.outbox.get("p-1"))?.part).toEqual(part);
    });

    test("an unknown one that a person sends again is pending as before", async () => {
      await insert("p-1");
      await move("p-1", "queued", "sending");
      await move("p-1", "sending", "unknown");
      await move("p-1", "unknown", "queued");
      expect(await under.store.outbox.pending(QUEUE, 10)).toMatchObject([{ id: "p-1", status: "queued" }]);
      expect(await under.store.lanes.ready(10)).toMatchObject({ keys: [QUEUE] });
    });
  });

  test("outbox.supersede: what is queued and was never tried, of that turn only", async () => {
    await insert("never-tried", "tried", "sending");
    await under.store.commit([], [{ op: "outbox.insert", row: aPart("other-turn", { turnId: "turn-2" }) }]);
    await move("tried", "queued", "sending");
    await move("tried", "sending", "queued");
    await move("sending", "queued", "sending");
    await under.store.commit([], [{ op: "outbox.supersede", turnId: "turn-1" }]);
    const statuses = (await under.store.outbox.list({ limit: 10 })).map((row) => [row.id, row.status]);
    expect(Object.fromEntries(statuses)).toEqual({
      "never-tried": "superseded",
      tried: "queued",
      sending: "sending",
      "other-turn": "queued",
    });
  });

  describe("reads", () => {
    test("pending: what is not settled, in order of insertion", async () => {
      await insert("p-1", "p-2", "p-3", "p-4");
      await under.store.commit(
        [],
        [{ op: "outbox.insert", row: aPart("elsewhere", { deliverKey: "deliver:telegram:default:peer-2" }) }],
      );
      await move("p-1", "queued", "sent");
      await move("p-2", "queued", "unknown");
      await move("p-3", "queued", "sending");
      expect((await under.store.outbox.pending(QUEUE, 10)).map((row) => row.id)).toEqual(["p-2", "p-3", "p-4"]);
      expect((await under.store.outbox.pending(QUEUE, 1)).map((row) => row.id)).toEqual(["p-2"]);
    });

    test("byTurn: settled ones too", async () => {
      await insert("p-1", "p-2");
      await move("p-1", "queued", "sent");
      expect((await under.store.outbox.byTurn("turn-1")).map((row) => row.id)).toEqual(["p-1", "p-2"]);
      expect(await under.store.outbox.byTurn("turn-2")).toEqual([]);
    });

    test("list: newest first, by status, in pages", async () => {
      await insert("p-1", "p-2", "p-3");
      await move("p-2", "queued", "sent");
      const all = await under.store.outbox.list({ limit: 10 });
      expect(all.map((row) => row.id)).toEqual(["p-3", "p-2", "p-1"]);
      const page = await under.store.outbox.list({ limit: 10, beforeSeq: all[0]?.seq });
      expect(page.map((row) => row.id)).toEqual(["p-2", "p-1"]);
      expect((await under.store.outbox.list({ limit: 10, status: "queued" })).map((row) => row.id)).toEqual([
        "p-3",
        "p-1",
      ]);
      expect(all[0]).toMatchObject(ACCOUNT);
    });

    test("counts: every part in one state", async () => {
      await insert("p-1", "p-2", "p-3", "p-4", "p-5", "p-6", "p-7");
      await move("p-2", "queued", "sending");
      await move("p-3", "queued", "sent");
      await move("p-4", "queued", "rejected");
      await move("p-5", "queued", "unknown");
      await move("p-6", "queued", "given_up");
      await move("p-7", "queued", "superseded");
      expect(await under.store.outbox.counts()).toEqual({
        queued: 1,
        sending: 1,
        sent: 1,
        rejected: 1,
        unknown: 1,
        given_up: 1,
        superseded: 1,
      });
    });
  });
}
