import { performance } from "node:perf_hooks";

import type { Clock } from "@turnwire/turn-kernel";

/** Longest delay that a timer of Node takes, 2^31 - 1 ms; a longer one would fire at once. */
const MAX_TIMER_MS = 2_147_483_647;

/** The machine's own time. Delays of any length are kept, also those longer than a timer of Node; no timer keeps the process alive. */
export function createSystemClock(): Clock {
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    setTimer(callback, delayMs) {
      let timer: NodeJS.Timeout;
      const arm = (leftMs: number): void => {
        const stepMs = Math.min(Math.max(0, leftMs), MAX_TIMER_MS);
        timer = setTimeout(() => {
          if (leftMs > stepMs) arm(leftMs - stepMs);
          else callback();
        }, stepMs);
        // A pending pause is no reason for a stopped process to stay.
        timer.unref();
      };
      arm(delayMs);
      return () => {
        clearTimeout(timer);
      };
    },
  };
}
