import type { Clock } from "@turnwire/turn-ports";

/** Resolves after `ms`, or at once when `signal` aborts. Never rejects: the caller looks at the signal. */
export function wait(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const end = (): void => {
      cancel();
      signal.removeEventListener("abort", end);
      resolve();
    };
    const cancel = clock.setTimer(end, ms);
    signal.addEventListener("abort", end, { once: true });
  });
}
