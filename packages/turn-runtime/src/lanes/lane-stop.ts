import type { InboxRow, StoreWrite } from "@turnwire/turn-ports";

import { isSameTarget, type LaneTarget } from "../queue/lane-item.ts";
import { lastOf } from "./batch-rows.ts";
import type { LaneBook } from "./lane-book.ts";
import { targetOf, type OpenTurn } from "./open-turn.ts";

/** Whose work in which place is to end, and up to where. */
export interface StopRequest {
  readonly senderId: string;
  readonly target: LaneTarget;
  readonly beforeRowId: number;
}

/** Open rows looked at for messages that wait for their quiet time. */
const OPEN_LIMIT = 2_000;

/**
 * Ends everything of that person in that place: the active run, turns that wait, turns in admission, rows that were
 * read, and rows whose debounce is not over. Tells how many requests it was.
 */
export async function stopLane(book: LaneBook, request: StopRequest): Promise<number> {
  const { options } = book;
  const first = sweep(book, request);
  book.stopsUnderWay += 1;
  try {
    const open = await options.store.inbox.open(options.laneKey, OPEN_LIMIT);
    // A read that was under way may have brought rows in since.
    const second = sweep(book, request);
    const known = book.knownRowIds();
    const swept = [...first.readIds, ...second.readIds, ...[...first.waiting, ...second.waiting].flatMap(rowIdsOf)];
    const unread = open.filter((row) => isReached(row, request) && !known.has(row.id) && !swept.includes(row.id));
    // A read that is under way still sees these as waiting.
    for (const row of unread) book.endedRows.add(row.id);

    const waiting = [...first.waiting, ...second.waiting];
    for (const turn of waiting) {
      await turn.admitted;
      book.turns.delete(turn.turnId);
    }
    const ids = [...swept, ...unread.map((row) => row.id)];
    const writes: StoreWrite[] =
      ids.length === 0 ? [] : [{ op: "inbox.end", ids, ending: "handled", reason: "stopped" }];
    await book.persist(writes);
    return first.count + second.count + unread.length;
  } finally {
    book.stopsUnderWay -= 1;
  }
}

/** Ends what this process knows of, in one step that nothing can come between. */
function sweep(
  book: LaneBook,
  request: StopRequest,
): { readonly waiting: readonly OpenTurn[]; readonly readIds: readonly number[]; readonly count: number } {
  const effects = book.decide({ type: "stopped", ...request });
  const aborted = effects.filter((effect) => effect.type === "abort").length;
  const waiting = effects
    .flatMap((effect) => (effect.type === "end" ? effect.items : []))
    .flatMap((item) => book.turns.get(item.turnId) ?? []);
  const admitting = [...book.turns.values()].filter(
    (turn) => turn.admission !== null && !turn.stopped && isReached(turn.last, request),
  );
  for (const turn of admitting) {
    turn.stopped = true;
    turn.admission?.abort("stop");
  }
  const read = book.line.filter((batch) => isReached(lastOf(batch), request));
  for (const batch of read) book.line.splice(book.line.indexOf(batch), 1);
  const readIds = read.flat().map((row) => row.id);
  for (const id of readIds) book.endedRows.add(id);
  return { waiting, readIds, count: aborted + waiting.length + admitting.length + read.length };
}

function rowIdsOf(turn: OpenTurn): readonly number[] {
  return turn.item.rowIds;
}

function isReached(row: InboxRow, request: StopRequest): boolean {
  return (
    row.id < request.beforeRowId && row.senderId === request.senderId && isSameTarget(targetOf(row), request.target)
  );
}
