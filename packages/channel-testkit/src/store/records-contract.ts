import type { Approval, PendingHistoryEntry, ToolJournalEntry } from "@turnwire/turn-ports";
import { describe, expect, test } from "vitest";

import { ACCOUNT, aTurn } from "./sample-rows.ts";
import type { StoreUnderTest } from "./store-under-test.ts";

/** Group history, tool journal, approvals and the turn log. */
export function describeRecords(under: StoreUnderTest): void {
  describe("history", () => {
    const append = (n: number, limit = 5, historyKey = "telegram:g:t"): Promise<void> =>
      under.store.commit([], [{ op: "history.append", historyKey, entry: said(n), limit }]);
    const said = (n: number): PendingHistoryEntry => ({
      sender: "Ada",
      body: `line ${n}`,
      timestamp: n,
      messageId: String(n),
    });
    const bodies = async (limit = 10): Promise<readonly string[]> =>
      (await under.store.history.load("telegram:g:t", limit)).map((one) => one.body);

    test("keeps the newest entries of a key, oldest first, with growing numbers", async () => {
      for (let n = 1; n <= 7; n += 1) await append(n);
      expect(await bodies()).toEqual(["line 3", "line 4", "line 5", "line 6", "line 7"]);
      expect(await bodies(2)).toEqual(["line 6", "line 7"]);
      const loaded = await under.store.history.load("telegram:g:t", 10);
      expect(loaded[0]).toEqual({ ...said(3), seq: loaded[0]?.seq });
      const seqs = loaded.map((one) => one.seq);
      expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
    });

    test("keys do not mix", async () => {
      await append(1);
      await append(2, 5, "telegram:g:other");
      expect(await bodies()).toEqual(["line 1"]);
    });

    test("cleared up to what a turn has seen; what came since stays, also after everything was cleared before", async () => {
      for (let n = 1; n <= 3; n += 1) await append(n);
      const [, second] = await under.store.history.load("telegram:g:t", 10);
      await under.store.commit([], [{ op: "history.clear", historyKey: "telegram:g:t", upToSeq: second?.seq }]);
      expect(await bodies()).toEqual(["line 3"]);
      await under.store.commit([], [{ op: "history.clear", historyKey: "telegram:g:t" }]);
      expect(await bodies()).toEqual([]);
      await append(4);
      await under.store.commit([], [{ op: "history.clear", historyKey: "telegram:g:t", upToSeq: second?.seq }]);
      expect(await bodies()).toEqual(["line 4"]);
    });

    test("a limit of 0 keeps nothing", async () => {
      await append(1, 0);
      expect(await bodies()).toEqual([]);
    });
  });

  test("journal: the result takes the place of the start, in the order of the calls", async () => {
    const call = (callId: string, more: Partial<ToolJournalEntry> = {}): ToolJournalEntry => ({
      turnId: "turn-1",
      callId,
      name: "look",
      args: { q: callId },
      status: "started",
      atMs: 1,
      ...more,
    });
    for (const entry of [call("a"), call("b"), call("a", { status: "ended", result: { found: [1] }, atMs: 2 })]) {
      await under.store.commit([], [{ op: "journal.put", entry }]);
    }
    expect(await under.store.journal.byTurn("turn-1")).toEqual([
      call("a", { status: "ended", result: { found: [1] }, atMs: 2 }),
      call("b"),
    ]);
    expect(await under.store.journal.byTurn("turn-2")).toEqual([]);
  });

  test("approvals: waiting until answered, and over a restart", async () => {
    const approval: Approval = {
      token: "t-1",
      turnId: "turn-1",
      ...ACCOUNT,
      conversationId: "peer-1",
      approvers: ["ada"],
      question: { tool: "delete" },
      status: "waiting",
      expiresAtMs: under.clock.now() + 60_000,
    };
    await under.store.commit([], [{ op: "approval.put", approval }]);
    await under.reopen();
    expect(await under.store.approvals.waiting("turn-1")).toEqual([approval]);
    const answered: Approval = { ...approval, status: "approved", answeredBy: "ada" };
    await under.store.commit([], [{ op: "approval.put", approval: answered }]);
    expect(await under.store.approvals.get("t-1")).toEqual(answered);
    expect(await under.store.approvals.waiting("turn-1")).toEqual([]);
    expect(await under.store.approvals.get("t-2")).toBeNull();
  });

  describe("turn log", () => {
    test("one row a pass and attempt; written again it is replaced", async () => {
      const admission = aTurn("turn-1", { pass: "admission" });
      const run = aTurn("turn-1", { outcome: "completed" });
      for (const turn of [admission, aTurn("turn-1"), run]) await under.store.commit([], [{ op: "turn.put", turn }]);
      expect(await under.store.turns.get("turn-1")).toEqual([admission, run]);
      expect(await under.store.turns.get("turn-2")).toEqual([]);
    });

    test("list: newest first, by session, in pages", async () => {
      for (let n = 1; n <= 4; n += 1) {
        const turn = aTurn(`turn-${n}`, { startedAtMs: n * 100, sessionKey: n % 2 === 0 ? "even" : "odd" });
        await under.store.commit([], [{ op: "turn.put", turn }]);
      }
      const list = async (filter: Parameters<typeof under.store.turns.list>[0]): Promise<readonly string[]> =>
        (await under.store.turns.list(filter)).map((row) => row.turnId);
      expect(await list({ limit: 3 })).toEqual(["turn-4", "turn-3", "turn-2"]);
      expect(await list({ limit: 10, beforeMs: 300 })).toEqual(["turn-2", "turn-1"]);
      expect(await list({ limit: 10, sessionKey: "odd" })).toEqual(["turn-3", "turn-1"]);
      expect(await list({ limit: 10, sessionKey: "odd", beforeMs: 300 })).toEqual(["turn-1"]);
    });
  });
}
