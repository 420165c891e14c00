import type { Fence } from "@turnwire/turn-ports";

import type { Accounts } from "./accounts.ts";
import type { Database } from "./database.ts";

/** Names of the lifetime counters, as in the table `counter`. */
export type CounterName =
  | "accepted"
  | "done"
  | "dropped"
  | "handled"
  | "dead"
  | "waiting"
  | `outbox.${"queued" | "sending" | "sent" | "rejected" | "unknown" | "given_up" | "superseded"}`;

/** What one accept or commit writes with: its effects outside SQL count only when its savepoint is kept. */
export interface WriteContext {
  readonly db: Database;
  /** Stamps of rows. */
  readonly nowMs: number;
  /** What is due: see `StoreMoment`. */
  readonly dueMs: number;
  /** A caller's wall time as the store's due time. */
  toDue(wallMs: number): number;
  readonly accounts: Accounts;
  requireFences(fences: readonly Fence[]): void;
  count(name: CounterName, by: number): void;
  /** Open rows of an account, for the intake bound. */
  load(accountRef: number, by: number): void;
  /** The lane got a row that is ready at this time. */
  advance(laneKey: string, readyAtMs: number): void;
  /** Rows of the lane changed; it is looked at once, at the end of the request. */
  touch(laneKey: string): void;
  /** The lane got work: its listener is told after the commit. */
  wake(laneKey: string): void;
}
