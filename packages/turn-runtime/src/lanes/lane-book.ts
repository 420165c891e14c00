import type { OwnedTurnScope } from "@turnwire/turn-kernel";
import type { Clock, Fence, Ids, InboxRow, Logger, StoreWrite, TurnStore } from "@turnwire/turn-ports";

import { decideLane, type LaneEffect, type LaneEvent, type QueueSettings } from "../queue/lane-policy.ts";
import { IDLE_LANE, type LaneState } from "../queue/lane-state.ts";
import { createStepBuffer, type StepBuffer } from "../step-buffer.ts";
import type { RowBatch } from "./batch-rows.ts";
import { patientStep } from "./patient-step.ts";
import type { OpenTurn } from "./open-turn.ts";
import { rowWritesOf } from "./row-writes.ts";
import type { RunPermits } from "./run-permits.ts";
import type { PassEnd, TurnPasses } from "./turn-pass.ts";

/** What a lane works with. */
export interface LaneWorkerOptions {
  readonly laneKey: string;
  readonly fence: Fence;
  readonly store: TurnStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly permits: RunPermits;
  readonly passes: TurnPasses;
  readonly maxAttempts: number;
  /** How this row's channel queues; a session's own mode comes with the arrival. */
  readonly queueSettings: (row: InboxRow) => QueueSettings;
  readonly isDebounced: (row: InboxRow) => boolean;
  /** How often an owned lane looks for rows whose time has come, ms. */
  readonly rereadMs: number;
  /** Told when the policy drops messages, for the counters. */
  readonly onDropped: (count: number) => void;
}

/** Why a lane is given up without a fault. */
export const SHUTDOWN = "shutdown";

/** What is known of one owned lane: the policy's state, the open turns, and the work under way. */
export interface LaneBook {
  readonly options: LaneWorkerOptions;
  readonly turns: Map<string, OpenTurn>;
  /** Batches that were read and wait for their admission pass. */
  readonly line: RowBatch[];
  state: LaneState;
  /** The scope of the active run, also before its pass has begun. */
  activeScope: OwnedTurnScope | null;
  resets: number;
  /** The reset under way. */
  resetting: Promise<void>;
  /** The step of the active run: what it holds of the old conversation is stored before a reset is. */
  activeStep: StepBuffer | null;
  /** Rows that a stop ended before they were read; a read that began earlier must not bring them in. */
  readonly endedRows: Set<number>;
  stopsUnderWay: number;
  /** Set once the lane is no longer worked: nothing is written behind it. */
  isLost: boolean;
  /** Work under way. */
  readonly tasks: ReadonlySet<Promise<void>>;
  /** Moves the policy on; aborts and drops are carried out, the other effects are for the caller. */
  decide(event: LaneEvent): readonly LaneEffect[];
  /** Starts work beside the loop; its failure gives the lane up. */
  spawn(task: Promise<void>): void;
  /** Aborts all work and writes nothing more. */
  lose(error: unknown): void;
  /** A step under the lane's fence, whose flush waits while the store is away. */
  openStep(): StepBuffer;
  persist(writes: readonly StoreWrite[]): Promise<void>;
  /** The writes that end a turn made of these parts. */
  endingWrites(turn: OpenTurn, end: PassEnd, parts: readonly OpenTurn[]): readonly StoreWrite[];
  knownRowIds(): Set<number>;
  /** The summary lines of dropped turns; each is told once. */
  takeLines(turnIds: readonly string[]): readonly string[];
}

/** Opens the book of a lane that was just claimed. `onChange` is called whenever there may be something to do. */
export function openLaneBook(options: LaneWorkerOptions, onChange: () => void): LaneBook {
  const { fence, store, clock, log } = options;
  const tasks = new Set<Promise<void>>();
  const lines = new Map<string, string>();

  const book: LaneBook = {
    options,
    turns: new Map(),
    line: [],
    state: IDLE_LANE,
    activeScope: null,
    resets: 0,
    resetting: Promise.resolve(),
    activeStep: null,
    endedRows: new Set(),
    stopsUnderWay: 0,
    isLost: false,
    tasks,

    decide(event) {
      const decision = decideLane(book.state, event);
      book.state = decision.state;
      for (const effect of decision.effects) {
        if (effect.type === "abort") book.activeScope?.abort(effect.reason);
        if (effect.type === "drop") drop(effect.items.map((item) => item.turnId));
      }
      return decision.effects;
    },

    spawn(task) {
      const tracked: Promise<void> = task
        .catch((error: unknown) => book.lose(error))
        .finally(() => {
          tasks.delete(tracked);
          onChange();
        });
      tasks.add(tracked);
    },

    lose(error) {
      if (book.isLost) return;
      book.isLost = true;
      if (error !== SHUTDOWN) {
        log.warn({ laneKey: options.laneKey, error }, "a lane was given up; its next owner takes over what is left");
      }
      book.activeScope?.abort("shutdown");
      for (const turn of book.turns.values()) turn.admission?.abort("shutdown");
      onChange();
    },

    openStep: () => patientStep(createStepBuffer(store, [fence]), { clock, log, isGivenUp: () => book.isLost }),

    async persist(writes) {
      if (writes.length === 0 || book.isLost) return;
      const step = book.openStep();
      step.add(...writes);
      await step.flush();
    },

    endingWrites: (turn, end, parts) =>
      rowWritesOf(end, {
        turnId: turn.turnId,
        rows: parts.flatMap((part) => part.rows),
        last: turn.last,
        attempts: turn.attempt + 1,
        maxAttempts: options.maxAttempts,
        nowMs: clock.now(),
      }),

    knownRowIds() {
      const ids = new Set(book.line.flat().map((row) => row.id));
      for (const turn of book.turns.values()) for (const rowId of turn.item.rowIds) ids.add(rowId);
      return ids;
    },

    takeLines: (turnIds) =>
      turnIds.map((turnId) => {
        const text = lines.get(turnId) ?? "(a message from before a restart)";
        lines.delete(turnId);
        return text;
      }),
  };

  function drop(turnIds: readonly string[]): void {
    options.onDropped(turnIds.length);
    for (const turn of turnIds.flatMap((turnId) => book.turns.get(turnId) ?? [])) {
      turn.overflow = true;
      if (turn.text !== null) lines.set(turn.turnId, turn.text.line);
      // One whose admission pass is still under way ends with that pass, which finds the mark.
      const ended = turn.admitted.then(async () => {
        if (!book.turns.delete(turn.turnId)) return;
        await book.persist(book.endingWrites(turn, { kind: "dropped", reason: "queue_overflow" }, [turn]));
      });
      book.spawn(ended);
    }
  }

  return book;
}
