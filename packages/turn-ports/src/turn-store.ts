import type { ApprovalStore } from "./approval-store.ts";
import type { BlobStore } from "./blob-store.ts";
import type { ChannelState } from "./channel-state.ts";
import type { Fence } from "./fence.ts";
import type { HistoryStore } from "./history-store.ts";
import type { AcceptOutcome, AcceptRequest, InboxStore } from "./inbox-store.ts";
import type { LaneStore } from "./lane-store.ts";
import type { LeaseStore } from "./lease-store.ts";
import type { OutboxStore } from "./outbox-store.ts";
import type { PairingStore } from "./pairing-store.ts";
import type { SessionStore } from "./session-store.ts";
import type { StoreWrite } from "./store-write.ts";
import type { ToolJournalStore } from "./tool-journal-store.ts";
import type { TurnLog } from "./turn-row.ts";

/**
 * All that must outlive a process, as a façade over small ports. Two writes: `accept` (events come in)
 * and `commit` (a step of a turn or a delivery); everything else reads.
 *
 * Errors: `store_unavailable` (passing; try again), `store_full` (disk), `store_locked` (another process owns it),
 * `store_schema_newer` (made by a newer release), `store_schema_older` (to be migrated first, when `open` may not),
 * `fenced` (the caller no longer owns what it writes to), `store_conflict` (an id that exists already).
 */
export interface TurnStore {
  /** Name of the implementation, e.g. `sqlite`. */
  readonly kind: string;
  /**
   * Opens, takes the lock, migrates unless told not to, and makes rows that were running before a crash waiting again,
   * with their attempt counted. A plain turn does not commit its start: for a lane that was claimed when its owner died
   * and has no running row, the first ready row counts one attempt more, so that a message that kills the process does not do so for ever.
   */
  open(): Promise<void>;
  /** Waits for writes under way, then closes. Idempotent. */
  close(): Promise<void>;
  /** Answers when the store can read and write. @throws `store_unavailable` */
  ping(): Promise<void>;

  /** One transaction: rows, dedupe keys, cursor, state. All of the batch or none of it. */
  accept(request: AcceptRequest): Promise<readonly AcceptOutcome[]>;
  /** One transaction: all writes or none. @throws `fenced` when any fence is stale. */
  commit(fences: readonly Fence[], writes: readonly StoreWrite[]): Promise<void>;
  /** Calls back with lane keys that got work, as a hint only; the reads are the truth. Returns the unsubscribe function. */
  onReady(listener: (keys: readonly string[]) => void): () => void;

  readonly inbox: InboxStore;
  readonly lanes: LaneStore;
  readonly outbox: OutboxStore;
  readonly sessions: SessionStore;
  readonly turns: TurnLog;
  readonly history: HistoryStore;
  readonly leases: LeaseStore;
  readonly journal: ToolJournalStore;
  readonly blobs: BlobStore;
  readonly pairings: PairingStore;
  readonly approvals: ApprovalStore;
  channelState(channel: string, accountId: string): ChannelState;
}
