import type { InboxRow } from "@turnwire/turn-ports";

/** Rows that one turn answers, oldest first; never empty. */
export type RowBatch = readonly [InboxRow, ...InboxRow[]];

/** The row whose message, thread and reply ids are the turn's. */
export function lastOf(batch: RowBatch): InboxRow {
  return batch.at(-1) ?? batch[0];
}

/**
 * Groups fresh rows as debounce meant them: successive texts of one person in one conversation, up to and with
 * a media message, which ends the window. Without debounce every row stands alone.
 */
export function batchFreshRows(
  rows: readonly InboxRow[],
  isDebounced: (row: InboxRow) => boolean,
): readonly RowBatch[] {
  const batches: [InboxRow, ...InboxRow[]][] = [];
  for (const row of rows) {
    const current = batches.at(-1);
    const previous = current?.at(-1);
    const joins =
      previous?.kind === "text" &&
      (row.kind === "text" || row.kind === "media") &&
      isDebounced(row) &&
      isSameScope(previous, row);
    if (current !== undefined && joins) current.push(row);
    else batches.push([row]);
  }
  return batches;
}

/** Groups rows that belong to one turn already: a run of them had begun. Rows without a turn stand alone. */
export function batchKnownRows(rows: readonly InboxRow[]): readonly RowBatch[] {
  const byTurn = new Map<string, [InboxRow, ...InboxRow[]]>();
  for (const row of rows) {
    const key = row.turnId ?? `row ${row.id}`;
    const batch = byTurn.get(key);
    if (batch === undefined) byTurn.set(key, [row]);
    else batch.push(row);
  }
  return [...byTurn.values()];
}

function isSameScope(left: InboxRow, right: InboxRow): boolean {
  return (
    left.channel === right.channel &&
    left.accountId === right.accountId &&
    left.routePeer.kind === right.routePeer.kind &&
    left.routePeer.id === right.routePeer.id &&
    left.threadId === right.threadId &&
    left.senderId === right.senderId
  );
}
