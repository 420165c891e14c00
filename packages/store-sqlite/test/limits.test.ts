import { mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createSqliteStore } from "../src/create-sqlite-store.ts";
import type { SqliteStoreOptions } from "../src/sqlite-store-options.ts";
import type { InboxInsert, TurnStore } from "@turnwire/turn-ports";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const DAY_MS = 86_400_000;

describe("bounds", () => {
  let folder = "";
  let nowMs = 0;
  const stores: TurnStore[] = [];
  const clock = { now: () => nowMs, monotonic: () => nowMs };
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "turnwire-limits-"));
    nowMs = 1_800_000_000_000;
  });
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  const open = async (more: Partial<SqliteStoreOptions> = {}): Promise<ReturnType<typeof createSqliteStore>> => {
    const store = createSqliteStore({ path: join(folder, "turnwire.db"), clock, ...more });
    stores.push(store);
    await store.open();
    return store;
  };
  const event = (n: number, text = "hello"): InboxInsert => ({
    laneKey: "turn:a",
    dedupeKey: `update:${n}`,
    turnKey: null,
    messageId: String(n),
    change: "new",
    routePeer: { kind: "direct", id: "1" },
    senderId: "1",
    replyTarget: "1",
    kind: "text",
    raw: { type: "message", payload: { text }, receivedAtMs: 1 },
  });
  const accept = (store: TurnStore, ...rows: InboxInsert[]): ReturnType<TurnStore["accept"]> =>
    store.accept({ channel: "telegram", accountId: "default", rows });

  describe("a full disk", () => {
    test("refuses intake with store_full, keeps what it has, and goes on when there is room again", async () => {
      const store = await open({ maxFileBytes: 100 * 4096 });
      const text = "x".repeat(4_000);
      let stored = 0;
      let refusal: unknown;
      while (refusal === undefined) {
        try {
          await accept(store, event(stored, text));
          stored += 1;
        } catch (error) {
          refusal = error;
        }
      }
      expect(refusal).toMatchObject({ code: "store_full", retryAfterMs: expect.any(Number) });
      expect(stored).toBeGreaterThan(20);
      expect(await store.inbox.counts()).toMatchObject({ accepted: stored, waiting: stored });
      expect(await store.inbox.ready("turn:a", 1)).toHaveLength(1);
      await store.close();
      const larger = await open({ maxFileBytes: 1_000 * 4096 });
      expect(await accept(larger, event(stored, text))).toMatchObject([{ kind: "accepted" }]);
    });

    test("commits are refused whole", async () => {
      const store = await open({ maxFileBytes: 100 * 4096 });
      const part = { op: "send", kind: "text", index: 0, body: "x".repeat(500_000) } as const;
      const row = {
        id: "p-1",
        deliverKey: "deliver:a",
        channel: "telegram",
        accountId: "default",
        purpose: "final",
        part,
        target: { to: "1", chatKind: "direct" },
      } as const;
      await expect(
        store.commit(
          [],
          [
            { op: "session.put", key: "s", agentId: "main", createIfMissing: true },
            { op: "outbox.insert", row },
          ],
        ),
      ).rejects.toMatchObject({ code: "store_full" });
      expect(await store.sessions.get("s")).toBeNull();
      expect(await store.outbox.counts()).toMatchObject({ queued: 0 });
    });
  });

  test("more calls than may wait are refused with store_unavailable; those that wait are answered", async () => {
    const store = await open({ maxWaiting: 10 });
    const results = await Promise.allSettled(Array.from({ length: 25 }, (_, n) => accept(store, event(n))));
    expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(10);
    for (const result of results) {
      if (result.status === "rejected")
        expect(result.reason).toMatchObject({ code: "store_unavailable", retryAfterMs: 100 });
    }
    expect(await accept(store, event(99))).toMatchObject([{ kind: "accepted" }]);
  });

  test("a file that is no database is refused with a sentence, and not touched", async () => {
    const path = join(folder, "notes.txt");
    const text = "these are somebody's notes, not a database. ".repeat(200);
    await writeFile(path, text);
    const store = createSqliteStore({ path, clock });
    await expect(store.open()).rejects.toMatchObject({
      code: "store_unavailable",
      message: expect.stringContaining(path),
    });
    expect(await readFile(path, "utf8")).toBe(text);
  });

  test("a folder that is not there is made, for its owner alone", async () => {
    await open({ path: join(folder, "data", "deep", "turnwire.db") });
    expect((await stat(join(folder, "data", "deep"))).mode & 0o777).toBe(0o700);
  });

  test("a path that cannot be is refused with store_unavailable", async () => {
    await writeFile(join(folder, "a-file"), "x");
    const store = createSqliteStore({ path: join(folder, "a-file", "turnwire.db"), clock });
    await expect(store.open()).rejects.toMatchObject({ code: "store_unavailable" });
  });

  test("state of an account has a bound", async () => {
    const store = await open();
    const state = Array.from({ length: 100_001 }, (_, n) => ({ key: `k-${n}`, value: 1 }));
    const request = { channel: "matrix", accountId: "default", rows: [] };
    await expect(store.accept({ ...request, state })).rejects.toMatchObject({ code: "store_full" });
    await store.accept({ ...request, state: state.slice(1) });
    await expect(store.accept({ ...request, state: state.slice(0, 1) })).rejects.toMatchObject({ code: "store_full" });
    await store.accept({ ...request, state: [{ key: "k-1", value: null }, ...state.slice(0, 1)] });
  });

  describe("retention", () => {
    test("an ended event goes in two steps: its content, and much later its dedupe keys", async () => {
      const store = await open();
      await accept(store, event(1), event(2));
      await store.commit([], [{ op: "inbox.end", ids: [1], ending: "done" }]);
      nowMs += 4 * DAY_MS;
      expect(await store.purge()).toMatchObject({ inbox: 1, dedupe: 0 });
      expect(await store.inbox.get(1)).toBeNull();
      expect(await accept(store, event(1))).toEqual([{ kind: "duplicate" }]);
      nowMs += 4 * DAY_MS;
      expect(await store.purge()).toMatchObject({ inbox: 0, dedupe: 1 });
      expect(await accept(store, event(1))).toMatchObject([{ kind: "accepted" }]);
      expect(await store.inbox.counts()).toEqual({ accepted: 3, done: 1, dropped: 0, handled: 0, dead: 0, waiting: 2 });
    });

    test("what waits is never purged; dead letters stay for a month", async () => {
      const store = await open();
      await accept(store, event(1), { ...event(2), deadReason: "no sender" });
      nowMs += 29 * DAY_MS;
      await store.purge();
      expect(await store.inbox.list({ limit: 10 })).toHaveLength(2);
      nowMs += 400 * DAY_MS;
      await store.purge();
      expect((await store.inbox.list({ limit: 10 })).map((row) => row.status)).toEqual(["waiting"]);
    });

    test("one pass takes a bounded number of rows", async () => {
      const store = await open();
      const rows = Array.from({ length: 1_200 }, (_, n) => ({ ...event(n), deadReason: "no sender" }));
      await accept(store, ...rows);
      nowMs += 31 * DAY_MS;
      const passes = [];
      for (let pass = 0; pass < 4; pass += 1) passes.push((await store.purge())["inbox"]);
      expect(passes).toEqual([500, 500, 200, 0]);
    });

    test("every other table forgets what is old", async () => {
      const store = await open();
      const part = { op: "send", kind: "text", index: 0, body: "x" } as const;
      const target = { to: "1", chatKind: "direct" } as const;
      const account = { channel: "telegram", accountId: "default" };
      const entry = { role: "user", turnId: "t", parts: [], atMs: nowMs } as const;
      for (const id of ["settled", "pending"]) {
        const row = { id, deliverKey: "deliver:a", ...account, purpose: "final", part, target } as const;
        await store.commit([], [{ op: "outbox.insert", row }]);
      }
      await store.commit(
        [],
        [
          { op: "outbox.move", id: "settled", from: ["queued"], to: "sent" },
          { op: "session.put", key: "s", agentId: "main", createIfMissing: true },
          { op: "transcript.append", key: "s", generation: 0, entries: [entry] },
          { op: "history.append", historyKey: "h", entry: { sender: "Ada", body: "hi" }, limit: 50 },
          {
            op: "journal.put",
            entry: { turnId: "t", callId: "c", name: "n", args: 1, status: "started", atMs: nowMs },
          },
          {
            op: "approval.put",
            approval: {
              token: "a",
              turnId: "t",
              ...account,
              conversationId: "1",
              approvers: [],
              question: 1,
              status: "waiting",
              expiresAtMs: nowMs,
            },
          },
        ],
      );
      await store.pairings.request({ code: "AAAA", ...account, senderId: "ada" });
      await store.pairings.request({ code: "BBBB", ...account, senderId: "bob" });
      await store.pairings.approve("BBBB");
      const blob = await store.blobs.put(new Uint8Array(10), "image/png");
      nowMs += 401 * DAY_MS;
      expect(await store.purge()).toEqual({
        inbox: 0,
        dedupe: 0,
        outbox: 1,
        session: 1,
        transcript: 1,
        history: 1,
        journal: 1,
        approval: 1,
        pairing: 1,
        blob: 1,
      });
      expect(await store.outbox.list({ limit: 10 })).toMatchObject([{ id: "pending" }]);
      expect(await store.pairings.list()).toMatchObject([{ code: "BBBB" }]);
      expect(await store.blobs.materialize(blob)).toBeNull();
      expect(await readdir(join(folder, "turnwire.db.blobs"))).toEqual([]);
    });

    test(
      "a transcript keeps its newest 2,000 entries, the turn log its newest 10,000 turns",
      { timeout: 60_000 },
      async () => {
        const store = await open({ synchronous: "normal" });
        const entries = Array.from(
          { length: 2_100 },
          (_, n) => ({ role: "user", turnId: `t-${n}`, parts: [], atMs: n }) as const,
        );
        await store.commit(
          [],
          [
            { op: "session.put", key: "s", agentId: "main", createIfMissing: true },
            { op: "transcript.append", key: "s", generation: 0, entries: entries.slice(0, 1_500) },
            { op: "transcript.append", key: "s", generation: 0, entries: entries.slice(1_500) },
          ],
        );
        const kept = await store.sessions.transcript("s", 5_000);
        expect([kept.length, kept[0]?.turnId]).toEqual([2_000, "t-100"]);
        const turns = Array.from({ length: 10_005 }, (_, n) => ({
          op: "turn.put" as const,
          turn: {
            turnId: `t-${n}`,
            channel: "telegram",
            accountId: "default",
            attempt: 1,
            pass: "run" as const,
            startedAtMs: n,
            stages: [],
          },
        }));
        await store.commit([], turns);
        expect(await store.turns.get("t-4")).toEqual([]);
        expect(await store.turns.get("t-5")).toHaveLength(1);
      },
    );

    test("keys must outlive their events", () => {
      expect(() =>
        createSqliteStore({ path: "x.db", clock, retention: { dedupeMs: DAY_MS, endedMs: DAY_MS } }),
      ).toThrow(expect.objectContaining({ code: "store_misconfigured" }));
    });
  });

  test("files that no row names are removed at open", async () => {
    const store = await open();
    const blob = await store.blobs.put(new Uint8Array(10), "image/png");
    await store.close();
    await writeFile(join(folder, "turnwire.db.blobs", "left-by-a-crash"), "x");
    await open();
    expect(await readdir(join(folder, "turnwire.db.blobs"))).toEqual([blob]);
  });
});
