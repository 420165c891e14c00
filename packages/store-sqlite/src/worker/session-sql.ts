import type { Sql } from "./sql.ts";

export interface SessionRecord {
  readonly key: string;
  readonly agent_id: string;
  readonly generation: number;
  readonly settings: string;
  readonly last_route: string | null;
  readonly meta: string;
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
}

export interface TranscriptRecord {
  readonly delivery_state: string | null;
  readonly entry: string;
}

const select =
  "SELECT key, agent_id, generation, settings, last_route, meta, created_at_ms, updated_at_ms FROM session";

export const sessionReadSql = {
  get: `${select} WHERE key = ?` as Sql,
  list: `${select} WHERE key > ? ORDER BY key LIMIT ?` as Sql,
  transcript: `SELECT delivery_state, entry FROM transcript
    WHERE session_key = ? AND generation = ifnull((SELECT generation FROM session WHERE key = ?), 0)
    ORDER BY seq DESC LIMIT ?` as Sql,
};

export const sessionWriteSql = {
  create: `INSERT INTO session (key, agent_id, generation, settings, last_route, meta, created_at_ms, updated_at_ms)
    VALUES (?, ?, 0, ifnull(?, '{}'), ?, ifnull(?, 'null'), ?, ?)
    ON CONFLICT DO UPDATE SET agent_id = excluded.agent_id, updated_at_ms = excluded.updated_at_ms,
      settings = ifnull(?, settings), last_route = ifnull(excluded.last_route, last_route), meta = ifnull(?, meta)` as Sql,
  update: `UPDATE session SET agent_id = ?, settings = ifnull(?, settings), last_route = ifnull(?, last_route),
    meta = ifnull(?, meta), updated_at_ms = ? WHERE key = ?` as Sql,
  reset: "UPDATE session SET generation = generation + 1, updated_at_ms = ? WHERE key = ?" as Sql,
  generation: "SELECT generation FROM session WHERE key = ?" as Sql,
  lastSeq: "SELECT max(seq) AS seq FROM transcript WHERE session_key = ? AND generation = ?" as Sql,
  append: `INSERT INTO transcript (session_key, generation, seq, turn_id, role, at_ms, delivery_state, entry)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)` as Sql,
  trim: "DELETE FROM transcript WHERE session_key = ? AND generation = ? AND seq <= ?" as Sql,
  settle:
    "UPDATE transcript SET delivery_state = ? WHERE turn_id = ? AND session_key = ? AND role = 'assistant'" as Sql,
};
