import { TurnwireError, type Clock } from "@turnwire/turn-ports";

import type { StepBuffer } from "../step-buffer.ts";

/** Pause before a flush is tried again while the store cannot be reached, ms. */
const STORE_RETRY_MS = 500;

/** Errors of the store that pass by themselves: the step is kept and written later. */
const PASSING: readonly string[] = ["store_unavailable", "store_full"];

/**
 * Writes a step, and waits for the store as long as it cannot be reached: what happened has happened,
 * and must not be forgotten because the store was away for a while.
 * @throws TurnwireError `fenced` and everything else that will not pass; the last error once `isGivenUp`.
 */
export async function flushStep(step: StepBuffer, clock: Clock, isGivenUp: () => boolean): Promise<void> {
  for (;;) {
    try {
      await step.flush();
      return;
    } catch (error) {
      const passes = TurnwireError.isInstance(error) && PASSING.includes(error.code);
      if (!passes || isGivenUp()) throw error;
      await new Promise<void>((resolve) => {
        clock.setTimer(resolve, STORE_RETRY_MS);
      });
    }
  }
}
