import type { Fence, StoreWrite, TurnStore } from "@turnwire/turn-ports";

/** Collects the writes of a turn's step, so that what belongs together is one commit and one disk flush. */
export interface StepBuffer {
  readonly fences: readonly Fence[];
  add(...writes: StoreWrite[]): void;
  /** Commits everything added so far, in order. What could not be committed stays and goes with the next flush. */
  flush(): Promise<void>;
}

/** Creates a buffer whose commits carry `fences`. */
export function createStepBuffer(store: TurnStore, fences: readonly Fence[]): StepBuffer {
  let waiting: StoreWrite[] = [];
  let tail: Promise<void> = Promise.resolve();

  async function commit(): Promise<void> {
    const writes = waiting;
    if (writes.length === 0) return;
    waiting = [];
    try {
      await store.commit(fences, writes);
    } catch (error) {
      waiting = [...writes, ...waiting];
      throw error;
    }
  }

  return {
    fences,
    add(...writes) {
      waiting.push(...writes);
    },
    flush() {
      // One after the other: a step's order is the order of its commits.
      const next = tail.then(commit);
      tail = next.catch(() => undefined);
      return next;
    },
  };
}
