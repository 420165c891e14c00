import { mkdirSync } from "node:fs";
import { dirname } from "node:path";

import type { AcceptOutcome, Fence, LeaseResult, Pairing, StoreWrite } from "@turnwire/turn-ports";

import { acceptBatch, type WireAccept } from "./accept-batch.ts";
import { accountSql, createAccounts } from "./accounts.ts";
import { addBlob, sweepBlobFiles, type BlobNote } from "./blobs.ts";
import { createClaims } from "./claims.ts";
import { commitWrites } from "./commit-writes.ts";
import { openDatabase, type Database } from "./database.ts";
import { commitGroup, type GroupParts, type Settled, type WriteRequest } from "./group-commit.ts";
import { inboxReadSql, type InboxRecord } from "./inbox-sql.ts";
import { createLaneSchedule } from "./lane-schedule.ts";
import { abandonLane, acquireLease, claimLane, releaseLane, renewLease, type LaneParts } from "./lanes.ts";
import { migrate } from "./migrate.ts";
import { migrations } from "./migrations.ts";
import { takeOwnerLock, type OwnerLock } from "./owner-lock.ts";
import { approvePairing, requestPairing, revokePairing, type PairingRecord } from "./pairings.ts";
import { purge, type PurgeReport } from "./purge.ts";
import { recordWriteSql } from "./record-sql.ts";
import { EPOCH_BLOCK, recover, recoverSql } from "./recover.ts";
import { READ_LIMIT, type Retention } from "./retention.ts";
import type { ClockReading, StoreMoment } from "./store-time.ts";
import type { WriteContext } from "./write-context.ts";

/** What the worker is started with. */
export interface EngineOptions {
  readonly path: string;
  readonly blobDir: string;
  readonly synchronous: "full" | "normal";
  readonly mayMigrate: boolean;
  readonly retention: Retention;
  readonly maxFileBytes: number | undefined;
}

/** Calls that write to the tables: grouped, each answered after the flush. */
export interface WriteCalls {
  accept(context: WriteContext, request: WireAccept): readonly AcceptOutcome[];
  /** `writes` is the JSON text of the list: cheaper to hand over than its objects. */
  commit(context: WriteContext, fences: readonly Fence[], writes: string): null;
  ping(context: WriteContext): null;
  "pairings.request"(
    context: WriteContext,
    pairing: Omit<Pairing, "status" | "createdAtMs">,
  ): { readonly pairing: PairingRecord; readonly created: boolean };
  "pairings.approve"(context: WriteContext, code: string): PairingRecord | null;
  "pairings.revoke"(context: WriteContext, codeOrKey: string): boolean;
  "blobs.add"(context: WriteContext, blob: BlobNote): readonly string[];
}

/** Calls that are answered from what is committed, and those that change only the worker's memory. */
export interface DirectCalls {
  "inbox.ready"(laneKey: string, limit: number): readonly InboxRecord[];
  "inbox.waitingOf"(channel: string, accountId: string): number;
  "state.get"(channel: string, accountId: string, key: string): string | null;
  "lanes.claim"(key: string, owner: string): Fence | null;
  "lanes.release"(fence: Fence): boolean;
  "lanes.abandon"(fence: Fence): null;
  "lanes.ready"(limit: number): { readonly keys: readonly string[]; readonly nextAtMs: number | null };
  "leases.acquire"(name: string, holder: string, ttlMs: number): LeaseResult;
  "leases.renew"(fence: Fence, ttlMs: number): boolean;
  "leases.release"(fence: Fence): null;
  purge(): PurgeReport;
}

/** The store proper, on the worker's side. */
export interface Engine {
  /** Writes of one group, answered in order. */
  write(requests: readonly WriteRequest[], moment: StoreMoment): readonly Settled[];
  readonly writes: WriteCalls;
  /** The direct calls at this time. */
  direct(moment: StoreMoment): DirectCalls;
  readonly db: Database;
  /** The moment of the start; what comes after it is reckoned from it. */
  readonly openedAt: StoreMoment;
  /** Lane keys that got work since this was last called. */
  takeWakes(): readonly string[];
  close(): void;
}

const writes: WriteCalls = {
  accept: acceptBatch,
  commit(context, fences, text) {
    commitWrites(context, fences, JSON.parse(text) as readonly StoreWrite[]);
    return null;
  },
  ping(context) {
    context.db.run(recordWriteSql.ping, context.nowMs);
    return null;
  },
  "pairings.request": requestPairing,
  "pairings.approve": approvePairing,
  "pairings.revoke": revokePairing,
  "blobs.add": addBlob,
};

/**
 * Takes the lock, opens and migrates the file, recovers.
 * @throws StoreFailure `store_locked`, `store_schema_newer`, `store_schema_older`, `store_schema_changed`; SQLite's errors
 */
export function openEngine(options: EngineOptions, reading: ClockReading): Engine {
  const inMemory = options.path === ":memory:";
  // What people wrote to the agent lies in it: a folder that we make is its owner's alone.
  if (!inMemory) mkdirSync(dirname(options.path), { recursive: true, mode: 0o700 });
  const lock = inMemory ? null : takeOwnerLock(options.path);
  try {
    return start(options, lock, reading);
  } catch (error) {
    lock?.close();
    throw error;
  }
}

