import type { Accounts } from "./accounts.ts";
import type { Claims } from "./claims.ts";
import type { Database } from "./database.ts";
import type { Sql } from "./sql.ts";
import { HELD_MS, type LaneSchedule } from "./lane-schedule.ts";
import { recordWriteSql } from "./record-sql.ts";
import type { StoreMoment } from "./store-time.ts";
import type { CounterName, WriteContext } from "./write-context.ts";

export const groupSql = {
  begin: "BEGIN IMMEDIATE" as Sql,
  commit: "COMMIT" as Sql,
  rollback: "ROLLBACK" as Sql,
  savepoint: "SAVEPOINT request" as Sql,
  keep: "RELEASE request" as Sql,
  undo: "ROLLBACK TO request" as Sql,
};

/** What became of one request of a group. */
export type Settled = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: unknown };

/** One request: what it does with the context is kept or undone as a whole. */
export type WriteRequest = (context: WriteContext) => unknown;

/** What the requests of a transaction changed outside the tables. */
interface Effects {
  readonly counts: Map<CounterName, number>;
  readonly loads: Map<number, number>;
  readonly wakes: Set<string>;
}

/** What a group is written with. */
export interface GroupParts {
  readonly db: Database;
  readonly accounts: Accounts;
  readonly claims: Claims;
  readonly schedule: LaneSchedule;
  /** Called after the commit, once a group. */
  onCommitted(effects: { readonly loads: ReadonlyMap<number, number>; readonly wakes: ReadonlySet<string> }): void;
}

/**
 * Group commit: the requests run in one transaction, each in a savepoint of its own, so that one which is fenced
 * or fails is undone alone, and all are answered after the one flush to the disk. When the transaction itself
 * is lost (disk full, failed flush), each request is tried once more by itself.
 */
export function commitGroup(
  parts: GroupParts,
  requests: readonly WriteRequest[],
  moment: StoreMoment,
): readonly Settled[] {
  const { db, accounts } = parts;
  const effects: Effects = { counts: new Map(), loads: new Map(), wakes: new Set() };
  try {
    db.run(groupSql.begin);
    const settled = requests.map((request) => runOne(parts, request, effects, moment));
    for (const [name, by] of effects.counts) if (by !== 0) db.run(recordWriteSql.addCount, by, name);
    db.run(recordWriteSql.noteDue, moment.dueMs);
    db.run(groupSql.commit);
    parts.onCommitted(effects);
    return settled;
  } catch (error) {
    if (db.inTransaction) db.run(groupSql.rollback);
    accounts.forget();
    if (requests.length <= 1) return requests.map(() => ({ ok: false, error }));
    return requests.flatMap((request) => commitGroup(parts, [request], moment));
  }
}

/** @throws the error that ended the whole transaction; an error of this request alone is its answer */
function runOne(parts: GroupParts, request: WriteRequest, group: Effects, moment: StoreMoment): Settled {
  const { db, accounts, claims, schedule } = parts;
  const own: Effects = { counts: new Map(), loads: new Map(), wakes: new Set() };
  const touched = new Set<string>();
  db.run(groupSql.savepoint);
  try {
    const value = request({
      db,
      nowMs: moment.nowMs,
      dueMs: moment.dueMs,
      toDue: (wallMs) => Math.min(Math.ceil(wallMs + moment.aheadMs), HELD_MS),
      accounts,
      requireFences: (fences) => claims.require(fences),
      count: (name, by) => own.counts.set(name, (own.counts.get(name) ?? 0) + by),
      load: (ref, by) => own.loads.set(ref, (own.loads.get(ref) ?? 0) + by),
      advance: (key, readyAtMs) => schedule.advance(key, readyAtMs),
      touch: (key) => touched.add(key),
      wake: (key) => own.wakes.add(key),
    });
    for (const key of touched) schedule.refresh(key);
    db.run(groupSql.keep);
    for (const [name, by] of own.counts) group.counts.set(name, (group.counts.get(name) ?? 0) + by);
    for (const [ref, by] of own.loads) group.loads.set(ref, (group.loads.get(ref) ?? 0) + by);
    for (const key of own.wakes) group.wakes.add(key);
    return { ok: true, value };
  } catch (error) {
    // SQLite undoes the whole transaction by itself when the disk is full or fails.
    if (!db.inTransaction) throw error;
    db.run(groupSql.undo);
    db.run(groupSql.keep);
    accounts.forget();
    return { ok: false, error };
  }
}
