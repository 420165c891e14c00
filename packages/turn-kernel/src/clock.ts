/** Time as a port: the kernel and everything around it read it from here, so that every test is deterministic. */
export interface Clock {
  /** Wall time, epoch ms. */
  now(): number;
  /** Time that never goes back, ms from an arbitrary start; for durations. */
  monotonic(): number;
  /** Calls back once after `delayMs`; returns how to cancel. */
  setTimer(callback: () => void, delayMs: number): () => void;
}
