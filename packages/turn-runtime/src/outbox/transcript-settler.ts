import type { Clock, DeliveryState, Logger, OutboxRow, TurnStore } from "@turnwire/turn-ports";

/** How long after a part's end its turn is looked at, ms: a turn that ends in that moment has written its entry by then. */
const SETTLE_DELAY_MS = 1_000;

/** Writes into transcripts what became of answers whose turns did not wait for it. */
export interface TranscriptSettler {
  /** A part has come to its end and nobody waited. */
  readonly note: (row: OutboxRow) => void;
  readonly close: () => void;
}

/**
 * Pure: what the next turn is told of an answer, from its parts; null while that is open, or when there is none.
 * Of several payloads the last one counts: before it there are blocks, or an edit that turned out to be impossible.
 */
export function decideDeliveryState(rows: readonly OutboxRow[]): DeliveryState | null {
  const visible = rows.filter(({ purpose }) => purpose === "final" || purpose === "block" || purpose === "tool");
  const last = visible.slice(visible.findLastIndex((row) => row.part.index === 0));
  const statuses = new Set(last.map((row) => row.status));
  if (statuses.size === 0 || statuses.has("queued") || statuses.has("sending")) return null;
  if (statuses.has("rejected") || statuses.has("given_up") || statuses.has("superseded")) return "failed";
  return statuses.has("unknown") ? "unknown" : "delivered";
}

/** Creates it; a state that could not be written stays `pending`, which claims nothing. */
export function createTranscriptSettler(options: {
  readonly store: TurnStore;
  readonly clock: Clock;
  readonly log: Logger;
}): TranscriptSettler {
  const { store, clock, log } = options;
  const timers = new Map<string, () => void>();

  async function settle(turnId: string, key: string): Promise<void> {
    timers.delete(turnId);
    try {
      const deliveryState = decideDeliveryState(await store.outbox.byTurn(turnId));
      if (deliveryState !== null) await store.commit([], [{ op: "transcript.settle", key, turnId, deliveryState }]);
    } catch (error) {
      log.warn({ error, turnId }, "A transcript could not be told what became of an answer");
    }
  }

  return {
    note({ turnId, sessionKey, purpose }) {
      if (turnId === undefined || sessionKey === undefined || purpose === "notice" || timers.has(turnId)) return;
      timers.set(
        turnId,
        clock.setTimer(() => void settle(turnId, sessionKey), SETTLE_DELAY_MS),
      );
    },
    close() {
      for (const cancel of timers.values()) cancel();
      timers.clear();
    },
  };
}
