import type { InboxRow, StoreWrite } from "@turnwire/turn-ports";

import { isSameTarget, type LaneTarget } from "../queue/lane-item.ts";
import { lastOf } from "./batch-rows.ts";
import type { LaneBook } from "./lane-book.ts";
import { targetOf } from "./open-turn.ts";

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
  // All decisions come before the first await: what arrives meanwhile was said after the command.
  const effects = book.decide({ type: "stopped", ...request });
  const aborted = effects.filter((effect) => effect.type === "abort").length;
  const waiting = effects
    .flatMap((effect) => (effect.type === "end" ? effect.items : []))
    .flatMap((item) => book.turns.get(item.turnId) ?? []);

  const admitting = [...book.turns.values()].filter((turn) => turn.admission !== null && isReached(turn.last, request));
  for (const turn of admitting) {
    turn.stopped = true;
    turn.admission?.abort("stop");
  }
  const read = book.line.filter((batch) => isReached(lastOf(batch), request));
  for (const batch of read) book.line.splice(book.line.indexOf(batch), 1);

  const known = book.knownRowIds();
  const open = await options.store.inbox.open(options.laneKey, OPEN_LIMIT);
  const readIds = read.flat().map((row) => row.id);
  const unread = open.filter((row) => !known.has(row.id) && !readIds.includes(row.id) && isReached(row, request));

  for (const turn of waiting) {
    await turn.admitted;
    book.turns.delete(turn.turnId);
  }
  const ids = [...waiting.flatMap((turn) => turn.item.rowIds), ...readIds, ...unread.map((row) => row.id)];
  const writes: StoreWrite[] = ids.length === 0 ? [] : [{ op: "inbox.end", ids, ending: "handled", reason: "stopped" }];
  await book.persist(writes);
  return aborted + waiting.length + admitting.length + read.length + unread.length;
}

function isReached(row: InboxRow, request: StopRequest): boolean {
  return (
    row.id < request.beforeRowId && row.senderId === request.senderId && isSameTarget(targetOf(row), request.target)
  );
}
