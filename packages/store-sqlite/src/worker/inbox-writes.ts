import type { InboxEnding, StoreWrite } from "@turnwire/turn-ports";

import { inboxWriteSql } from "./inbox-sql.ts";
import type { WriteContext } from "./write-context.ts";

/** Writes of one op. */
type Write<Op extends StoreWrite["op"]> = Extract<StoreWrite, { readonly op: Op }>;

/** What a row ends in. */
interface Ending {
  readonly ending: InboxEnding;
  readonly reason?: string | undefined;
  readonly mergedInto?: string | undefined;
}

/** Ends an open row; a row that has ended already is left as it is. */
export function endRow(context: WriteContext, id: number, { ending, reason, mergedInto }: Ending): void {
  const ended = context.db.get<{ lane_key: string; account_ref: number }>(
    inboxWriteSql.end,
    ending,
    reason ?? null,
    mergedInto ?? null,
    context.nowMs,
    id,
  );
  if (ended === undefined) return;
  context.count("waiting", -1);
  context.count(ending, 1);
  context.load(ended.account_ref, -1);
  context.touch(ended.lane_key);
}

export function endInbox(context: WriteContext, write: Write<"inbox.end">): void {
  for (const id of write.ids) endRow(context, id, write);
}

export function runInbox(context: WriteContext, write: Write<"inbox.run">): void {
  for (const id of write.ids) {
    const row = context.db.get<{ lane_key: string }>(inboxWriteSql.run, write.turnId, id);
    if (row !== undefined) context.touch(row.lane_key);
  }
}

export function deferInbox(context: WriteContext, write: Write<"inbox.defer">): void {
  for (const id of write.ids) {
    const row = context.db.get<{ lane_key: string }>(
      inboxWriteSql.defer,
      write.as,
      write.turnId,
      write.notBeforeMs === undefined ? null : context.toDue(write.notBeforeMs),
      id,
    );
    if (row !== undefined) context.touch(row.lane_key);
  }
}

export function requeueInbox(context: WriteContext, write: Write<"inbox.requeue">): void {
  for (const id of write.ids) {
    const row = context.db.get<{ lane_key: string }>(inboxWriteSql.requeue, context.toDue(write.notBeforeMs), id);
    if (row === undefined) continue;
    context.touch(row.lane_key);
    context.wake(row.lane_key);
  }
}

export function reviveInbox(context: WriteContext, write: Write<"inbox.revive">): void {
  const row = context.db.get<{ lane_key: string; account_ref: number }>(
    inboxWriteSql.revive,
    context.dueMs,
    write.laneKey ?? null,
    write.id,
  );
  if (row === undefined) return;
  context.count("dead", -1);
  context.count("waiting", 1);
  context.load(row.account_ref, 1);
  context.touch(row.lane_key);
  context.wake(row.lane_key);
}

export function discardInbox(context: WriteContext, write: Write<"inbox.discard">): void {
  context.db.run(inboxWriteSql.discard, write.id);
}
