import type { InboxRow, StoreWrite } from "@turnwire/turn-ports";

import type { PassEnd } from "./turn-pass.ts";

/** First pause before a failed turn is tried again, ms; doubled with every attempt. A passing fault rarely lasts longer. */
const RETRY_BASE_MS = 1_000;
/** Longest pause, ms. */
const RETRY_MAX_MS = 60_000;

/** What is known of the turn whose rows end. */
export interface EndingTurn {
  readonly turnId: string;
  readonly rows: readonly InboxRow[];
  /** Its message is the turn's; the others were merged into it. */
  readonly last: InboxRow;
  /** Runs begun, this one included. */
  readonly attempts: number;
  readonly maxAttempts: number;
  readonly nowMs: number;
}

/** True when a failed pass is not tried again. */
export function isLastAttempt({ attempts, maxAttempts }: EndingTurn): boolean {
  return attempts >= maxAttempts;
}

/** The writes that bring a turn's rows to their end, or back to waiting. */
export function rowWritesOf(end: PassEnd, turn: EndingTurn): readonly StoreWrite[] {
  switch (end.kind) {
    case "done":
      return endRows(turn, "done", end.reason);
    case "dropped":
    case "handled":
    case "dead":
      return endRows(turn, end.kind, end.reason);
    case "failed":
      return isLastAttempt(turn) ? endRows(turn, "dead", end.reason) : retryRows(turn, end.retryAfterMs);
    case "postponed":
      return requeueRows(turn, end.delayMs);
    case "deferred":
    case "aborted":
      // The queue decides what becomes of these.
      return [];
  }
}

function endRows(turn: EndingTurn, ending: "done" | "dropped" | "handled" | "dead", reason?: string): StoreWrite[] {
  const merged = turn.rows.filter((row) => row.id !== turn.last.id).map((row) => row.id);
  const writes: StoreWrite[] = [{ op: "inbox.end", ids: [turn.last.id], ending, reason }];
  if (merged.length === 0) return writes;
  // A batch that was not answered shares its turn's fate; one that was, is merged into it.
  const isDone = ending === "done";
  writes.push({
    op: "inbox.end",
    ids: merged,
    ending,
    reason,
    ...(isDone ? { mergedInto: turn.turnId } : {}),
  });
  return writes;
}

function retryRows(turn: EndingTurn, retryAfterMs?: number): StoreWrite[] {
  const pauseMs = Math.min(RETRY_MAX_MS, Math.max(retryAfterMs ?? 0, RETRY_BASE_MS * 2 ** (turn.attempts - 1)));
  return requeueRows(turn, pauseMs);
}

function requeueRows(turn: EndingTurn, pauseMs: number): StoreWrite[] {
  return [{ op: "inbox.requeue", ids: turn.rows.map((row) => row.id), notBeforeMs: turn.nowMs + Math.ceil(pauseMs) }];
}
