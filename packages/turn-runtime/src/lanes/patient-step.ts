import { TurnwireError, type Clock, type Logger } from "@turnwire/turn-ports";

import type { StepBuffer } from "../step-buffer.ts";

/** Pause before a flush is tried again while the store cannot be reached, ms. */
const STORE_RETRY_MS = 500;

/** Errors of the store that pass by themselves: the step is kept and written later. */
const PASSING: readonly string[] = ["store_unavailable", "store_full"];

/**
 * A step whose flush waits for the store as long as it cannot be reached: what happened has happened, and must not be
 * forgotten because the store was away for a while. Everything else that a flush throws (`fenced` above all) is thrown on,
 * and once `isGivenUp` the last error is.
 */
export function patientStep(
  step: StepBuffer,
  { clock, log, isGivenUp }: { readonly clock: Clock; readonly log: Logger; readonly isGivenUp: () => boolean },
): StepBuffer {
  return {
    fences: step.fences,
    add: (...writes) => step.add(...writes),
    async flush() {
      for (;;) {
        try {
          await step.flush();
          return;
        } catch (error) {
          const passes = TurnwireError.isInstance(error) && PASSING.includes(error.code);
          if (!passes || isGivenUp()) throw error;
          log.warn({ error }, "a turn's step could not be stored; it is kept and tried again");
          await new Promise<void>((resolve) => {
            clock.setTimer(resolve, STORE_RETRY_MS);
          });
        }
      }
    },
  };
}
