import type { Clock } from "@turnwire/turn-kernel";

/** A clock that stands still until it is told to go on: time in tests. */
export interface ManualClock extends Clock {
  /**
   * Goes on by `ms`, firing due timers in the order of their times, each at its own time.
   * Promises that a timer's callback started get to run before the next timer fires.
   */
  advance(ms: number): Promise<void>;
  /** Moves the wall time alone, as an operator or NTP does; timers and `monotonic` are not touched. */
  jump(ms: number): void;
  /** Timers that wait. */
  readonly pendingTimers: number;
}

interface Timer {
  readonly id: number;
  readonly dueMs: number;
  readonly callback: () => void;
}

/** Turns of the microtask queue given to promises between two timers: chains of awaits in tests are shorter. */
const SETTLE_TURNS = 50;

async function settle(): Promise<void> {
  for (let turn = 0; turn < SETTLE_TURNS; turn += 1) await Promise.resolve();
}

/** @param startMs wall time at the start, epoch ms; default 2026-01-01. */
export function createManualClock(startMs: number = Date.UTC(2026, 0, 1)): ManualClock {
  let elapsedMs = 0;
  let offsetMs = startMs;
  let nextId = 0;
  const timers = new Map<number, Timer>();

  const earliest = (limitMs: number): Timer | undefined => {
    let found: Timer | undefined;
    for (const timer of timers.values()) {
      if (timer.dueMs > limitMs) continue;
      if (found === undefined || timer.dueMs < found.dueMs || (timer.dueMs === found.dueMs && timer.id < found.id)) {
        found = timer;
      }
    }
    return found;
  };

  return {
    now: () => offsetMs + elapsedMs,
    monotonic: () => elapsedMs,
    setTimer(callback, delayMs) {
      const id = nextId;
      nextId += 1;
      timers.set(id, { id, dueMs: elapsedMs + Math.max(0, delayMs), callback });
      return () => {
        timers.delete(id);
      };
    },
    async advance(ms) {
      const endMs = elapsedMs + ms;
      await settle();
      for (let timer = earliest(endMs); timer !== undefined; timer = earliest(endMs)) {
        timers.delete(timer.id);
        elapsedMs = Math.max(elapsedMs, timer.dueMs);
        timer.callback();
        await settle();
      }
      elapsedMs = endMs;
    },
    jump(ms) {
      offsetMs += ms;
    },
    get pendingTimers() {
      return timers.size;
    },
  };
}
