/** Gives a permit back. Calling it twice does nothing more. */
export type ReleasePermit = () => void;

/** The global cap on running turns. */
export interface RunPermits {
  /**
   * Waits for a free slot, first come, first served; null when the signal aborts first. Each lane asks for at most
   * one at a time, and only when its head is ready to run, so the order of asking is fair between lanes.
   */
  acquire(signal: AbortSignal): Promise<ReleasePermit | null>;
  readonly inUse: number;
  readonly waiting: number;
}

/** Creates `limit` permits. */
export function createRunPermits(limit: number): RunPermits {
  let inUse = 0;
  // A Set keeps the order of asking and forgets an aborted asker at once.
  const queue = new Set<() => void>();

  function grant(): ReleasePermit {
    inUse += 1;
    let released = false;
    return () => {
      if (released) return;
      released = true;
      inUse -= 1;
      const [next] = queue;
      next?.();
    };
  }

  return {
    acquire(signal) {
      if (signal.aborted) return Promise.resolve(null);
      if (inUse < limit) return Promise.resolve(grant());
      return new Promise((resolve) => {
        const settle = (): void => {
          queue.delete(settle);
          signal.removeEventListener("abort", settle);
          resolve(signal.aborted ? null : grant());
        };
        queue.add(settle);
        signal.addEventListener("abort", settle, { once: true });
      });
    },
    get inUse() {
      return inUse;
    },
    get waiting() {
      return queue.size;
    },
  };
}
