import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createSqliteStore } from "@turnwire/store-sqlite";
import { TurnwireError, type Clock, type Fence, type StoreWrite, type TurnStore } from "@turnwire/turn-ports";

/** A real store in a folder of its own, with its commits written down. */
export interface TestStore {
  readonly store: TurnStore;
  /** One entry a transaction: the ops of a commit, or `accept`. */
  readonly transactions: readonly (readonly string[])[];
  /** Opens the same file once more, as a restarted process does. */
  reopen(nextClock?: Clock): TestStore;
  /** Lanes and delivery queues that were claimed and not given back. */
  heldLanes(): number;
  /** Forgets the transactions written down so far. */
  forget(): void;
  /** The process dies: every call from now on fails, and the file is free for the next one. */
  crash(): Promise<void>;
  /** The next `count` commits fail: the store cannot be reached. */
  failCommits(count: number): void;
  /** Commits with this op wait, and fail once the process has died. */
  holdOn(op: StoreWrite["op"], until: Promise<void>): void;
  remove(): void;
}

/** Makes a store on disk; `open` is the test's or the runtime's to call. */
export function createTestStore(
  clock: Clock,
  folder: string = mkdtempSync(join(tmpdir(), "turnwire-runtime-")),
): TestStore {
  const real = createSqliteStore({ path: join(folder, "test.db"), clock, synchronous: "normal" });
  const transactions: string[][] = [];
  const holds = new Map<StoreWrite["op"], Promise<void>>();
  let failing = 0;
  let isDead = false;
  const dead = new TurnwireError({ code: "test_process_died", message: "The process has died." });
  const held = new Set<string>();
  const lanes: TurnStore["lanes"] = {
    async claim(key, owner) {
      if (isDead) throw dead;
      const fence = await real.lanes.claim(key, owner);
      if (fence !== null) held.add(key);
      return fence;
    },
    async release(fence) {
      const isReleased = await real.lanes.release(fence);
      if (isReleased) held.delete(fence.key);
      return isReleased;
    },
    async abandon(fence) {
      await real.lanes.abandon(fence);
      held.delete(fence.key);
    },
    ready: (limit) => real.lanes.ready(limit),
  };
  const store: TurnStore = new Proxy(real, {
    get(target, name) {
      if (isDead && typeof Reflect.get(target, name, target) === "function") return () => Promise.reject(dead);
      if (name === "commit") {
        return async (fences: readonly Fence[], writes: readonly StoreWrite[]): Promise<void> => {
          // Without a hold no turn of the queue is spent: commits keep their order.
          for (const { op } of writes) if (holds.has(op)) await holds.get(op);
          if (isDead) throw dead;
          if (failing > 0) {
            failing -= 1;
            throw new TurnwireError({ code: "store_unavailable", message: "The store cannot be reached." });
          }
          await target.commit(fences, writes);
          transactions.push(writes.map((write) => (write.op === "outbox.move" ? `outbox.${write.to}` : write.op)));
        };
      }
      if (name === "accept") {
        return async (request: Parameters<TurnStore["accept"]>[0]) => {
          const outcomes = await target.accept(request);
          transactions.push(["accept"]);
          return outcomes;
        };
      }
      if (name === "lanes") return lanes;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
  return {
    store,
    transactions,
    reopen: (nextClock = clock) => createTestStore(nextClock, folder),
    async crash() {
      isDead = true;
      // Only the lock and the file are given back; the rows stay as they are.
      await real.close();
    },
    heldLanes: () => held.size,
    forget() {
      transactions.length = 0;
    },
    failCommits(count) {
      failing = count;
    },
    holdOn(op, until) {
      holds.set(op, until);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
