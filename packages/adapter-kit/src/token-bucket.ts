import type { Clock } from "@turnwire/turn-kernel";

/** Tokens that come back at a steady rate, up to a burst. */
export interface TokenBucket {
  /** How long until a token is there, ms; 0 when one is. */
  readonly readyInMs: () => number;
  readonly take: () => void;
}

/** Rounding of a fraction of a token must not make a timer fire a moment too early, for ever. */
const EPSILON = 1e-9;

/** A full bucket of `burst` tokens, refilled with `perSecond`. */
export function createTokenBucket(clock: Clock, perSecond: number, burst: number): TokenBucket {
  let tokens = burst;
  let atMs = clock.monotonic();
  const refill = (): void => {
    const nowMs = clock.monotonic();
    tokens = Math.min(burst, tokens + ((nowMs - atMs) / 1000) * perSecond);
    atMs = nowMs;
  };
  return {
    readyInMs() {
      refill();
      return tokens >= 1 - EPSILON ? 0 : ((1 - tokens) / perSecond) * 1000;
    },
    take() {
      refill();
      tokens -= 1;
    },
  };
}
