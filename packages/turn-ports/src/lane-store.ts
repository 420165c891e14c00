import type { Fence } from "./fence.ts";

/**
 * Ownership of lanes. Two families of keys share it: `turn:<sessionKey>` (inbox rows) and
 * `deliver:<channel>:<account>:<target>` (outbox rows of one reply target).
 *
 * A `turn:` lane has work when one of its waiting rows is ready. A `deliver:` queue is strict: it has work when its first
 * row in `queued` or `sending` is ready, or when an `unknown` row with a time of its own is (see `outbox.move`).
 */
export interface LaneStore {
  /**
   * Takes the lane with a new epoch, or returns null while a living owner has it. Epochs of a store only ever grow,
   * also across restarts. Rows that a former owner left `running` wait again.
   */
  claim(key: string, owner: string): Promise<Fence | null>;
  /**
   * In one transaction: looks once more for ready work; releases and answers true only when there is none.
   * True as well when the fence is stale: there is nothing to release. Rows still `running` wait again, and so are work.
   */
  release(fence: Fence): Promise<boolean>;
  /** Gives the lane up although there is work (shutdown); it is listed by `ready` again. */
  abandon(fence: Fence): Promise<void>;
  /** Keys with ready work that nobody owns, oldest first. `nextAtMs` tells when the next row becomes ready, null when none waits for its time. */
  ready(limit: number): Promise<{ readonly keys: readonly string[]; readonly nextAtMs: number | null }>;
}
