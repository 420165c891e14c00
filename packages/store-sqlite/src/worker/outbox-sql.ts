import type { Sql } from "./sql.ts";

/** Columns of an outbox row as the reading side gets them; part, target, receipt and error stay JSON text. */
export interface OutboxRecord {
  readonly seq: number;
  readonly id: string;
  readonly deliver_key: string;
  readonly status: string;
  readonly attempts: number;
  readonly not_before_ms: number;
  readonly created_at_ms: number;
  readonly first_attempt_at_ms: number | null;
  readonly last_attempt_at_ms: number | null;
  readonly settled_at_ms: number | null;
  readonly channel: string;
  readonly account_id: string;
  readonly turn_id: string | null;
  readonly session_key: string | null;
  readonly purpose: string;
  readonly target: string;
  readonly receipt: string | null;
  readonly error: string | null;
  readonly part: string;
}

const select = `SELECT seq, id, deliver_key, status, attempts, not_before_ms, created_at_ms, first_attempt_at_ms,
  last_attempt_at_ms, settled_at_ms, channel, account_id, turn_id, session_key, purpose, target, receipt, error, part
  FROM outbox`;

export const outboxReadSql = {
  pending: `${select} WHERE deliver_key = ? AND settled_at_ms IS NULL ORDER BY seq LIMIT ?` as Sql,
  byTurn: `${select} WHERE turn_id = ? ORDER BY seq LIMIT ?` as Sql,
  get: `${select} WHERE id = ?` as Sql,
  list: `${select} WHERE seq < ? ORDER BY seq DESC LIMIT ?` as Sql,
  listByStatus: `${select} WHERE status = ? AND seq < ? ORDER BY seq DESC LIMIT ?` as Sql,
};

export const outboxWriteSql = {
  insert: `INSERT INTO outbox (id, deliver_key, status, attempts, not_before_ms, created_at_ms, first_attempt_at_ms,
    last_attempt_at_ms, channel, account_id, turn_id, session_key, purpose, target, part)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING` as Sql,
  find: "SELECT status, deliver_key FROM outbox WHERE id = ?" as Sql,
  move: `UPDATE outbox SET status = ?, not_before_ms = ?, attempts = attempts + ?,
    first_attempt_at_ms = ifnull(first_attempt_at_ms, ?), last_attempt_at_ms = ifnull(?, last_attempt_at_ms),
    settled_at_ms = ?, receipt = ifnull(?, receipt), error = ifnull(?, error), part = ifnull(?, part) WHERE id = ?` as Sql,
  supersede: `UPDATE outbox SET status = 'superseded', settled_at_ms = ?
    WHERE turn_id = ? AND status = 'queued' AND attempts = 0 RETURNING deliver_key` as Sql,
};
