import { randomUUID } from "node:crypto";
import type { Clock, Ids } from "@turnwire/turn-kernel";

/** The machine's own time. */
export const clock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimer: (callback, delayMs) => {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};

/** Random ids. */
export const ids: Ids = { next: () => randomUUID() };
