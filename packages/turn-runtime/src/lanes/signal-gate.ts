import type { Clock } from "@turnwire/turn-ports";

/** Lets one waiter sleep until something happens or a time has come. An opening that nobody waits for is remembered. */
export interface SignalGate {
  open(): void;
  /** Resolves at the next opening or after `delayMs`. */
  wait(delayMs: number): Promise<void>;
}

/** Creates a gate on the injected clock. */
export function createSignalGate(clock: Clock): SignalGate {
  let isOpen = false;
  let wake: (() => void) | null = null;
  return {
    open() {
      isOpen = true;
      wake?.();
    },
    async wait(delayMs) {
      if (!isOpen) {
        await new Promise<void>((resolve) => {
          const cancel = clock.setTimer(resolve, delayMs);
          wake = () => {
            cancel();
            resolve();
          };
        });
      }
      isOpen = false;
      wake = null;
    },
  };
}
