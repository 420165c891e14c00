import { removeBlobFiles } from "./blobs.ts";
import type { Database, SqlValue } from "./database.ts";
import type { Sql } from "./sql.ts";
import { ENDED_LIMIT, PENDING_PAIRINGS_LIMIT, type Retention } from "./retention.ts";

/**
 * Each statement looks at a bounded window of the oldest rows of its table or status, so that its cost does not depend
 * on what is stored. An inbox row goes in two steps: its content first (`gone`), its dedupe keys later.
 */
export const purgeSql = {
  strip: `UPDATE inbox SET status = 'gone', raw = '', reason = NULL, merged_into = NULL, turn_id = NULL
    WHERE id IN (SELECT id FROM (SELECT id, ended_at_ms FROM inbox WHERE status = ? ORDER BY id LIMIT ?)
      WHERE ended_at_ms < ? OR id <= (SELECT max(id) FROM inbox) - ${ENDED_LIMIT})` as Sql,
  forget: `DELETE FROM inbox WHERE id IN (SELECT id FROM
    (SELECT id, ended_at_ms FROM inbox WHERE status = 'gone' ORDER BY id LIMIT ?) WHERE ended_at_ms < ?)` as Sql,
  outbox: `DELETE FROM outbox WHERE seq IN (SELECT seq FROM
    (SELECT seq, settled_at_ms FROM outbox WHERE status = ? ORDER BY seq LIMIT ?)
      WHERE settled_at_ms < ? OR seq <= (SELECT max(seq) FROM outbox) - ${ENDED_LIMIT})` as Sql,
  session: `DELETE FROM session WHERE key IN
    (SELECT key FROM session WHERE updated_at_ms < ? ORDER BY updated_at_ms LIMIT ?)` as Sql,
  transcript: `DELETE FROM transcript WHERE id IN (SELECT id FROM
    (SELECT id, at_ms FROM transcript WHERE id > 0 ORDER BY id LIMIT ?) WHERE at_ms < ?)` as Sql,
  history: `DELETE FROM history WHERE seq IN (SELECT seq FROM
    (SELECT seq, at_ms FROM history WHERE seq > 0 ORDER BY seq LIMIT ?) WHERE at_ms < ?)` as Sql,
  journal: `DELETE FROM journal WHERE id IN (SELECT id FROM
    (SELECT id, at_ms FROM journal WHERE id > 0 ORDER BY id LIMIT ?) WHERE at_ms < ?)` as Sql,
  approval: `DELETE FROM approval WHERE id IN
    (SELECT id FROM approval WHERE expires_at_ms < ? ORDER BY expires_at_ms LIMIT ?)` as Sql,
  pairing: `DELETE FROM pairing WHERE code IN (SELECT code FROM pairing
    WHERE status = 'pending' AND created_at_ms < ? ORDER BY created_at_ms LIMIT ?)` as Sql,
  pairingOverflow: `DELETE FROM pairing WHERE code IN (SELECT code FROM pairing
    WHERE status = 'pending' ORDER BY created_at_ms DESC LIMIT ? OFFSET ${PENDING_PAIRINGS_LIMIT})` as Sql,
  blob: `DELETE FROM blob WHERE seq IN (SELECT seq FROM
    (SELECT seq, at_ms FROM blob WHERE seq > 0 ORDER BY seq LIMIT ?) WHERE at_ms < ?) RETURNING id, size_bytes` as Sql,
  shrinkBlobs: "UPDATE meta SET value = value - ? WHERE key = 'blob_bytes'" as Sql,
};

/** Rows of one rule that one pass looks at. */
export const PURGE_WINDOW = 500;

/** What a pass removed, by table. */
export type PurgeReport = Readonly<Record<string, number>>;

interface Rule {
  readonly table: string;
  readonly sql: Sql;
  readonly values: readonly SqlValue[];
}

/** The rules of one pass, as data. `cutoff` tells from how far back on things are kept. */
function rules(cutoff: (keptMs: number) => number, kept: Retention, window: number): readonly Rule[] {
  const strip = (status: string, keptMs: number): Rule => ({
    table: "inbox",
    sql: purgeSql.strip,
    values: [status, window, cutoff(keptMs)],
  });
  const outbox = (status: string): Rule => ({
    table: "outbox",
    sql: purgeSql.outbox,
    values: [status, window, cutoff(kept.outboxMs)],
  });
  return [
    strip("done", kept.endedMs),
    strip("dropped", kept.endedMs),
    strip("handled", kept.endedMs),
    strip("dead", kept.deadMs),
    { table: "dedupe", sql: purgeSql.forget, values: [window, cutoff(kept.dedupeMs)] },
    outbox("sent"),
    outbox("rejected"),
    outbox("given_up"),
    outbox("superseded"),
    { table: "session", sql: purgeSql.session, values: [cutoff(kept.sessionMs), window] },
    { table: "transcript", sql: purgeSql.transcript, values: [window, cutoff(kept.sessionMs)] },
    { table: "history", sql: purgeSql.history, values: [window, cutoff(kept.historyMs)] },
    { table: "journal", sql: purgeSql.journal, values: [window, cutoff(kept.journalMs)] },
    { table: "approval", sql: purgeSql.approval, values: [cutoff(kept.approvalMs), window] },
    { table: "pairing", sql: purgeSql.pairing, values: [cutoff(kept.pairingMs), window] },
    { table: "pairing", sql: purgeSql.pairingOverflow, values: [window] },
  ];
}

/** One pass over all tables, in one transaction. */
export function purge(
  db: Database,
  options: {
    readonly nowMs: number;
    readonly retention: Retention;
    readonly blobDir: string;
    readonly window?: number;
  },
): PurgeReport {
  const { nowMs, retention, blobDir, window = PURGE_WINDOW } = options;
  const cutoff = (keptMs: number): number => nowMs - keptMs;
  const removed: Record<string, number> = {};
  let files: readonly string[] = [];
  db.exec("BEGIN IMMEDIATE");
  try {
    for (const rule of rules(cutoff, retention, window)) {
      const { changes } = db.run(rule.sql, ...rule.values);
      removed[rule.table] = (removed[rule.table] ?? 0) + changes;
    }
    const blobs = db.all<{ id: string; size_bytes: number }>(purgeSql.blob, window, cutoff(retention.blobMs));
    removed["blob"] = blobs.length;
    if (blobs.length > 0)
      db.run(
        purgeSql.shrinkBlobs,
        blobs.reduce((sum, blob) => sum + blob.size_bytes, 0),
      );
    files = blobs.map((blob) => blob.id);
    db.exec("COMMIT");
  } catch (error) {
    if (db.inTransaction) db.exec("ROLLBACK");
    throw error;
  }
  removeBlobFiles(blobDir, files);
  return removed;
}
