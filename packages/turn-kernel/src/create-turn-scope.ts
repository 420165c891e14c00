import type { TurnAbortReason, TurnScope } from "./turn-scope.ts";

/** A scope with the means to end it; whoever creates one ends it. */
export interface OwnedTurnScope extends TurnScope {
  /** Releases everything, newest first, once. Resolves when all are done; a failing release does not keep the others. */
  release(): Promise<void>;
  /** True when there is nothing to release, so that nobody has to wait for it. */
  isEmpty(): boolean;
}

/** @param onReleaseError told of releases that failed. */
export function createTurnScope(onReleaseError?: (error: unknown) => void): OwnedTurnScope {
  const controller = new AbortController();
  const releases: (() => void | Promise<void>)[] = [];
  let closing: Promise<void> | null = null;

  async function attempt(release: () => void | Promise<void>): Promise<void> {
    try {
      await release();
    } catch (error) {
      onReleaseError?.(error);
    }
  }

  async function releaseAll(): Promise<void> {
    for (let release = releases.pop(); release !== undefined; release = releases.pop()) await attempt(release);
  }

  return {
    signal: controller.signal,
    abort(reason: TurnAbortReason) {
      if (!controller.signal.aborted) controller.abort(reason);
    },
    onRelease(release) {
      if (closing !== null) {
        void attempt(release);
        return () => {};
      }
      releases.push(release);
      return () => {
        const index = releases.indexOf(release);
        if (index >= 0) releases.splice(index, 1);
      };
    },
    async release() {
      closing ??= releaseAll();
      return closing;
    },
    isEmpty: () => closing === null && releases.length === 0,
  };
}
