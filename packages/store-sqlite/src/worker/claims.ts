import type { Fence } from "@turnwire/turn-ports";

import { StoreFailure } from "./store-failure.ts";

/** Who has a key now. Lanes have no end; leases end at `untilMs` of the monotonic clock unless renewed. */
export interface Claim {
  readonly epoch: number;
  readonly holder: string;
  readonly untilMs: number;
}

/**
 * Lane claims and leases. One process owns the file, so they live in its memory: what dies with it is free again,
 * and epochs that only grow make every older fence stale.
 */
export interface Claims {
  get(key: string): Claim | undefined;
  /** Gives the key to a new owner. */
  take(key: string, holder: string, untilMs: number): Fence;
  extend(fence: Fence, untilMs: number): void;
  /** Whether the fence is the newest of its key and was not given up. */
  holds(fence: Fence): boolean;
  drop(fence: Fence): void;
  /** @throws StoreFailure `fenced` */
  require(fences: readonly Fence[]): void;
}

/** `nextEpoch` never answers the same number twice in the life of the file. */
export function createClaims(nextEpoch: () => number): Claims {
  const claims = new Map<string, Claim>();
  const holds = (fence: Fence): boolean => claims.get(fence.key)?.epoch === fence.epoch;
  return {
    holds,
    get: (key) => claims.get(key),
    take(key, holder, untilMs) {
      const epoch = nextEpoch();
      claims.set(key, { epoch, holder, untilMs });
      return { key, epoch };
    },
    extend(fence, untilMs) {
      const claim = claims.get(fence.key);
      if (claim?.epoch === fence.epoch) claims.set(fence.key, { ...claim, untilMs });
    },
    drop(fence) {
      if (holds(fence)) claims.delete(fence.key);
    },
    require(fences) {
      const stale = fences.find((fence) => !holds(fence));
      if (stale === undefined) return;
      const now = claims.get(stale.key);
      throw new StoreFailure(
        "fenced",
        `${stale.key} is no longer owned with epoch ${stale.epoch} (${now === undefined ? "nobody has it" : `epoch ${now.epoch} has it`}); nothing was written. Stop this work.`,
      );
    },
  };
}
