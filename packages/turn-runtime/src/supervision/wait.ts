import type { Clock } from "@turnwire/turn-ports";

/** Resolves after `delayMs`, or at once when the signal aborts; never rejects. */
export async function wait(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  return new Promise((resolve) => {
    const finish = (): void => {
      cancel();
      signal.removeEventListener("abort", finish);
      resolve();
    };
    const cancel = clock.setTimer(finish, delayMs);
    signal.addEventListener("abort", finish, { once: true });
  });
}
