import type { Database } from "./database.ts";
import type { Sql } from "./sql.ts";
import { momentFrom, type ClockReading, type StoreMoment } from "./store-time.ts";
import type { FormerOwner } from "./owner-lock.ts";

export const recoverSql = {
  due: "SELECT value FROM counter WHERE name = 'due_ms'" as Sql,
  meta: "SELECT key, value FROM meta" as Sql,
  setMeta: "UPDATE meta SET value = ? WHERE key = ?" as Sql,
  runningLanes: "SELECT DISTINCT lane_key AS key FROM inbox WHERE status = 'running'" as Sql,
  stopRunning: "UPDATE inbox SET status = 'waiting' WHERE status = 'running'" as Sql,
  waitingLanes: "SELECT DISTINCT lane_key AS key FROM inbox WHERE status = 'waiting'" as Sql,
  headControl: `SELECT id FROM inbox WHERE lane_key = ? AND line = 0 AND status = 'waiting' AND not_before_ms <= ?
    ORDER BY not_before_ms, id LIMIT 1` as Sql,
  headOther: `SELECT id FROM inbox WHERE lane_key = ? AND line = 1 AND status = 'waiting' AND not_before_ms <= ?
    ORDER BY not_before_ms, id LIMIT 1` as Sql,
  countAttempt: "UPDATE inbox SET attempt = attempt + 1 WHERE id = ?" as Sql,
  loads:
    "SELECT account_ref AS ref, count(*) AS open FROM inbox WHERE status IN ('waiting', 'running') GROUP BY account_ref" as Sql,
};

/** Epochs that are reserved at a time, so that giving one out needs no write to the disk. */
export const EPOCH_BLOCK = 1_000_000;

/** The number of this start, and the first epoch that was never given out. */
export interface Recovered {
  readonly boot: number;
  readonly firstEpoch: number;
  readonly moment: StoreMoment;
}

/**
 * Makes the rows of the former owner's runs wait again, in one transaction. Their attempt was counted when they began;
 * a plain turn does not commit its start, so after an unclean end the first ready row of every lane that the former
 * owner had claimed counts one attempt more, unless a row of that lane was known to run.
 */
export function recover(db: Database, former: FormerOwner, reading: ClockReading): Recovered {
  db.exec("BEGIN IMMEDIATE");
  try {
    const meta = new Map(db.all<{ key: string; value: number }>(recoverSql.meta).map((row) => [row.key, row.value]));
    const moment = momentFrom(reading, db.get<{ value: number }>(recoverSql.due)?.value ?? 0);
    const formerBoot = meta.get("boot") ?? 0;
    const firstEpoch = meta.get("epoch") ?? 1;
    const counted = new Set(db.all<{ key: string }>(recoverSql.runningLanes).map((row) => row.key));
    db.run(recoverSql.stopRunning);
    if (meta.get("clean") === 0) {
      // The note of claims is of use only when it is of the very start that ended uncleanly (it is not flushed).
      const suspects =
        former.boot === formerBoot
          ? former.claims
          : db.all<{ key: string }>(recoverSql.waitingLanes).map((row) => row.key);
      for (const lane of suspects) if (!counted.has(lane)) countHead(db, lane, moment.dueMs);
    }
    const boot = formerBoot + 1;
    db.run(recoverSql.setMeta, boot, "boot");
    db.run(recoverSql.setMeta, 0, "clean");
    db.run(recoverSql.setMeta, firstEpoch + EPOCH_BLOCK, "epoch");
    db.exec("COMMIT");
    return { boot, firstEpoch, moment };
  } catch (error) {
    if (db.inTransaction) db.exec("ROLLBACK");
    throw error;
  }
}

function countHead(db: Database, lane: string, dueMs: number): void {
  const head =
    db.get<{ id: number }>(recoverSql.headControl, lane, dueMs) ??
    db.get<{ id: number }>(recoverSql.headOther, lane, dueMs);
  if (head !== undefined) db.run(recoverSql.countAttempt, head.id);
}
