import type { AcceptOutcome, AcceptRequest, InboxInsert } from "@turnwire/turn-ports";

import { accountSql } from "./accounts.ts";
import { inboxWriteSql } from "./inbox-sql.ts";
import { endRow } from "./inbox-writes.ts";
import { STATE_KEYS_LIMIT } from "./retention.ts";
import { StoreFailure } from "./store-failure.ts";
import type { WriteContext } from "./write-context.ts";

/** An event on its way to the worker: the raw event is JSON text already. */
export interface WireInboxInsert extends Omit<InboxInsert, "raw"> {
  readonly raw: string;
}

/** `AcceptRequest` as it crosses the threads. */
export interface WireAccept extends Omit<AcceptRequest, "rows" | "state"> {
  readonly rows: readonly WireInboxInsert[];
  /** Values as JSON text, null for a key to delete. */
  readonly state?: readonly { readonly key: string; readonly value: string | null }[] | undefined;
}

/** One key of the account's state. */
type WireStateWrite = NonNullable<WireAccept["state"]>[number];

/** How a row is first stored. */
interface Entry {
  readonly accountRef: number;
  readonly status: "waiting" | "handled" | "dead";
  readonly reason: string | null;
  readonly notBeforeMs: number;
}

/** Stores a batch of one account with its cursor and state. Runs inside a transaction. */
export function acceptBatch(context: WriteContext, request: WireAccept): readonly AcceptOutcome[] {
  if (request.lease !== undefined) context.requireFences([request.lease]);
  const accountRef = context.accounts.ref(request.channel, request.accountId);
  const outcomes = request.rows.map((row) => acceptRow(context, accountRef, row));
  if (request.cursor !== undefined) context.db.run(accountSql.setCursor, request.cursor, accountRef);
  if (request.state !== undefined) writeState(context, accountRef, request.state);
  return outcomes;
}

function acceptRow(context: WriteContext, accountRef: number, row: WireInboxInsert): AcceptOutcome {
  const { dueMs } = context;
  if (row.deadReason !== undefined) {
    const inboxId = insert(context, row, { accountRef, status: "dead", reason: row.deadReason, notBeforeMs: dueMs });
    return inboxId === null ? { kind: "duplicate" } : { kind: "dead", inboxId };
  }
  if (row.change !== "new") {
    const applied = applyToWaiting(context, accountRef, row);
    if (applied !== null) return applied;
  }
  const waits = row.debounce?.mode === "wait";
  const notBeforeMs = waits ? dueMs + row.debounce.delayMs : dueMs;
  const inboxId = insert(context, row, { accountRef, status: "waiting", reason: null, notBeforeMs });
  if (inboxId === null) return { kind: "duplicate" };
  if (row.debounce !== undefined && row.debounce.mode !== "bypass") {
    // What waits in the scope becomes ready together with the newest of it.
    const moved = context.db.all<{ lane_key: string }>(
      inboxWriteSql.extendScope,
      notBeforeMs,
      row.debounce.scope,
      accountRef,
      dueMs,
    );
    for (const { lane_key: laneKey } of moved) context.touch(laneKey);
  }
  context.advance(row.laneKey, notBeforeMs);
  context.wake(row.laneKey);
  return { kind: "accepted", inboxId };
}

/** An edit or delete of a message that still waits; null when none does. The event keeps a row of its own, for its dedupe keys. */
function applyToWaiting(context: WriteContext, accountRef: number, row: WireInboxInsert): AcceptOutcome | null {
  const { db, dueMs } = context;
  const peer = row.routePeer;
  const waiting = db.all<{ id: number; lane_key: string }>(
    inboxWriteSql.waitingMessage,
    row.messageId,
    accountRef,
    peer.kind,
    peer.id,
  );
  const newest = waiting.at(-1);
  if (newest === undefined) return null;
  const reason = row.change === "edit" ? "edit_applied" : "delete_applied";
  const own = insert(context, row, { accountRef, status: "handled", reason, notBeforeMs: dueMs });
  if (own === null) return { kind: "duplicate" };
  if (row.change === "edit") {
    db.run(inboxWriteSql.edit, row.raw, row.kind, row.command ?? null, lineOf(row), newest.id);
    context.touch(newest.lane_key);
    context.wake(newest.lane_key);
  } else {
    for (const { id } of waiting) endRow(context, id, { ending: "dropped", reason: "deleted" });
  }
  return { kind: "applied", inboxId: newest.id };
}

function writeState({ db }: WriteContext, accountRef: number, writes: readonly WireStateWrite[]): void {
  let added = 0;
  for (const { key, value } of writes) {
    if (value === null) {
      added -= db.run(accountSql.dropState, accountRef, key).changes;
    } else if (db.run(accountSql.changeState, value, accountRef, key).changes === 0) {
      db.run(accountSql.addState, accountRef, key, value);
      added += 1;
    }
  }
  if (added === 0) return;
  const keys = db.get<{ state_keys: number }>(accountSql.countState, added, accountRef)?.state_keys ?? 0;
  if (added > 0 && keys > STATE_KEYS_LIMIT) {
    throw new StoreFailure(
      "store_full",
      `An account may keep ${STATE_KEYS_LIMIT} keys of state and would have ${keys}; nothing was stored. Its adapter must delete keys that it no longer needs.`,
    );
  }
}

/** Null when one of the row's two keys is known. */
function insert(context: WriteContext, row: WireInboxInsert, entry: Entry): number | null {
  const { db, nowMs } = context;
  const ended = entry.status !== "waiting";
  const { changes, lastId } = db.run(
    inboxWriteSql.insert,
    entry.accountRef,
    entry.status,
    lineOf(row),
    entry.notBeforeMs,
    nowMs,
    ended ? nowMs : null,
    row.laneKey,
    row.dedupeKey,
    row.turnKey,
    row.messageId,
    row.change,
    row.routePeer.kind,
    row.routePeer.id,
    row.threadId ?? null,
    row.senderId,
    row.replyTarget,
    row.kind,
    row.command ?? null,
    entry.status === "waiting" && row.debounce?.mode === "wait" ? row.debounce.scope : null,
    entry.reason,
    row.raw,
  );
  if (changes === 0) return null;
  context.count("accepted", 1);
  context.count(entry.status, 1);
  if (!ended) context.load(entry.accountRef, 1);
  return lastId;
}

/** Control rows stand ahead of the line. */
function lineOf(row: Pick<InboxInsert, "kind">): 0 | 1 {
  return row.kind === "control" ? 0 : 1;
}
