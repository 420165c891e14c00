import type { PendingHistoryEntry } from "./agent-runner.ts";

/** Pending group history by conversation + thread; writes go through `TurnStore.commit`. */
export interface HistoryStore {
  /** The newest entries of the key, oldest first, each with its sequence number. */
  load(historyKey: string, limit: number): Promise<readonly (PendingHistoryEntry & { readonly seq: number })[]>;
}
