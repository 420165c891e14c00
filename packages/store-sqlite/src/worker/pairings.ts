import type { Pairing } from "@turnwire/turn-ports";

import type { Sql } from "./sql.ts";
import { StoreFailure } from "./store-failure.ts";
import type { WriteContext } from "./write-context.ts";

export interface PairingRecord {
  readonly code: string;
  readonly channel: string;
  readonly account_id: string;
  readonly sender_id: string;
  readonly sender_label: string | null;
  readonly status: string;
  readonly created_at_ms: number;
}

const columns = "code, channel, account_id, sender_id, sender_label, status, created_at_ms";

export const pairingSql = {
  list: `SELECT ${columns} FROM pairing WHERE status IN ('pending', 'approved') ORDER BY status, created_at_ms LIMIT ?` as Sql,
  find: `SELECT ${columns} FROM pairing WHERE channel = ? AND account_id = ? AND sender_id = ?` as Sql,
  byCode: `SELECT ${columns} FROM pairing WHERE code = ?` as Sql,
  request: `INSERT INTO pairing (${columns}) VALUES (?, ?, ?, ?, ?, 'pending', ?)` as Sql,
  approve: `UPDATE pairing SET status = 'approved' WHERE code = ? RETURNING ${columns}` as Sql,
  revokeCode: "DELETE FROM pairing WHERE code = ?" as Sql,
  revokeSender: "DELETE FROM pairing WHERE channel = ? AND account_id = ? AND sender_id = ?" as Sql,
};

export function requestPairing(
  { db, nowMs }: WriteContext,
  pairing: Omit<Pairing, "status" | "createdAtMs">,
): { readonly pairing: PairingRecord; readonly created: boolean } {
  const { channel, accountId, senderId, senderLabel, code } = pairing;
  const existing = db.get<PairingRecord>(pairingSql.find, channel, accountId, senderId);
  if (existing !== undefined) return { pairing: existing, created: false };
  if (db.get<PairingRecord>(pairingSql.byCode, code) !== undefined) {
    throw new StoreFailure("store_conflict", "This pairing code is somebody else's already; make another one.");
  }
  db.run(pairingSql.request, code, channel, accountId, senderId, senderLabel ?? null, nowMs);
  const created = db.get<PairingRecord>(pairingSql.byCode, code);
  if (created === undefined)
    throw new StoreFailure("store_unavailable", "A pairing that was just stored is not there.");
  return { pairing: created, created: true };
}

export function approvePairing({ db }: WriteContext, code: string): PairingRecord | null {
  return db.get<PairingRecord>(pairingSql.approve, code) ?? null;
}

export function revokePairing({ db }: WriteContext, codeOrKey: string): boolean {
  if (db.run(pairingSql.revokeCode, codeOrKey).changes > 0) return true;
  // Sender ids may contain colons (`@ada:example.org`), channels and account ids may not.
  const [channel, accountId, ...sender] = codeOrKey.split(":");
  if (channel === undefined || accountId === undefined || sender.length === 0) return false;
  return db.run(pairingSql.revokeSender, channel, accountId, sender.join(":")).changes > 0;
}
