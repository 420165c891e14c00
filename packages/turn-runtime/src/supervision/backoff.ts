/** Growing pauses between tries. */
export interface Backoff {
  /** The next pause, ms. */
  readonly nextMs: () => number;
  readonly reset: () => void;
}

/** Bounds of a backoff. */
export interface BackoffOptions {
  readonly initialMs: number;
  readonly maxMs: number;
  /** 0 to 1, as `Math.random`. */
  readonly random: () => number;
}

/** Doubles from `initialMs` to `maxMs`; each pause is between half and all of its step, so that many do not come back at once. */
export function createBackoff({ initialMs, maxMs, random }: BackoffOptions): Backoff {
  let stepMs = initialMs;
  return {
    nextMs() {
      const pauseMs = stepMs * (0.5 + random() / 2);
      stepMs = Math.min(maxMs, stepMs * 2);
      return pauseMs;
    },
    reset() {
      stepMs = initialMs;
    },
  };
}
