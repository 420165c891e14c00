import type { OutboxInsert, OutboxRow, OutboxStatus } from "@turnwire/turn-ports";

import type { StepBuffer } from "../step-buffer.ts";
import type { PartReport } from "./delivery-report.ts";

/** A part on its way, in memory. */
export interface PendingPart {
  row: OutboxRow;
  /** Its `sending` is committed and the call is to be made now. */
  isCommitted: boolean;
  /** Read from the store in `sending`: whether that call had an effect is unknown. */
  readonly isInterrupted: boolean;
  /** Parts of one payload: when one is refused, those behind it are not sent. */
  readonly group: object;
  /** The turn's step that its writes may join. */
  readonly step: StepBuffer | undefined;
  /** The last part of its payload: its receipt may wait for the turn's end. */
  readonly isLast: boolean;
  /** Resolves once its insert is committed; rejects when it never will be. */
  readonly stored: Promise<void>;
  readonly onSettled: ((report: PartReport) => void) | undefined;
}

/** How a part stands, for a report. */
export function reportOf(row: OutboxRow): PartReport {
  return { id: row.id, status: row.status, receipt: row.receipt, error: row.error };
}

/** The row that an insert becomes, as this process knows it. */
export function rowOf(insert: OutboxInsert, nowMs: number): OutboxRow {
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
