import type { Ids } from "@turnwire/turn-ports";

/** Ids that a failing test can be read by. `prefix` keeps those of two processes apart. */
export function createCountedIds(prefix = "id"): Ids {
  let last = 0;
  return {
    next() {
      last += 1;
      return `${prefix}-${String(last).padStart(6, "0")}`;
    },
  };
}
