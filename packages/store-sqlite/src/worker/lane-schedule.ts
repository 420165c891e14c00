import type { Database } from "./database.ts";
import type { Sql } from "./sql.ts";

/** `notBeforeMs` of a row that waits for a person, not for a time: the largest integer that JavaScript and SQLite share. */
export const HELD_MS: number = Number.MAX_SAFE_INTEGER;

/** Lanes that have work or an owner, in SQLite's memory: rolled back with the transaction that touched them, rebuilt at open. */
export const LANE_SCHEMA = `
CREATE TEMP TABLE lane (key TEXT PRIMARY KEY, claimed INTEGER NOT NULL, ready_at_ms INTEGER) STRICT;
CREATE INDEX temp.lane_ready ON lane (claimed, ready_at_ms) WHERE ready_at_ms IS NOT NULL;
`;

export const laneSql = {
  advance: `INSERT INTO temp.lane (key, claimed, ready_at_ms) VALUES (?, 0, ?)
    ON CONFLICT DO UPDATE SET ready_at_ms = min(ifnull(ready_at_ms, excluded.ready_at_ms), excluded.ready_at_ms)` as Sql,
  set: "INSERT INTO temp.lane (key, claimed, ready_at_ms) VALUES (?, 0, ?) ON CONFLICT DO UPDATE SET ready_at_ms = excluded.ready_at_ms" as Sql,
  idle: "UPDATE temp.lane SET ready_at_ms = NULL WHERE key = ?" as Sql,
  claim: "INSERT INTO temp.lane (key, claimed) VALUES (?, 1) ON CONFLICT DO UPDATE SET claimed = 1" as Sql,
  unclaim: "UPDATE temp.lane SET claimed = 0 WHERE key = ?" as Sql,
  tidy: "DELETE FROM temp.lane WHERE key = ? AND claimed = 0 AND ready_at_ms IS NULL" as Sql,
  readyAt: "SELECT ready_at_ms FROM temp.lane WHERE key = ?" as Sql,
  ready:
    "SELECT key FROM temp.lane WHERE claimed = 0 AND ready_at_ms IS NOT NULL AND ready_at_ms <= ? ORDER BY ready_at_ms LIMIT ?" as Sql,
  next: `SELECT min(ready_at_ms) AS at FROM temp.lane WHERE claimed = 0 AND ready_at_ms IS NOT NULL AND ready_at_ms > ?
    AND ready_at_ms < ${HELD_MS}` as Sql,
  firstControl:
    "SELECT min(not_before_ms) AS at FROM inbox WHERE lane_key = ? AND line = 0 AND status = 'waiting'" as Sql,
  firstOther:
    "SELECT min(not_before_ms) AS at FROM inbox WHERE lane_key = ? AND line = 1 AND status = 'waiting'" as Sql,
  firstPart:
    `SELECT not_before_ms AS at FROM outbox WHERE deliver_key = ? AND settled_at_ms IS NULL AND status <> 'unknown'
    ORDER BY seq LIMIT 1` as Sql,
  firstUnknown: "SELECT min(not_before_ms) AS at FROM outbox WHERE deliver_key = ? AND status = 'unknown'" as Sql,
  waitingLanes: "SELECT DISTINCT lane_key AS key FROM inbox WHERE status = 'waiting'" as Sql,
  pendingQueues: "SELECT DISTINCT deliver_key AS key FROM outbox WHERE settled_at_ms IS NULL" as Sql,
};

/** When each lane has work. */
export interface LaneSchedule {
  /** Fills the schedule from the stored rows, once, at open. */
  rebuild(): void;
  /** A lane got a row that is ready at this time. */
  advance(key: string, readyAtMs: number): void;
  /** Looks again at a lane whose rows changed. */
  refresh(key: string): void;
  readyAt(key: string): number | null;
  setClaimed(key: string, claimed: boolean): void;
  ready(dueMs: number, limit: number): { readonly keys: readonly string[]; readonly nextAtMs: number | null };
}

export function createLaneSchedule(db: Database): LaneSchedule {
  const first = (sql: (typeof laneSql)[keyof typeof laneSql], key: string): number =>
    db.get<{ at: number | null }>(sql, key)?.at ?? HELD_MS;
  const refresh = (key: string): void => {
    const at = key.startsWith("deliver:")
      ? Math.min(first(laneSql.firstPart, key), first(laneSql.firstUnknown, key))
      : Math.min(first(laneSql.firstControl, key), first(laneSql.firstOther, key));
    if (at < HELD_MS) {
      db.run(laneSql.set, key, at);
    } else {
      db.run(laneSql.idle, key);
      db.run(laneSql.tidy, key);
    }
  };
  return {
    refresh,
    rebuild() {
      db.exec(LANE_SCHEMA);
      for (const sql of [laneSql.waitingLanes, laneSql.pendingQueues]) {
        for (const { key } of db.all<{ key: string }>(sql)) refresh(key);
      }
    },
    advance(key, readyAtMs) {
      db.run(laneSql.advance, key, readyAtMs);
    },
    readyAt: (key) => db.get<{ ready_at_ms: number | null }>(laneSql.readyAt, key)?.ready_at_ms ?? null,
    setClaimed(key, claimed) {
      db.run(claimed ? laneSql.claim : laneSql.unclaim, key);
      if (!claimed) db.run(laneSql.tidy, key);
    },
    ready(dueMs, limit) {
      const keys = db.all<{ key: string }>(laneSql.ready, dueMs, limit).map((row) => row.key);
      return { keys, nextAtMs: db.get<{ at: number | null }>(laneSql.next, dueMs)?.at ?? null };
    },
  };
}
