import type { FaultAction } from "./fault-request.ts";
import type { SimClock } from "./sim-clock.ts";

/** Waits for as long as a fault says, on the simulator's clock. */
export async function applyDelay({ delayMs }: FaultAction, clock: SimClock): Promise<void> {
  if (delayMs === undefined) return;
  await new Promise<void>((resolve) => {
    clock.after(delayMs, resolve);
  });
}
