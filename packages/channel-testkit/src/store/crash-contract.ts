import { describe, expect, test } from "vitest";

import { superviseStoreChild, type StoreChild } from "./store-child.ts";
import type { StoreUnderTest } from "./store-under-test.ts";

/** Starting processes takes its time on a busy machine. */
const TIMEOUT_MS = 60_000;

/** What the death of a process by SIGKILL leaves. */
export function describeCrash(under: StoreUnderTest): void {
  const startChild = async (): Promise<StoreChild> => {
    const child = superviseStoreChild(under.harness.startChild());
    expect(await child.next()).toEqual({ told: "opened" });
    return child;
  };
  /** After the child's real time, whatever it was. */
  const reopenLater = async (): Promise<void> => {
    await under.clock.advance(120_000);
    await under.reopen();
  };

  describe("kill -9", () => {
    test(
      "loses nothing that was answered, five times in a row, and does not count anything twice",
      { timeout: TIMEOUT_MS },
      async () => {
        const answered: string[] = [];
        await under.store.close();
        for (let round = 0; round < 5; round += 1) {
          const child = await startChild();
          child.begin({ do: "accept", prefix: `round-${round}`, callers: 8 });
          for (let seen = 0; seen < 100 * (round + 1); seen += 1) await child.next();
          for (const report of await child.kill()) if (report.told === "accepted") answered.push(report.dedupeKey);
        }
        await reopenLater();
        expect(answered.length).toBeGreaterThan(1_000);
        const stored = new Map<string, number>();
        for (let lane = 0; lane < 20; lane += 1) {
          const rows = await under.store.inbox.open(`turn:${lane}`, 2_000);
          for (const row of rows) stored.set(row.dedupeKey, (stored.get(row.dedupeKey) ?? 0) + 1);
        }
        expect(answered.filter((key) => !stored.has(key))).toEqual([]);
        expect([...stored.values()].every((times) => times === 1)).toBe(true);
        expect(await under.store.inbox.counts()).toMatchObject({ accepted: stored.size, waiting: stored.size });
      },
    );

    test(
      "the first row of a lane that was claimed counts an attempt; those of other lanes do not",
      { timeout: TIMEOUT_MS },
      async () => {
        await under.store.close();
        const child = await startChild();
        for (const laneKey of ["turn:claimed", "turn:waiting", "turn:running"]) {
          await child.do({ do: "store", n: `${laneKey}:1`, laneKey });
          await child.do({ do: "store", n: `${laneKey}:2`, laneKey });
        }
        await child.do({ do: "claim", laneKey: "turn:claimed" });
        await child.do({ do: "claim", laneKey: "turn:running" });
        await child.do({ do: "run", laneKey: "turn:running" });
        await child.kill();
        await reopenLater();
        const attempts = async (lane: string): Promise<readonly number[]> =>
          (await under.store.inbox.ready(lane, 10)).map((row) => row.attempt);
        expect(await attempts("turn:claimed")).toEqual([1, 0]);
        expect(await attempts("turn:running")).toEqual([1, 0]);
        expect(await attempts("turn:waiting")).toEqual([0, 0]);
      },
    );

    test("a message that kills its process is counted each time", { timeout: TIMEOUT_MS }, async () => {
      await under.store.close();
      const first = await startChild();
      await first.do({ do: "store", n: "poison", laneKey: "turn:a" });
      await first.kill();
      for (let crash = 0; crash < 3; crash += 1) {
        const child = await startChild();
        await child.do({ do: "claim", laneKey: "turn:a" });
        await child.kill();
      }
      await reopenLater();
      expect(await under.store.inbox.ready("turn:a", 1)).toMatchObject([{ messageId: "poison", attempt: 3 }]);
    });

    test("a stop without a crash counts nothing", async () => {
      await under.store.close();
      const child = await startChild();
      await child.do({ do: "store", n: "1", laneKey: "turn:a" });
      await child.kill();
      await reopenLater();
      await under.claim("turn:a");
      await under.reopen();
      expect(await under.store.inbox.ready("turn:a", 1)).toMatchObject([{ attempt: 0 }]);
    });
  });
}
