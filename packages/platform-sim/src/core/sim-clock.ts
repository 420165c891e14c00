/** The simulator's time: the machine's, or one that is moved by hand. */
export interface SimClock {
  readonly mode: "real" | "manual";
  /** Epoch ms. */
  readonly now: () => number;
  /** Calls back after `delayMs`; returns how to cancel. */
  readonly after: (delayMs: number, callback: () => void) => () => void;
  /** Moves a manual clock on and fires what is due; does nothing on a real one. */
  readonly advance: (ms: number) => void;
  readonly close: () => void;
}

/** Runs on the machine's time. */
export function createRealClock(): SimClock {
  const timers = new Set<NodeJS.Timeout>();
  return {
    mode: "real",
    now: () => Date.now(),
    after(delayMs, callback) {
      const timer = setTimeout(() => {
        timers.delete(timer);
        callback();
      }, delayMs);
      timers.add(timer);
      return () => {
        clearTimeout(timer);
        timers.delete(timer);
      };
    },
    advance: () => {},
    close() {
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
}

/** Stands still until it is moved. */
export function createManualClock(startMs: number = Date.UTC(2026, 0, 1)): SimClock {
  let nowMs = startMs;
  let timers: { readonly dueMs: number; readonly callback: () => void }[] = [];
  return {
    mode: "manual",
    now: () => nowMs,
    after(delayMs, callback) {
      const timer = { dueMs: nowMs + delayMs, callback };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    advance(ms) {
      const endMs = nowMs + ms;
      for (;;) {
        const [next] = timers.filter((timer) => timer.dueMs <= endMs).toSorted((a, b) => a.dueMs - b.dueMs);
        if (next === undefined) break;
        timers = timers.filter((timer) => timer !== next);
        nowMs = Math.max(nowMs, next.dueMs);
        next.callback();
      }
      nowMs = endMs;
    },
    close() {
      timers = [];
    },
  };
}
