import type { Clock } from "@turnwire/turn-ports";

/** Resolves after `delayMs` or as soon as the signal aborts, whichever comes first; never rejects. */
export function waitFor(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
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
    const cancel = clock.setTimer(end, delayMs);
    signal.addEventListener("abort", end, { once: true });
  });
}
