import type { Clock } from "@turnwire/turn-kernel";

/** A typing sign that is shown for as long as someone holds it. */
export interface TypingLease {
  /** Nothing is shown meanwhile: an approval waits, and it is the person's turn. Time goes on. */
  readonly pause: () => void;
  readonly resume: () => void;
  /** Ends it for good, and aborts the call under way. Idempotent. */
  readonly stop: () => void;
  /** False once stopped or over its time. */
  readonly isActive: () => boolean;
}

/** How a typing sign is shown. */
export interface TypingLeaseOptions {
  readonly clock: Clock;
  /** Time between the end of one call and the next; below the platform's own expiry. */
  readonly refreshMs: number;
  /** Longest time in all: whoever forgets to stop it cannot make it stay. */
  readonly maxMs: number;
  /** Shows it once. What it throws is swallowed: nobody misses a typing sign that could not be shown. */
  readonly show: (signal: AbortSignal) => Promise<unknown>;
}

/** Shows the sign at once and again until `stop`, `maxMs`, or a pause. One call at a time. */
export function createTypingLease({ clock, refreshMs, maxMs, show }: TypingLeaseOptions): TypingLease {
  let state: "showing" | "paused" | "stopped" = "showing";
  let call: AbortController | null = null;
  let cancelRefresh: (() => void) | null = null;
  const cancelLimit = clock.setTimer(stop, maxMs);

  async function run(): Promise<void> {
    cancelRefresh = null;
    if (state !== "showing" || call !== null) return;
    const own = new AbortController();
    call = own;
    // A `show` that throws before its first await is like one that rejects.
    await Promise.resolve(own.signal)
      .then(show)
      .catch(() => {});
    call = null;
    if (state !== "showing") return;
    // Resumed while an aborted call was still ending: show at once, as resume would have done.
    cancelRefresh = clock.setTimer(() => void run(), own.signal.aborted ? 0 : refreshMs);
  }

  function hold(next: "paused" | "stopped"): void {
    state = next;
    cancelRefresh?.();
    cancelRefresh = null;
    call?.abort();
  }

  function stop(): void {
    if (state === "stopped") return;
    cancelLimit();
    hold("stopped");
  }

  void run();
  return {
    pause() {
      if (state === "showing") hold("paused");
    },
    resume() {
      if (state !== "paused") return;
      state = "showing";
      void run();
    },
    stop,
    isActive: () => state !== "stopped",
  };
}
