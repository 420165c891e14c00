import type { Clock } from "@turnwire/turn-kernel";

import { isSilentReply, maybeSilentPrefix } from "../silence.ts";
import { type BlockBounds, findTextBreak, type TextBreak } from "./find-text-break.ts";
import { type HumanDelay, humanDelayMs } from "./human-delay.ts";

/** An answer that leaves in blocks while it is still made. */
export interface BlockStreamer {
  /** More of the answer. Never throws. */
  readonly push: (delta: string) => void;
  /** A stretch of text has ended (a tool runs): what there is of it becomes a block, however short. */
  readonly endText: () => void;
  /** The answer has ended: resolves when all of it is emitted; rejects with what `emit` threw, and nothing is emitted behind that. */
  readonly finish: () => Promise<void>;
  /** Emits nothing more; a block that is being emitted is not called back. */
  readonly cancel: () => void;
}

/** How blocks are cut and paced. */
export interface BlockStreamerOptions {
  readonly clock: Clock;
  /** Gets one block of Markdown after another; the next one waits for it. */
  readonly emit: (block: string) => Promise<unknown>;
  /** Shortest block that is cut before the text ends. Default 800 UTF-16 units. */
  readonly minChars?: number | undefined;
  /** Longest block; a code block that is cut takes its fence lines on top. Default 1,200. */
  readonly maxChars?: number | undefined;
  /** Default `paragraph`. */
  readonly breakPreference?: TextBreak | undefined;
  /** Blocks that come within this time are joined up to `maxChars`. Default 1,000 ms; 0 joins none. */
  readonly coalesceIdleMs?: number | undefined;
  /** Default `off`. */
  readonly humanDelay?: HumanDelay | undefined;
  /** From 0 up to 1, for the pauses. Default `Math.random`. */
  readonly random?: (() => number) | undefined;
}

/** A block is about a screen of a telephone: long enough to be read as one, short enough to come early. */
const DEFAULT_MIN_CHARS = 800;
const DEFAULT_MAX_CHARS = 1200;
const DEFAULT_COALESCE_IDLE_MS = 1000;

/**
 * Cuts a growing text into blocks, joins those that come close together, and emits them in order.
 * Code blocks stay balanced. An answer that is nothing but the silent token is not emitted.
 */
export function createBlockStreamer(options: BlockStreamerOptions): BlockStreamer {
  const { clock, emit, humanDelay = "off", random = Math.random } = options;
  const minChars = Math.max(1, options.minChars ?? DEFAULT_MIN_CHARS);
  const bounds: BlockBounds = {
    minChars,
    maxChars: Math.max(minChars, options.maxChars ?? DEFAULT_MAX_CHARS),
    breakPreference: options.breakPreference ?? "paragraph",
  };
  const idleMs = options.coalesceIdleMs ?? DEFAULT_COALESCE_IDLE_MS;
  /** Not cut yet. */
  let text = "";
  /** Cut, and waiting for others to join it. */
  let ready = "";
  /** White space between `ready` and what comes next. */
  let gap = "";
  let hasEmitted = false;
  let isCancelled = false;
  let failure: { readonly error: unknown } | null = null;
  let emissions: Promise<void> = Promise.resolve();
  let cancelIdle: (() => void) | null = null;
  let cancelPause: (() => void) | null = null;

  function pause(delayMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancelTimer = clock.setTimer(resolve, delayMs);
    cancelPause = () => {
      cancelTimer();
      resolve();
    };
    return promise;
  }

  async function emitNext(block: string): Promise<void> {
    const delayMs = hasEmitted ? humanDelayMs(humanDelay, random()) : 0;
    hasEmitted = true;
    if (delayMs > 0 && !isCancelled) await pause(delayMs);
    if (isCancelled || failure !== null) return;
    try {
      await emit(block);
    } catch (error) {
      failure = { error };
    }
  }

  function release(): void {
    cancelIdle?.();
    cancelIdle = null;
    const block = ready;
    ready = "";
    if (block.trim() === "") return;
    emissions = emissions.then(() => emitNext(block));
  }

  function add(block: string, between: string): void {
    const joined = ready === "" ? block : ready + gap + block;
    if (joined.length > bounds.maxChars) {
      release();
      ready = block;
    } else {
      ready = joined;
    }
    gap = between;
    if (idleMs === 0) release();
  }

  function cut(): void {
    for (let at = findTextBreak(text, bounds); at !== null; at = findTextBreak(text, bounds)) {
      const block = text.slice(0, at.end);
      const { fence } = at;
      add(fence === null ? block : `${block}\n${fence.closing}`, text.slice(at.end, at.next) || "\n");
      text = (fence === null ? "" : `${fence.opening}\n`) + text.slice(at.next);
    }
  }

  function waitForMore(): void {
    cancelIdle?.();
    cancelIdle = ready === "" ? null : clock.setTimer(release, idleMs);
  }

  return {
    push(delta) {
      if (isCancelled || delta === "") return;
      text += delta;
      cut();
      waitForMore();
    },
    endText() {
      const mayBeSilent = !hasEmitted && ready === "" && maybeSilentPrefix(text);
      if (isCancelled || mayBeSilent) return;
      if (text.trim() !== "") add(text.trimEnd(), "\n\n");
      text = "";
      waitForMore();
    },
    async finish() {
      const isSilent = !hasEmitted && ready === "" && isSilentReply(text);
      if (!isCancelled && !isSilent) {
        if (text.trim() !== "") add(text.trimEnd(), "");
        release();
      }
      text = "";
      await emissions;
      if (failure !== null) throw failure.error;
    },
    cancel() {
      isCancelled = true;
      text = "";
      ready = "";
      cancelIdle?.();
      cancelPause?.();
    },
  };
}
