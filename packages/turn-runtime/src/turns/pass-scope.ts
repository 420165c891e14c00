import type { TurnAbortReason, TurnScope } from "@turnwire/turn-kernel";

/** A turn's scope with the right to close it. */
export interface PassScope extends TurnScope {
  /** Why it was aborted, null while it was not. */
  readonly abortReason: TurnAbortReason | null;
  /** Runs every release once, newest first, and waits for them. A failing release does not keep the others from running. */
  close(onError: (error: unknown) => void): Promise<void>;
}

/** Opens the scope of one pass of a turn. */
export function createPassScope(): PassScope {
  const controller = new AbortController();
  const releases = new Set<() => void | Promise<void>>();
  let reason: TurnAbortReason | null = null;
  let closed = false;

  return {
    signal: controller.signal,
    get abortReason() {
      return reason;
    },
    abort(why) {
      if (closed || reason !== null) return;
      reason = why;
      controller.abort(why);
    },
    onRelease(release) {
      if (closed) {
        void release();
        return () => undefined;
      }
      releases.add(release);
      return () => {
        releases.delete(release);
      };
    },
    async close(onError) {
      if (closed) return;
      closed = true;
      for (const release of [...releases].toReversed()) {
        try {
          await release();
        } catch (error) {
          onError(error);
        }
      }
      releases.clear();
    },
  };
}
