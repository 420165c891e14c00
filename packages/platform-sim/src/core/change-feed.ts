/** What changed for people to see. */
export interface PlaceChange {
  readonly place: string;
  readonly kind: "message" | "edit" | "delete" | "draft" | "typing" | "reaction" | "call" | "event";
}

/** Tells listeners of every change; waiting for a condition is listening until it holds. */
export interface ChangeFeed {
  readonly emit: (change: PlaceChange) => void;
  readonly listen: (listener: (change: PlaceChange) => void) => () => void;
  /** Resolves with the first defined value of `probe`, asked now and after each change. Rejects after `timeoutMs`. */
  readonly waitFor: <T>(
    probe: () => T | undefined,
    options?: { readonly timeoutMs?: number; readonly what?: string },
  ) => Promise<T>;
}

/** How long a wait takes at most when nothing else is said, ms. */
const DEFAULT_WAIT_MS = 10_000;

/** Creates a feed without listeners. */
export function createChangeFeed(): ChangeFeed {
  const listeners = new Set<(change: PlaceChange) => void>();
  const listen: ChangeFeed["listen"] = (listener) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  };
  return {
    emit(change) {
      for (const listener of listeners) listener(change);
    },
    listen,
    async waitFor(probe, { timeoutMs = DEFAULT_WAIT_MS, what = "the awaited condition" } = {}) {
      const first = probe();
      if (first !== undefined) return first;
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          stop();
          reject(new Error(`${what} did not come about within ${timeoutMs} ms.`));
        }, timeoutMs);
        const stop = listen(() => {
          const value = probe();
          if (value === undefined) return;
          clearTimeout(timer);
          stop();
          resolve(value);
        });
      });
    },
  };
}
