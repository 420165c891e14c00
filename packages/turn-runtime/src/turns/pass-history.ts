import type { HistoryEntry } from "@turnwire/turn-kernel";
import type { HistoryStore, InboxRow } from "@turnwire/turn-ports";

import type { StepBuffer } from "../step-buffer.ts";

/** Pending group history of one pass: read before ingest, written through the pass's own commit. */
export interface PassHistory {
  readonly key: string;
  readonly map: Map<string, HistoryEntry[]>;
  /** What the turn was shown has been answered: it goes, and what came meanwhile stays. */
  clearShown(): void;
}

/** Names the conversation and thread of a row among all histories. */
export function historyKeyOf(row: Pick<InboxRow, "channel" | "accountId" | "routePeer" | "threadId">): string {
  const parts = [row.channel, row.accountId, row.routePeer.kind, row.routePeer.id];
  if (row.threadId !== undefined) parts.push(row.threadId);
  return parts.map((part) => part.replaceAll("%", "%25").replaceAll(":", "%3A")).join(":");
}

/** Reads the history of a pass; direct chats have none. */
export async function hydrateHistory(source: {
  readonly store: HistoryStore;
  readonly row: InboxRow;
  readonly limit: number;
  readonly step: StepBuffer;
}): Promise<PassHistory> {
  const { store, row, limit, step } = source;
  const key = historyKeyOf(row);
  const isKept = limit > 0 && row.routePeer.kind !== "direct";
  const stored = isKept ? await store.load(key, limit) : [];
  const entries = stored.map(({ seq: _seq, ...entry }): HistoryEntry => entry);
  const lastSeq = stored.at(-1)?.seq;
  return {
    key,
    map: new Map(entries.length > 0 ? [[key, entries]] : []),
    clearShown() {
      if (lastSeq !== undefined) step.add({ op: "history.clear", historyKey: key, upToSeq: lastSeq });
    },
  };
}
