/** The two clocks of the caller, read in the same moment. */
export interface ClockReading {
  /** Wall time, epoch ms. */
  readonly nowMs: number;
  /** Time that never goes back, ms from an arbitrary start. */
  readonly monotonicMs: number;
}

/**
 * A moment of the store. Rows are stamped with `nowMs`; leases end by `monotonicMs`; whether a row is due is decided
 * by `dueMs`, which never goes back, not over a restart either, and moves at least as fast as real time:
 * a wall clock that is set back an hour neither hides what waits nor stretches a delay.
 */
export interface StoreMoment extends ClockReading {
  readonly dueMs: number;
  /** `dueMs` with its fraction, so that many short steps add up. */
  readonly exactDueMs: number;
  /** `dueMs - nowMs`: 0 until a wall clock was set back. */
  readonly aheadMs: number;
}

/** The next moment after `last`. */
export function nextMoment(last: StoreMoment | null, reading: ClockReading): StoreMoment {
  const passedMs = last === null ? 0 : Math.max(0, reading.monotonicMs - last.monotonicMs);
  return momentFrom(reading, last === null ? reading.nowMs : last.exactDueMs + passedMs);
}

/** A moment that is due at `leastDueMs` or later. */
export function momentFrom(reading: ClockReading, leastDueMs: number): StoreMoment {
  const { nowMs, monotonicMs } = reading;
  const exactDueMs = Math.max(nowMs, leastDueMs);
  const dueMs = Math.floor(exactDueMs);
  return { nowMs, monotonicMs, dueMs, exactDueMs, aheadMs: dueMs - nowMs };
}
