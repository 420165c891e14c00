import type { Sql } from "./sql.ts";

/** Group history, tool journal, approvals, turn log, pairings, blobs, counters. */
export const recordReadSql = {
  history: "SELECT seq, entry FROM history WHERE history_key = ? ORDER BY seq DESC LIMIT ?" as Sql,
  journal: "SELECT entry FROM journal WHERE turn_id = ? ORDER BY id LIMIT ?" as Sql,
  approval: "SELECT approval FROM approval WHERE token = ?" as Sql,
  approvalsWaiting: "SELECT approval FROM approval WHERE turn_id = ? AND status = 'waiting' ORDER BY id LIMIT ?" as Sql,
  turn: "SELECT turn FROM turn WHERE turn_id = ? ORDER BY id LIMIT ?" as Sql,
  turns: "SELECT turn FROM turn WHERE started_at_ms < ? ORDER BY started_at_ms DESC, id DESC LIMIT ?" as Sql,
  turnsOfSession:
    "SELECT turn FROM turn WHERE session_key = ? AND started_at_ms < ? ORDER BY started_at_ms DESC, id DESC LIMIT ?" as Sql,
  counters: "SELECT name, value FROM counter" as Sql,
  blob: "SELECT content_type FROM blob WHERE id = ?" as Sql,
};

export const recordWriteSql = {
  appendHistory: "INSERT INTO history (history_key, at_ms, entry) VALUES (?, ?, ?)" as Sql,
  trimHistory: `DELETE FROM history WHERE history_key = ? AND seq <=
    (SELECT seq FROM history WHERE history_key = ? ORDER BY seq DESC LIMIT 1 OFFSET ?)` as Sql,
  clearHistory: "DELETE FROM history WHERE history_key = ? AND seq <= ?" as Sql,
  putJournal: `INSERT INTO journal (turn_id, call_id, at_ms, entry) VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET at_ms = excluded.at_ms, entry = excluded.entry` as Sql,
  putApproval: `INSERT INTO approval (token, turn_id, status, expires_at_ms, approval) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET status = excluded.status, expires_at_ms = excluded.expires_at_ms, approval = excluded.approval` as Sql,
  putTurn: `INSERT INTO turn (turn_id, pass, attempt, session_key, started_at_ms, turn) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET session_key = excluded.session_key, started_at_ms = excluded.started_at_ms, turn = excluded.turn` as Sql,
  trimTurns: "DELETE FROM turn WHERE id <= (SELECT max(id) FROM turn) - ?" as Sql,
  addCount: "UPDATE counter SET value = value + ? WHERE name = ?" as Sql,
  noteDue: "UPDATE counter SET value = max(value, ?) WHERE name = 'due_ms'" as Sql,
  ping: "UPDATE meta SET value = ? WHERE key = 'ping'" as Sql,
};
