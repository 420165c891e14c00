import type { Database } from "./database.ts";
import { accountSql } from "./accounts.ts";
import { inboxReadSql, type InboxRecord } from "./inbox-sql.ts";
import { outboxReadSql, type OutboxRecord } from "./outbox-sql.ts";
import { pairingSql, type PairingRecord } from "./pairings.ts";
import { recordReadSql } from "./record-sql.ts";
import { READ_LIMIT } from "./retention.ts";
import { sessionReadSql, type SessionRecord, type TranscriptRecord } from "./session-sql.ts";

/** Newest-first lists start here when the caller names no row. */
const FROM_THE_NEWEST = Number.MAX_SAFE_INTEGER;

const bound = (limit: number): number => Math.max(0, Math.min(limit, READ_LIMIT));

/** Every read that needs nothing but the connection. Records come as they are stored; the caller's thread makes rows of them. */
export const reads = {
  "inbox.open": (db: Database, laneKey: string, limit: number): readonly InboxRecord[] =>
    db.all(inboxReadSql.open, laneKey, bound(limit)),
  "inbox.get": (db: Database, id: number): InboxRecord | null => db.get<InboxRecord>(inboxReadSql.get, id) ?? null,
  "inbox.list": (
    db: Database,
    filter: { readonly status?: string | undefined; readonly beforeId?: number | undefined; readonly limit: number },
  ): readonly InboxRecord[] => {
    const before = filter.beforeId ?? FROM_THE_NEWEST;
    return filter.status === undefined
      ? db.all(inboxReadSql.list, before, bound(filter.limit))
      : db.all(inboxReadSql.listByStatus, filter.status, before, bound(filter.limit));
  },
  counters: (db: Database): Readonly<Record<string, number>> =>
    Object.fromEntries(
      db.all<{ name: string; value: number }>(recordReadSql.counters).map((row) => [row.name, row.value]),
    ),
  "outbox.pending": (db: Database, deliverKey: string, limit: number): readonly OutboxRecord[] =>
    db.all(outboxReadSql.pending, deliverKey, bound(limit)),
  "outbox.byTurn": (db: Database, turnId: string): readonly OutboxRecord[] =>
    db.all(outboxReadSql.byTurn, turnId, READ_LIMIT),
  "outbox.get": (db: Database, id: string): OutboxRecord | null => db.get<OutboxRecord>(outboxReadSql.get, id) ?? null,
  "outbox.list": (
    db: Database,
    filter: { readonly status?: string | undefined; readonly beforeSeq?: number | undefined; readonly limit: number },
  ): readonly OutboxRecord[] => {
    const before = filter.beforeSeq ?? FROM_THE_NEWEST;
    return filter.status === undefined
      ? db.all(outboxReadSql.list, before, bound(filter.limit))
      : db.all(outboxReadSql.listByStatus, filter.status, before, bound(filter.limit));
  },
  "sessions.get": (db: Database, key: string): SessionRecord | null =>
    db.get<SessionRecord>(sessionReadSql.get, key) ?? null,
  "sessions.list": (db: Database, afterKey: string | undefined, limit: number): readonly SessionRecord[] =>
    db.all(sessionReadSql.list, afterKey ?? "", bound(limit)),
  "sessions.transcript": (db: Database, key: string, limit: number): readonly TranscriptRecord[] =>
    db.all<TranscriptRecord>(sessionReadSql.transcript, key, key, bound(limit)).toReversed(),
  "history.load": (db: Database, historyKey: string, limit: number): readonly { seq: number; entry: string }[] =>
    db.all<{ seq: number; entry: string }>(recordReadSql.history, historyKey, bound(limit)).toReversed(),
  "journal.byTurn": (db: Database, turnId: string): readonly { entry: string }[] =>
    db.all(recordReadSql.journal, turnId, READ_LIMIT),
  "approvals.get": (db: Database, token: string): { approval: string } | null =>
    db.get<{ approval: string }>(recordReadSql.approval, token) ?? null,
  "approvals.waiting": (db: Database, turnId: string): readonly { approval: string }[] =>
    db.all(recordReadSql.approvalsWaiting, turnId, READ_LIMIT),
  "turns.get": (db: Database, turnId: string): readonly { turn: string }[] =>
    db.all(recordReadSql.turn, turnId, READ_LIMIT),
  "turns.list": (
    db: Database,
    filter: {
      readonly sessionKey?: string | undefined;
      readonly beforeMs?: number | undefined;
      readonly limit: number;
    },
  ): readonly { turn: string }[] => {
    const before = filter.beforeMs ?? FROM_THE_NEWEST;
    return filter.sessionKey === undefined
      ? db.all(recordReadSql.turns, before, bound(filter.limit))
      : db.all(recordReadSql.turnsOfSession, filter.sessionKey, before, bound(filter.limit));
  },
  "pairings.list": (db: Database): readonly PairingRecord[] => db.all(pairingSql.list, READ_LIMIT),
  "pairings.find": (db: Database, channel: string, accountId: string, senderId: string): PairingRecord | null =>
    db.get<PairingRecord>(pairingSql.find, channel, accountId, senderId) ?? null,
  "blobs.get": (db: Database, id: string): { content_type: string } | null =>
    db.get<{ content_type: string }>(recordReadSql.blob, id) ?? null,
  "state.cursor": (db: Database, channel: string, accountId: string): string | null =>
    db.get<{ cursor: string | null }>(accountSql.cursor, channel, accountId)?.cursor ?? null,
} as const;
