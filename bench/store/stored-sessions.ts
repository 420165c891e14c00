import { rmSync } from "node:fs";
import { join } from "node:path";

import { createSqliteStore, type SqliteStore } from "@turnwire/store-sqlite";
import type { StoreWrite } from "@turnwire/turn-ports";

import { runCallers, type CallersResult } from "./run-callers.ts";
import { sampleEvent } from "./sample-event.ts";

const FEW = 1_000;
/** Sessions that talk: the same number in both runs. */
const ACTIVE = 1_000;
const MESSAGES = 20_000;
const clock = { now: () => Date.now(), monotonic: () => performance.now() };

const keyOf = (n: number): string => `agent:main:telegram:default:direct:${100_000 + n}`;

async function fill(store: SqliteStore, sessions: number): Promise<void> {
  const batch = 1_000;
  for (let from = 0; from < sessions; from += batch) {
    const writes = Array.from({ length: batch }, (_, index): readonly StoreWrite[] => {
      const key = keyOf(from + index);
      const entry = {
        role: "user",
        turnId: `t-${from + index}`,
        parts: [{ type: "text", text: "hello" }],
        atMs: 1,
      } as const;
      return [
        { op: "session.put", key, agentId: "main", createIfMissing: true, meta: { label: "Ada" } },
        { op: "transcript.append", key, generation: 0, entries: [entry] },
      ];
    });
    await store.commit([], writes.flat());
  }
}

/** One message's whole way through the store. */
async function message(store: SqliteStore, n: number): Promise<void> {
  const request = sampleEvent(n, ACTIVE);
  const lane = request.rows[0]?.laneKey ?? "";
  const key = lane.slice("turn:".length);
  await store.accept(request);
  const fence = await store.lanes.claim(lane, "bench");
  // Another message of this lane is on its way: its owner takes this one too.
  if (fence === null) return;
  do {
    const rows = await store.inbox.ready(lane, 10);
    await store.sessions.transcript(key, 20);
    const entry = { role: "user", turnId: `m-${n}`, parts: [{ type: "text", text: "hello" }], atMs: 2 } as const;
    await store.commit(
      [fence],
      [
        { op: "session.put", key, agentId: "main", createIfMissing: true, meta: { label: "Ada" } },
        { op: "transcript.append", key, generation: 0, entries: [entry] },
        { op: "inbox.end", ids: rows.map((row) => row.id), ending: "done" },
      ],
    );
  } while (!(await store.lanes.release(fence)));
}

async function measure(
  folder: string,
  sessions: number,
): Promise<CallersResult & { readonly cpuUs: number; readonly rssMb: number }> {
  const path = join(folder, `${sessions}.db`);
  const store = createSqliteStore({ path, clock });
  await store.open();
  await fill(store, sessions);
  await runCallers(32, 5_000, (n) => message(store, n));
  const cpu = process.cpuUsage();
  const result = await runCallers(32, MESSAGES, (n) => message(store, 5_000 + n));
  const { user, system } = process.cpuUsage(cpu);
  const { rss } = process.memoryUsage();
  await store.close();
  rmSync(path, { force: true });
  return { ...result, cpuUs: (user + system) / MESSAGES, rssMb: rss / 1_048_576 };
}

/**
 * What a message costs when many sessions are stored: accept, claim, read, session and transcript, end, release,
 * among 1,000 stored sessions and among `many`; the same 1,000 of them talk in both runs.
 */
export async function benchStoredSessions(folder: string, many: number): Promise<void> {
  const measured: { readonly cpuUs: number }[] = [];
  for (const sessions of [FEW, many]) {
    const of = await measure(folder, sessions);
    measured.push(of);
    console.log(
      `${String(sessions).padStart(9)} stored sessions: ${of.perSecond.toFixed(0)} messages/s, ${of.cpuUs.toFixed(0)} µs CPU a message, p50 ${of.p50Ms.toFixed(1)} ms, p99 ${of.p99Ms.toFixed(1)} ms, RSS ${of.rssMb.toFixed(0)} MiB`,
    );
  }
  const [few, all] = measured;
  if (few !== undefined && all !== undefined) console.log(`CPU a message: ${(all.cpuUs / few.cpuUs).toFixed(2)} times`);
}
