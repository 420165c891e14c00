import type { TranscriptEntry } from "@turnwire/turn-ports";
import { describe, expect, test } from "vitest";

import type { StoreUnderTest } from "./store-under-test.ts";

const KEY = "agent:main:main";

/** Sessions and what was said in them. */
export function describeSessions(under: StoreUnderTest): void {
  const put = (more: object = {}): Promise<void> =>
    under.store.commit([], [{ op: "session.put", key: KEY, agentId: "main", createIfMissing: true, ...more }]);
  const entry = (turnId: string, more: Partial<TranscriptEntry> = {}): TranscriptEntry => ({
    role: "user",
    turnId,
    parts: [{ type: "text", text: `said in ${turnId}` }],
    atMs: 1_000,
    ...more,
  });
  const append = (generation: number, ...entries: readonly TranscriptEntry[]): Promise<void> =>
    under.store.commit([], [{ op: "transcript.append", key: KEY, generation, entries }]);

  describe("session.put", () => {
    test("creates at generation 0", async () => {
      await put({ meta: { label: "Ada" } });
      expect(await under.store.sessions.get(KEY)).toEqual({
        key: KEY,
        agentId: "main",
        generation: 0,
        settings: {},
        lastRoute: undefined,
        meta: { label: "Ada" },
        createdAtMs: under.clock.now(),
        updatedAtMs: under.clock.now(),
      });
    });

    test("changes only what is named", async () => {
      const createdAtMs = under.clock.now();
      const lastRoute = { channel: "telegram", to: "peer-1" };
      await put({ meta: { label: "Ada" }, settings: { verbose: "on" }, lastRoute });
      await under.clock.advance(10);
      await put({ settings: { queueMode: "collect" } });
      expect(await under.store.sessions.get(KEY)).toEqual({
        key: KEY,
        agentId: "main",
        generation: 0,
        settings: { queueMode: "collect" },
        lastRoute,
        meta: { label: "Ada" },
        createdAtMs,
        updatedAtMs: under.clock.now(),
      });
    });

    test("without createIfMissing: updates what is there, creates nothing", async () => {
      await put({ createIfMissing: false, meta: 1 });
      expect(await under.store.sessions.get(KEY)).toBeNull();
      await put({ meta: 1 });
      await put({ createIfMissing: false, meta: 2 });
      expect(await under.store.sessions.get(KEY)).toMatchObject({ meta: 2 });
    });
  });

  test("list: by key, in pages", async () => {
    for (const key of ["agent:b:main", "agent:a:main", "agent:c:main"]) await put({ key });
    const keysOf = async (filter: { afterKey?: string; limit: number }): Promise<readonly string[]> =>
      (await under.store.sessions.list(filter)).map((row) => row.key);
    expect(await keysOf({ limit: 2 })).toEqual(["agent:a:main", "agent:b:main"]);
    expect(await keysOf({ afterKey: "agent:b:main", limit: 2 })).toEqual(["agent:c:main"]);
  });

  describe("transcript", () => {
    test("the newest entries, oldest of them first, exactly as appended", async () => {
      await put();
      const tool: TranscriptEntry = entry("turn-2", {
        role: "assistant",
        parts: [
          { type: "tool-call", id: "c", name: "look", args: { deep: [1, { a: null }] } },
          { type: "text", text: "done — \u{1F600}" },
        ],
        outcome: "completed",
        deliveryState: "pending",
      });
      await append(0, entry("turn-1"), tool);
      await append(0, entry("turn-3"));
      expect(await under.store.sessions.transcript(KEY, 10)).toEqual([entry("turn-1"), tool, entry("turn-3")]);
      expect(await under.store.sessions.transcript(KEY, 2)).toEqual([tool, entry("turn-3")]);
    });

    test("transcript.settle: the assistant's entries of that turn in that session", async () => {
      await put();
      await put({ key: "agent:other:main" });
      const answer = entry("turn-1", { role: "assistant", deliveryState: "pending" });
      await append(0, entry("turn-1"), answer, entry("turn-2", { role: "assistant", deliveryState: "pending" }));
      await under.store.commit(
        [],
        [
          { op: "transcript.append", key: "agent:other:main", generation: 0, entries: [answer] },
          { op: "transcript.settle", key: KEY, turnId: "turn-1", deliveryState: "delivered" },
        ],
      );
      const states = (await under.store.sessions.transcript(KEY, 10)).map((one) => one.deliveryState);
      expect(states).toEqual([undefined, "delivered", "pending"]);
      expect(await under.store.sessions.transcript("agent:other:main", 10)).toEqual([answer]);
    });

    test("session.reset: a new generation; what is older is not read, and a late commit of it is refused", async () => {
      await put();
      await append(0, entry("turn-1"));
      await under.store.commit([], [{ op: "session.reset", key: KEY }]);
      expect(await under.store.sessions.get(KEY)).toMatchObject({ generation: 1 });
      expect(await under.store.sessions.transcript(KEY, 10)).toEqual([]);
      await expect(append(0, entry("late"))).rejects.toMatchObject({ code: "fenced" });
      await append(1, entry("turn-2"));
      expect(await under.store.sessions.transcript(KEY, 10)).toEqual([entry("turn-2")]);
    });
  });
}
