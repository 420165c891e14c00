import type { Clock, OutboxInsert, OutboxRow, OutboxStatus } from "@turnwire/turn-ports";

import type { StepBuffer } from "../step-buffer.ts";
import type { PartReport } from "./delivery-report.ts";

/** Somebody who waits for the parts that they submitted. */
export interface PartOwner {
  /** The turn's step that writes may join while the turn waits. */
  readonly step: StepBuffer | undefined;
  /** False once nobody waits any more: the turn may have ended, and its step with it. */
  readonly isWaiting: () => boolean;
  readonly onSettled: (report: PartReport) => void;
}

/** A part on its way, in memory. */
export interface PendingPart {
  row: OutboxRow;
  /** Its `sending` is committed and the call is to be made now. */
  isCommitted: boolean;
  /** A call was begun whose effect nobody knows. */
  isDoubtful: boolean;
  isFallback: boolean;
  /** When it may be tried, on the monotonic clock: a wall clock that jumps neither hurries nor stops it. */
  dueMs: number;
  /** When this process first tried it, on the monotonic clock. */
  firstTryMs: number | undefined;
  /** Parts of one payload: when one is refused, those behind it are not sent. */
  readonly group: object;
  readonly owner: PartOwner | undefined;
  /** The last part of its payload: its receipt may wait for the turn's end. */
  readonly isLast: boolean;
  /** Resolves once its insert is committed; rejects when it never will be. */
  readonly stored: Promise<void>;
}

/** The step that a part's writes join, while its turn waits. */
export function stepOf(item: PendingPart): StepBuffer | undefined {
  return item.owner?.isWaiting() === true ? item.owner.step : undefined;
}

/** How a part stands, for a report. */
export function reportOf(row: OutboxRow): PartReport {
  return { id: row.id, status: row.status, receipt: row.receipt, error: row.error };
}

/** True for a row that waits for a person: the store shows its time as the largest there is. */
export function isHeld(row: OutboxRow): boolean {
  return row.status === "unknown" && row.notBeforeMs === Number.MAX_SAFE_INTEGER;
}

/** Parts that are about to be stored by this process. */
export function submittedParts(
  inserts: readonly OutboxInsert[],
  options: { readonly clock: Clock; readonly owner: PartOwner | undefined; readonly stored: Promise<void> },
): PendingPart[] {
  const { clock, owner, stored } = options;
  const nowMs = clock.monotonic();
  const group = {};
  return inserts.map((insert, index) => ({
    row: rowOf(insert, clock.now()),
    isCommitted: insert.sending === true,
    isDoubtful: false,
    isFallback: false,
    dueMs: nowMs,
    firstTryMs: insert.sending === true ? nowMs : undefined,
    group,
    owner,
    isLast: index === inserts.length - 1,
    stored,
  }));
}

/** Parts that were found in the store, oldest first. */
export function storedParts(rows: readonly OutboxRow[], clock: Clock): PendingPart[] {
  let group = {};
  let before: OutboxRow | undefined;
  return rows.map((row) => {
    // One payload's parts are counted from 0; of several payloads of a turn each begins anew.
    const isSame = before !== undefined && before.turnId !== undefined && before.turnId === row.turnId;
    if (!isSame || before?.purpose !== row.purpose || row.part.index <= before.part.index) group = {};
    before = row;
    return {
      row,
      isCommitted: false,
      isDoubtful: row.status !== "queued",
      isFallback: false,
      dueMs: clock.monotonic() + Math.max(0, row.notBeforeMs - clock.now()),
      firstTryMs: undefined,
      group,
      owner: undefined,
      isLast: true,
      stored: Promise.resolve(),
    };
  });
}

/** The row that an insert becomes, as this process knows it. */
function rowOf(insert: OutboxInsert, nowMs: number): OutboxRow {
  const { sending, ...fields } = insert;
  const status: OutboxStatus = sending === true ? "sending" : "queued";
  const tried = sending === true ? { firstAttemptAtMs: nowMs, lastAttemptAtMs: nowMs } : {};
  return {
    ...fields,
    ...tried,
    seq: 0,
    status,
    attempts: sending === true ? 1 : 0,
    notBeforeMs: nowMs,
    createdAtMs: nowMs,
  };
}
