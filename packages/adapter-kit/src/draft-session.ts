import type { Clock } from "@turnwire/turn-kernel";

import { maybeSilentPrefix } from "./silence.ts";

/** The platform's side of one live draft. No call overlaps another. */
export interface DraftTransport {
  /** Shows the first text. `failed`: this turn gets no draft. */
  readonly open: (text: string) => Promise<"sent" | "failed">;
  /** Shows newer text. `gone`: the draft does not exist any more. `retry`: not shown, more may be tried. */
  readonly update: (text: string) => Promise<"ok" | "not_modified" | "gone" | "retry">;
  /** Takes the draft away, where nothing replaces it. */
  readonly close: () => Promise<void>;
}

/** Where a draft is. `final`, `cancelled` and `gone` are ends. */
export type DraftState = "idle" | "opening" | "live" | "frozen" | "final" | "cancelled" | "gone";

/** How `finish` left the draft: `live` is a message that the final text must be written into; `none`: send it anew. */
export type DraftEnd = "live" | "none";

/** One live draft of one turn. */
export interface DraftSession {
  readonly state: () => DraftState;
  /** The whole text so far; the newest wins, equal text is not sent. Never throws. */
  readonly push: (fullText: string) => void;
  /** Stops updates, waits for the call under way, and tells whether there is a message to be edited. Exactly one end counts. */
  readonly finish: () => Promise<DraftEnd>;
  /** Stops updates and takes the draft away. */
  readonly cancel: () => Promise<void>;
}

/** How a draft behaves. */
export interface DraftSessionOptions {
  readonly clock: Clock;
  readonly transport: DraftTransport;
  /** Least time between two calls, ms. */
  readonly throttleMs: number;
  /** Text shorter than this is not shown yet. Default 1. */
  readonly minInitialChars?: number | undefined;
  /** Longest text of one message in the platform's unit; at it the draft freezes and the rest follows with the final. */
  readonly limit?: number | undefined;
  readonly measure?: ((text: string) => number) | undefined;
}

/**
 * One state machine: idle → opening → live (→ frozen) → final | cancelled, or gone when the platform lost it.
 * Lazy: nothing is shown before there is content, nor while the text may still become the silent token.
 */
export function createDraftSession(options: DraftSessionOptions): DraftSession {
  const { clock, transport, throttleMs, minInitialChars = 1, limit = Number.POSITIVE_INFINITY } = options;
  const measure = options.measure ?? ((text: string): number => text.length);
  let state: DraftState = "idle";
  let wanted = "";
  let shown = "";
  let lastCallMs = Number.NEGATIVE_INFINITY;
  let underway: Promise<void> | null = null;
  let cancelTimer: (() => void) | null = null;
  let end: Promise<DraftEnd> | null = null;

  const isOver = (): boolean => state === "final" || state === "cancelled" || state === "gone" || end !== null;

  async function call(): Promise<void> {
    const text = wanted;
    lastCallMs = clock.monotonic();
    if (state === "idle") {
      state = "opening";
      const result = await transport.open(text).catch((): "failed" => "failed");
      state = result === "sent" ? "live" : "gone";
      if (result === "sent") shown = text;
      return;
    }
    const result = await transport.update(text).catch((): "retry" => "retry");
    if (result === "gone") state = "gone";
    else if (result !== "retry") shown = text;
  }

  function due(): boolean {
    if (isOver() || state === "frozen" || wanted === shown) return false;
    return state !== "idle" || (wanted.trim().length >= minInitialChars && !maybeSilentPrefix(wanted));
  }

  function schedule(): void {
    if (underway !== null || cancelTimer !== null || !due()) return;
    const waitMs = lastCallMs + throttleMs - clock.monotonic();
    if (waitMs > 0) {
      cancelTimer = clock.setTimer(() => {
        cancelTimer = null;
        schedule();
      }, waitMs);
      return;
    }
    underway = call().finally(() => {
      underway = null;
      schedule();
    });
  }

  async function settle(): Promise<void> {
    cancelTimer?.();
    cancelTimer = null;
    await underway;
  }

  return {
    state: () => state,
    push(fullText) {
      if (isOver() || state === "frozen") return;
      if (measure(fullText) > limit) {
        // What is shown stays as it is; the final brings everything.
        if (state === "live") state = "frozen";
        return;
      }
      wanted = fullText;
      schedule();
    },
    async finish() {
      end ??= (async (): Promise<DraftEnd> => {
        await settle();
        const live = state === "live" || state === "frozen";
        if (state !== "gone") state = "final";
        return live ? "live" : "none";
      })();
      return end;
    },
    async cancel() {
      end ??= (async (): Promise<DraftEnd> => {
        await settle();
        const live = state === "live" || state === "frozen";
        state = "cancelled";
        if (live) await transport.close().catch(() => {});
        return "none";
      })();
      await end;
    },
  };
}
