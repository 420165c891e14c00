import type {
  Approval,
  InboxRow,
  OutboxRow,
  Pairing,
  PendingHistoryEntry,
  SessionRow,
  ToolJournalEntry,
  TranscriptEntry,
  TurnRow,
} from "@turnwire/turn-ports";

import type { InboxRecord } from "./worker/inbox-sql.ts";
import type { OutboxRecord } from "./worker/outbox-sql.ts";
import type { PairingRecord } from "./worker/pairings.ts";
import type { SessionRecord, TranscriptRecord } from "./worker/session-sql.ts";

// Records of our own tables into rows of the ports. The casts repeat what the write side's types guarantee.

/** JSON text that we wrote ourselves. */
function parse<Value>(text: string): Value {
  return JSON.parse(text) as Value;
}

function parseOptional<Value>(text: string | null): Value | undefined {
  return text === null ? undefined : parse<Value>(text);
}

/** A due time as the wall clock has it; a held row's stays out of reach. */
function toWallMs(dueMs: number, aheadMs: number): number {
  return dueMs === Number.MAX_SAFE_INTEGER ? dueMs : dueMs - aheadMs;
}

export function toInboxRow(record: InboxRecord, aheadMs: number): InboxRow {
  return {
    id: record.id,
    channel: record.channel,
    accountId: record.account_id,
    status: record.status as InboxRow["status"],
    notBeforeMs: toWallMs(record.not_before_ms, aheadMs),
    acceptedAtMs: record.accepted_at_ms,
    endedAtMs: record.ended_at_ms ?? undefined,
    attempt: record.attempt,
    laneKey: record.lane_key,
    dedupeKey: record.dedupe_key,
    turnKey: record.turn_key,
    messageId: record.message_id,
    change: record.change as InboxRow["change"],
    routePeer: { kind: record.peer_kind as InboxRow["routePeer"]["kind"], id: record.peer_id },
    threadId: record.thread_id ?? undefined,
    senderId: record.sender_id,
    replyTarget: record.reply_target,
    kind: record.kind as InboxRow["kind"],
    command: record.command ?? undefined,
    deferredAs: (record.deferred_as ?? undefined) as InboxRow["deferredAs"],
    turnId: record.turn_id ?? undefined,
    mergedInto: record.merged_into ?? undefined,
    reason: record.reason ?? undefined,
    raw: parse(record.raw),
  };
}

export function toOutboxRow(record: OutboxRecord, aheadMs: number): OutboxRow {
  return {
    seq: record.seq,
    id: record.id,
    deliverKey: record.deliver_key,
    status: record.status as OutboxRow["status"],
    attempts: record.attempts,
    notBeforeMs: toWallMs(record.not_before_ms, aheadMs),
    createdAtMs: record.created_at_ms,
    firstAttemptAtMs: record.first_attempt_at_ms ?? undefined,
    lastAttemptAtMs: record.last_attempt_at_ms ?? undefined,
    settledAtMs: record.settled_at_ms ?? undefined,
    channel: record.channel,
    accountId: record.account_id,
    turnId: record.turn_id ?? undefined,
    sessionKey: record.session_key ?? undefined,
    purpose: record.purpose as OutboxRow["purpose"],
    target: parse(record.target),
    part: parse(record.part),
    receipt: parseOptional(record.receipt),
    error: parseOptional(record.error),
  };
}

export function toSessionRow(record: SessionRecord): SessionRow {
  return {
    key: record.key,
    agentId: record.agent_id,
    generation: record.generation,
    settings: parse(record.settings),
    lastRoute: parseOptional(record.last_route),
    meta: parse(record.meta),
    createdAtMs: record.created_at_ms,
    updatedAtMs: record.updated_at_ms,
  };
}

export function toTranscriptEntry(record: TranscriptRecord): TranscriptEntry {
  const entry = parse<TranscriptEntry>(record.entry);
  if (record.delivery_state === null) return entry;
  return { ...entry, deliveryState: record.delivery_state as TranscriptEntry["deliveryState"] };
}

export function toHistoryEntry(record: { readonly seq: number; readonly entry: string }): PendingHistoryEntry & {
  readonly seq: number;
} {
  return { ...parse<PendingHistoryEntry>(record.entry), seq: record.seq };
}

export function toJournalEntry(record: { readonly entry: string }): ToolJournalEntry {
  return parse(record.entry);
}

export function toApproval(record: { readonly approval: string }): Approval {
  return parse(record.approval);
}

export function toTurnRow(record: { readonly turn: string }): TurnRow {
  return parse(record.turn);
}

export function toPairing(record: PairingRecord): Pairing {
  return {
    code: record.code,
    channel: record.channel,
    accountId: record.account_id,
    senderId: record.sender_id,
    senderLabel: record.sender_label ?? undefined,
    status: record.status as Pairing["status"],
    createdAtMs: record.created_at_ms,
  };
}
