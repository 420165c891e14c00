import type { MessageReceipt } from "@turnwire/turn-kernel";

import type { PendingHistoryEntry } from "./agent-runner.ts";
import type { Approval } from "./approval-store.ts";
import type { InboxEnding } from "./inbox-store.ts";
import type { JsonValue } from "./json-value.ts";
import type { OutboxInsert, OutboxStatus } from "./outbox-store.ts";
import type { LastRoute, SessionSettings } from "./session-store.ts";
import type { ToolJournalEntry } from "./tool-journal-store.ts";
import type { DeliveryState, TranscriptEntry } from "./transcript-entry.ts";
import type { TurnRow } from "./turn-row.ts";

/**
 * One write, as data. A step of a turn is a list of them, committed in one transaction under its fences:
 * that is what makes a step atomic on every store, lets a store group many steps into one disk flush,
 * and lets a test say exactly what a turn wrote.
 */
export type StoreWrite =
  /** A run of these rows begins: they are `running` under `turnId`, their attempt advances. */
  | { readonly op: "inbox.run"; readonly ids: readonly number[]; readonly turnId: string }
  /** An admission pass ended deferred: the rows wait on, marked. */
  | {
      readonly op: "inbox.defer";
      readonly ids: readonly number[];
      readonly as: "steer" | "followup" | "collect";
      readonly turnId: string;
      readonly notBeforeMs?: number | undefined;
    }
  /** Back to `waiting`, e.g. after a failed attempt that is tried again. */
  | { readonly op: "inbox.requeue"; readonly ids: readonly number[]; readonly notBeforeMs: number }
  /** Ends open rows; rows that have ended already are left as they are. */
  | {
      readonly op: "inbox.end";
      readonly ids: readonly number[];
      readonly ending: InboxEnding;
      readonly reason?: string | undefined;
      readonly mergedInto?: string | undefined;
    }
  /** An operator's retry of a dead letter: it waits again with attempt 0. */
  | { readonly op: "inbox.revive"; readonly id: number; readonly laneKey?: string | undefined }
  /** An operator's decision to forget a dead letter: its body goes, its ending stays `dead` for the counters. */
  | { readonly op: "inbox.discard"; readonly id: number }
  | { readonly op: "outbox.insert"; readonly row: OutboxInsert }
  /**
   * Applied only when the row is in one of `from`; otherwise the whole commit is refused with `fenced`.
   * `sending` counts an attempt. Absent `notBeforeMs`: now, except that a row moved to `unknown` without one is held:
   * it is listed by `pending`, but neither gives its queue work nor stands in the way of the rows behind it.
   */
  | {
      readonly op: "outbox.move";
      readonly id: string;
      readonly from: readonly OutboxStatus[];
      readonly to: OutboxStatus;
      readonly receipt?: MessageReceipt | undefined;
      readonly error?: { readonly code: string; readonly message: string } | undefined;
      readonly notBeforeMs?: number | undefined;
      readonly part?: OutboxInsert["part"] | undefined;
    }
  /** Queued, never-tried parts of a turn that a newer attempt or an interruption replaces. */
  | { readonly op: "outbox.supersede"; readonly turnId: string }
  /** Creates (at generation 0) or updates; only named fields change, each as a whole. */
  | {
      readonly op: "session.put";
      readonly key: string;
      readonly agentId: string;
      readonly createIfMissing: boolean;
      readonly meta?: JsonValue | undefined;
      readonly lastRoute?: LastRoute | undefined;
      readonly settings?: SessionSettings | undefined;
    }
  /** `/new`: a new generation; the transcript of older ones is no longer read. */
  | { readonly op: "session.reset"; readonly key: string }
  /** Refused with `fenced` when the session has moved on to another generation. */
  | {
      readonly op: "transcript.append";
      readonly key: string;
      readonly generation: number;
      readonly entries: readonly TranscriptEntry[];
    }
  /** What became of an assistant entry after its delivery. */
  | {
      readonly op: "transcript.settle";
      readonly key: string;
      readonly turnId: string;
      readonly deliveryState: DeliveryState;
    }
  | {
      readonly op: "history.append";
      readonly historyKey: string;
      readonly entry: PendingHistoryEntry;
      readonly limit: number;
    }
  /** Removes entries up to and including `upToSeq`; all when absent. */
  | { readonly op: "history.clear"; readonly historyKey: string; readonly upToSeq?: number | undefined }
  | { readonly op: "journal.put"; readonly entry: ToolJournalEntry }
  | { readonly op: "approval.put"; readonly approval: Approval }
  | { readonly op: "turn.put"; readonly turn: TurnRow };