function start(options: EngineOptions, lock: OwnerLock | null, reading: ClockReading): Engine {
  const db = openDatabase(options.path, 0);
  try {
    configure(db, options);
    migrate(db, migrations, { path: options.path, nowMs: reading.nowMs, mayMigrate: options.mayMigrate });
    const { boot, firstEpoch, moment } = recover(db, lock?.former ?? { boot: undefined, claims: [] }, reading);
    lock?.begin(boot);
    sweepBlobFiles(db, options.blobDir);
    const parts = createParts(db, lock, firstEpoch);
    return createEngine(options, parts, moment);
  } catch (error) {
    db.close();
    throw error;
  }
}

function configure(db: Database, { synchronous, maxFileBytes }: EngineOptions): void {
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous === "full" ? "FULL" : "NORMAL"};`);
  // A checkpoint each 16 MiB of log instead of each 4; the log file is cut back to 64 MiB after a burst.
  db.exec("PRAGMA wal_autocheckpoint = 4000; PRAGMA journal_size_limit = 67108864;");
  db.exec("PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16384;");
  if (maxFileBytes !== undefined) {
    // 4,096 bytes: SQLite's page size of files that we create.
    db.exec(`PRAGMA max_page_count = ${Math.max(1, Math.floor(maxFileBytes / 4096))};`);
  }
}

/** Everything that a running engine is made of. */
interface Parts extends LaneParts, GroupParts {
  readonly loads: Map<number, number>;
  readonly wakes: Set<string>;
}

function createParts(db: Database, lock: OwnerLock | null, firstEpoch: number): Parts {
  let epoch = firstEpoch;
  let reserved = firstEpoch + EPOCH_BLOCK;
  const claims = createClaims(() => {
    if (epoch >= reserved) {
      reserved += EPOCH_BLOCK;
      db.run(recoverSql.setMeta, reserved, "epoch");
    }
    const next = epoch;
    epoch += 1;
    return next;
  });
  const schedule = createLaneSchedule(db);
  schedule.rebuild();
  const loads = new Map(db.all<{ ref: number; open: number }>(recoverSql.loads).map((row) => [row.ref, row.open]));
  const wakes = new Set<string>();
  return {
    db,
    lock,
    claims,
    schedule,
    loads,
    wakes,
    accounts: createAccounts(db),
    onCommitted(effects) {
      for (const [ref, by] of effects.loads) loads.set(ref, (loads.get(ref) ?? 0) + by);
      for (const key of effects.wakes) wakes.add(key);
    },
  };
}

function createEngine(options: EngineOptions, parts: Parts, openedAt: StoreMoment): Engine {
  const { db, lock, wakes } = parts;
  return {
    db,
    openedAt,
    writes,
    write: (requests, moment) => commitGroup(parts, requests, moment),
    direct: (moment) => directCalls(options, parts, moment),
    takeWakes() {
      const keys = [...wakes];
      wakes.clear();
      return keys;
    },
    close() {
      try {
        db.run(recoverSql.setMeta, 1, "clean");
      } catch {
        // On a full disk this stop counts as a crash: the next start is the more careful one.
      } finally {
        db.close();
        lock?.close();
      }
    },
  };
}

function directCalls(options: EngineOptions, parts: Parts, moment: StoreMoment): DirectCalls {
  const { db, accounts, claims, schedule, loads, wakes } = parts;
  const { nowMs, dueMs, aheadMs, monotonicMs } = moment;
  return {
    "inbox.ready"(laneKey, limit) {
      const most = Math.max(0, Math.min(limit, READ_LIMIT));
      const control = db.all<InboxRecord>(inboxReadSql.readyControl, laneKey, dueMs, most);
      return [...control, ...db.all<InboxRecord>(inboxReadSql.readyOther, laneKey, dueMs, most - control.length)];
    },
    "inbox.waitingOf"(channel, accountId) {
      const ref = accounts.find(channel, accountId);
      return ref === undefined ? 0 : (loads.get(ref) ?? 0);
    },
    "state.get"(channel, accountId, key) {
      const ref = accounts.find(channel, accountId);
      return ref === undefined ? null : (db.get<{ value: string }>(accountSql.state, ref, key)?.value ?? null);
    },
    "lanes.claim": (key, owner) => claimLane(parts, key, owner),
    "lanes.release": (fence) => releaseLane(parts, fence, dueMs),
    "lanes.abandon"(fence) {
      if (abandonLane(parts, fence)) wakes.add(fence.key);
      return null;
    },
    "lanes.ready"(limit) {
      const { keys, nextAtMs } = schedule.ready(dueMs, Math.max(0, Math.min(limit, READ_LIMIT)));
      return { keys, nextAtMs: nextAtMs === null ? null : nextAtMs - aheadMs };
    },
    "leases.acquire": (name, holder, ttlMs) => acquireLease(parts, { name, holder, ttlMs }, monotonicMs),
    "leases.renew": (fence, ttlMs) => renewLease(parts, fence, monotonicMs + ttlMs),
    "leases.release"(fence) {
      claims.drop(fence);
      return null;
    },
    purge: () => purge(db, { nowMs, retention: options.retention, blobDir: options.blobDir }),
  };
}
