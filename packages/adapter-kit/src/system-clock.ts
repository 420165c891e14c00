import { performance } from "node:perf_hooks";

import type { Clock } from "@turnwire/turn-kernel";

/** Longest delay that a timer of Node takes, 2^31 - 1 ms; a longer one would fire at once. */
const MAX_TIMER_MS = 2_147_483_647;

/** The machine's own time. Its timers do not keep the process alive by themselves. */
export function createSystemClock(): Clock {
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    setTimer(callback, delayMs) {
      const timer = setTimeout(callback, Math.min(Math.max(0, delayMs), MAX_TIMER_MS));
      return () => {
        clearTimeout(timer);
      };
    },
  };
}
