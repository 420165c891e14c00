import type { InboxRow } from "@turnwire/turn-ports";

import type { WaitingItem } from "../queue/lane-item.ts";
import { nextWakeAtMs } from "../queue/lane-policy.ts";
import { batchFreshRows, batchKnownRows } from "./batch-rows.ts";
import { openLaneBook, SHUTDOWN, type LaneBook, type LaneWorkerOptions } from "./lane-book.ts";
import { startAdmission, startRuns } from "./lane-pass.ts";
import { hasBegun, openTurn } from "./open-turn.ts";
import { createSignalGate } from "./signal-gate.ts";

/** One owned lane at work. */
export interface LaneWorker {
  /** New rows may be there. */
  poke(): void;
  /** No new turns; running ones go on. */
  drain(): void;
  /** Ends running turns with `shutdown`; their rows are left for the next owner. */
  abort(): void;
  /** Resolves when the lane is released (`idle`) or given up with work left in it (`given_up`). Never rejects. */
  readonly ended: Promise<"idle" | "given_up">;
}

/** Rows read beyond those that are known already. */
const READ_AHEAD = 64;
/** Open rows looked at when a lane is claimed: more than any cap on waiting messages. */
const RESTORE_LIMIT = 2_000;
/** Longest time that a restored turn waits: the longest pause between attempts. A clock that was set back must not hide it for longer. */
const MAX_RESTORED_DELAY_MS = 60_000;

/**
 * Works a lane that was claimed, until nothing is left in it. Admission passes run one after the other in order of
 * arrival, also while a run is active; control rows and the active run go on beside them.
 */
export function startLaneWorker(options: LaneWorkerOptions): LaneWorker {
  const { laneKey, fence, store, clock, ids, log, rereadMs } = options;
  const gate = createSignalGate(clock);
  const book = openLaneBook(options, () => gate.open());
  const newTurnId = (): string => ids.next();
  let isAdmitting = false;
  let hasNews = true;
  let isDraining = false;
  let readAtMs = 0;

  function admitNext(): void {
    const batch = book.line.shift();
    if (batch === undefined) return;
    isAdmitting = true;
    let isDecided = false;
    startAdmission(book, openTurn(batch, { newTurnId, atMs: clock.monotonic() }), () => {
      if (isDecided) return;
      isDecided = true;
      isAdmitting = false;
      gate.open();
    });
  }

  async function read(): Promise<void> {
    hasNews = false;
    readAtMs = clock.monotonic();
    // What was ended before this read begins, it does not see any more.
    if (book.stopsUnderWay === 0) book.endedRows.clear();
    const rows = await store.inbox.ready(laneKey, book.knownRowIds().size + READ_AHEAD);
    const known = book.knownRowIds();
    const fresh = rows.filter((row) => !known.has(row.id) && !book.endedRows.has(row.id));
    for (const row of fresh.filter(isControl)) {
      startAdmission(book, openTurn([row], { newTurnId, atMs: clock.monotonic() }), () => undefined);
    }
    const others = fresh.filter((row) => !isControl(row));
    restore(book, others.filter(hasBegun));
    book.line.push(
      ...batchFreshRows(
        others.filter((row) => !hasBegun(row)),
        options.isDebounced,
      ),
    );
  }

  async function work(): Promise<"idle" | "given_up"> {
    const open = await store.inbox.open(laneKey, RESTORE_LIMIT);
    restore(book, withEarlier(open, clock.now()));
    while (!book.isLost) {
      if (!isDraining) {
        if (hasNews || clock.monotonic() - readAtMs >= rereadMs) await read();
        if (!isAdmitting) admitNext();
        if (book.state.active === null) startRuns(book, book.decide({ type: "time-passed", nowMs: clock.monotonic() }));
      }
      const isBusy = book.tasks.size > 0 || book.state.active !== null;
      if (isDraining && !isBusy) break;
      if (!isBusy && !hasNews && book.line.length === 0 && book.state.waiting.length === 0) {
        if (await store.lanes.release(fence)) return "idle";
        hasNews = true;
      }
      const canGoOn = !isDraining && (hasNews || (!isAdmitting && book.line.length > 0));
      if (canGoOn || book.isLost) continue;
      const wakeAtMs = nextWakeAtMs(book.state) ?? Infinity;
      await gate.wait(Math.max(0, Math.min(wakeAtMs - clock.monotonic(), rereadMs)));
    }
    while (book.tasks.size > 0) await Promise.all(book.tasks);
    await store.lanes.abandon(fence);
    return "given_up";
  }

  return {
    poke() {
      hasNews = true;
      gate.open();
    },
    drain() {
      isDraining = true;
      gate.open();
    },
    abort() {
      isDraining = true;
      book.lose(SHUTDOWN);
    },
    ended: work().catch((error: unknown) => {
      book.lose(error);
      log.error({ laneKey, error }, "a lane ended with an error; its rows wait for its next owner");
      return "given_up" as const;
    }),
  };
}

/** Turns that had begun or waited before keep their place in the queue, and get their run. */
function restore(book: LaneBook, rows: readonly InboxRow[]): void {
  const { clock, ids } = book.options;
  const newTurnId = (): string => ids.next();
  const items = batchKnownRows(rows).map((batch): WaitingItem => {
    const nowMs = clock.monotonic();
    const turn = openTurn(batch, { newTurnId, atMs: nowMs });
    // Epoch times of rows become delays: the policy's time never goes back.
    const delayMs = Math.min(MAX_RESTORED_DELAY_MS, Math.max(0, turn.last.notBeforeMs - clock.now()));
    book.turns.set(turn.turnId, turn);
    const mode = turn.last.deferredAs === "collect" ? "collect" : "followup";
    return { ...turn.item, mode, dueAtMs: nowMs + delayMs };
  });
  if (items.length > 0) book.decide({ type: "restored", items });
}

/**
 * Rows that had begun, and those that came before any of them: a run that was cut off before its first commit left no
 * mark of its own, and must not fall behind what had waited for it.
 */
function withEarlier(open: readonly InboxRow[], nowMs: number): readonly InboxRow[] {
  const rows = open.filter((row) => !isControl(row));
  const lastBegun = rows.filter(hasBegun).reduce((last, row) => Math.max(last, row.id), 0);
  return rows.filter((row) => hasBegun(row) || (row.id < lastBegun && row.notBeforeMs <= nowMs));
}

function isControl(row: InboxRow): boolean {
  return row.kind === "control";
}
