import type { Sql } from "./sql.ts";

/** Columns of an inbox row as the reading side gets them; the raw event stays JSON text. */
export interface InboxRecord {
  readonly id: number;
  readonly channel: string;
  readonly account_id: string;
  readonly status: string;
  readonly not_before_ms: number;
  readonly accepted_at_ms: number;
  readonly ended_at_ms: number | null;
  readonly attempt: number;
  readonly lane_key: string;
  readonly dedupe_key: string;
  readonly turn_key: string | null;
  readonly message_id: string;
  readonly change: string;
  readonly peer_kind: string;
  readonly peer_id: string;
  readonly thread_id: string | null;
  readonly sender_id: string;
  readonly reply_target: string;
  readonly kind: string;
  readonly command: string | null;
  readonly deferred_as: string | null;
  readonly turn_id: string | null;
  readonly merged_into: string | null;
  readonly reason: string | null;
  readonly raw: string;
}

const select = `SELECT inbox.id, account.channel, account.account_id, status, not_before_ms, accepted_at_ms, ended_at_ms,
  attempt, lane_key, dedupe_key, turn_key, message_id, change, peer_kind, peer_id, thread_id, sender_id, reply_target,
  kind, command, deferred_as, turn_id, merged_into, reason, raw
  FROM inbox JOIN account ON account.ref = inbox.account_ref`;

/** Reads. */
export const inboxReadSql = {
  readyControl: `${select} WHERE lane_key = ? AND line = 0 AND status = 'waiting' AND not_before_ms <= ?
    ORDER BY not_before_ms, inbox.id LIMIT ?` as Sql,
  readyOther: `${select} WHERE lane_key = ? AND line = 1 AND status = 'waiting' AND not_before_ms <= ?
    ORDER BY not_before_ms, inbox.id LIMIT ?` as Sql,
  open: `${select} WHERE lane_key = ? AND ended_at_ms IS NULL ORDER BY inbox.id LIMIT ?` as Sql,
  get: `${select} WHERE inbox.id = ? AND status <> 'gone'` as Sql,
  list: `${select} WHERE inbox.id < ? AND status <> 'gone' ORDER BY inbox.id DESC LIMIT ?` as Sql,
  listByStatus: `${select} WHERE status = ? AND inbox.id < ? ORDER BY inbox.id DESC LIMIT ?` as Sql,
};

/** Writes, and the look-ups that belong to them. */
export const inboxWriteSql = {
  insert: `INSERT INTO inbox (account_ref, status, line, not_before_ms, accepted_at_ms, ended_at_ms, attempt, lane_key,
    dedupe_key, turn_key, message_id, change, peer_kind, peer_id, thread_id, sender_id, reply_target, kind, command,
    debounce_scope, reason, raw)
    VALUES (?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO NOTHING` as Sql,
  waitingMessage: `SELECT id, lane_key FROM inbox
    WHERE message_id = ? AND status = 'waiting' AND account_ref = ? AND peer_kind = ? AND peer_id = ? ORDER BY id` as Sql,
  edit: "UPDATE inbox SET raw = ?, kind = ?, command = ?, line = ? WHERE id = ? AND status = 'waiting'" as Sql,
  extendScope: `UPDATE inbox SET not_before_ms = ?
    WHERE debounce_scope = ? AND status = 'waiting' AND account_ref = ? AND not_before_ms > ? RETURNING lane_key` as Sql,
  run: `UPDATE inbox SET status = 'running', turn_id = ?, attempt = attempt + 1, debounce_scope = NULL
    WHERE id = ? AND ended_at_ms IS NULL RETURNING lane_key` as Sql,
  defer: `UPDATE inbox SET status = 'waiting', deferred_as = ?, turn_id = ?, not_before_ms = ifnull(?, not_before_ms),
    debounce_scope = NULL WHERE id = ? AND ended_at_ms IS NULL RETURNING lane_key` as Sql,
  requeue: `UPDATE inbox SET status = 'waiting', not_before_ms = ?, debounce_scope = NULL
    WHERE id = ? AND ended_at_ms IS NULL RETURNING lane_key` as Sql,
  end: `UPDATE inbox SET status = ?, reason = ?, merged_into = ?, ended_at_ms = ?, debounce_scope = NULL
    WHERE id = ? AND ended_at_ms IS NULL RETURNING lane_key, account_ref` as Sql,
  revive: `UPDATE inbox SET status = 'waiting', attempt = 0, reason = NULL, merged_into = NULL, deferred_as = NULL,
    turn_id = NULL, ended_at_ms = NULL, not_before_ms = ?, lane_key = ifnull(?, lane_key)
    WHERE id = ? AND status = 'dead' RETURNING lane_key, account_ref` as Sql,
  discard: "UPDATE inbox SET status = 'gone', raw = '' WHERE id = ? AND status = 'dead'" as Sql,
  runningOfLane: "SELECT 1 AS found FROM inbox WHERE lane_key = ? AND status = 'running' LIMIT 1" as Sql,
  stopLane: "UPDATE inbox SET status = 'waiting' WHERE lane_key = ? AND status = 'running'" as Sql,
};
