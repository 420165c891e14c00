import { DatabaseSync } from "node:sqlite";

import type { AcceptRequest } from "@turnwire/turn-ports";

/**
 * The floor: the tables and indexes of the store, the statements of an accept, group commit, FULL, in one process,
 * with nothing of the port around them: no thread, no dedupe answer, no lanes, no savepoints, no typed errors.
 */
export function openRawFloor(path: string): {
  accept(request: AcceptRequest): Promise<void>;
  close(): void;
} {
  const db = new DatabaseSync(path);
  db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4000;");
  db.exec("INSERT INTO account (ref, channel, account_id) VALUES (1, 'telegram', 'default')");
  const insert = db.prepare(
    `INSERT INTO inbox (account_ref, status, line, not_before_ms, accepted_at_ms, attempt, lane_key, dedupe_key, turn_key,
      message_id, change, peer_kind, peer_id, sender_id, reply_target, kind, raw)
      VALUES (1, 'waiting', 1, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  );
  const cursor = db.prepare("UPDATE account SET cursor = ? WHERE ref = 1");
  const count = db.prepare("UPDATE counter SET value = value + ? WHERE name = 'accepted'");
  const begin = db.prepare("BEGIN IMMEDIATE");
  const commit = db.prepare("COMMIT");
  let waiting: { readonly request: AcceptRequest; readonly resolve: () => void }[] = [];

  const flush = (): void => {
    const group = waiting;
    waiting = [];
    const now = Date.now();
    begin.run();
    for (const { request } of group) {
      for (const row of request.rows) {
        insert.run(
          now,
          now,
          row.laneKey,
          row.dedupeKey,
          row.turnKey,
          row.messageId,
          row.change,
          row.routePeer.kind,
          row.routePeer.id,
          row.senderId,
          row.replyTarget,
          row.kind,
          JSON.stringify(row.raw),
        );
      }
      cursor.run(request.cursor ?? null);
    }
    count.run(group.length);
    commit.run();
    for (const { resolve } of group) resolve();
  };

  return {
    accept: (request) =>
      new Promise((resolve) => {
        if (waiting.length === 0) setImmediate(flush);
        waiting.push({ request, resolve });
      }),
    close() {
      db.close();
    },
  };
}
