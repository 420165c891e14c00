import type { TurnLogEvent } from "@turnwire/turn-kernel";
import { TurnwireError, type TurnRow, type TurnStageRecord } from "@turnwire/turn-ports";

/** A stage of a turn as it happens: the kernel's event with the session and message it belongs to. No bodies. */
export type TurnEvent = TurnLogEvent;

/** Collects what is kept of a pass. */
export interface TurnRecord {
  /** For the kernel's `log`. */
  readonly log: (event: TurnLogEvent) => void;
  /** The row to store. */
  row(end: {
    readonly endedAtMs: number;
    readonly reason?: string | undefined;
    readonly outcome?: string | undefined;
    readonly error?: unknown;
  }): TurnRow;
}

/** What does not change during a pass. */
export interface TurnRecordHead {
  readonly turnId: string;
  readonly sessionKey: string;
  readonly channel: string;
  readonly accountId: string;
  readonly messageId: string;
  /** Counted from 1. */
  readonly attempt: number;
  readonly pass: "admission" | "run";
  readonly startedAtMs: number;
}

/** Opens the record of a pass; `onEvent` hears of every stage at once. */
export function createTurnRecord(head: TurnRecordHead, onEvent: (event: TurnEvent) => void): TurnRecord {
  const stages: TurnStageRecord[] = [];
  let admission: string | undefined;
  const { sessionKey, messageId } = head;
  return {
    log(event) {
      const { stage, atMs, durationMs, reason } = event;
      admission = event.admission ?? admission;
      const record: TurnStageRecord = { stage, event: event.event, atMs, durationMs, reason };
      stages.push(record);
      onEvent({ ...event, sessionKey: event.sessionKey ?? sessionKey, messageId: event.messageId ?? messageId });
    },
    row: ({ endedAtMs, reason, outcome, error }) => ({
      ...head,
      admission,
      reason,
      outcome,
      ...(error === undefined ? {} : { error: describeError(error) }),
      endedAtMs,
      stages,
    }),
  };
}

/** An error's code and one sentence. Only our own errors have sentences without bodies and secrets. */
export function describeError(error: unknown): { readonly code: string; readonly message: string } {
  if (TurnwireError.isInstance(error)) return { code: error.code, message: error.message };
  const name = error instanceof Error ? error.name : "unknown error";
  return { code: "internal", message: `${name} was thrown; the log of the process has more.` };
}
