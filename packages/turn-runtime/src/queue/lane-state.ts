import type { LaneItem, WaitingItem } from "./lane-item.ts";

/** Why the policy has asked for the end of the active run. */
export type RunEnding =
  | { readonly reason: "superseded" }
  /** `turnIds` are the parts that the person stopped; the other parts of a collected turn run again. */
  | { readonly reason: "stop"; readonly turnIds: readonly string[] };

/** The run that has the lane. */
export interface ActiveRun {
  readonly turnId: string;
  /** What it answers: its own item, those collected with it, and those steered into it. */
  readonly items: readonly LaneItem[];
  /** Set once the policy has asked for its end. */
  readonly ending: RunEnding | null;
}

/** All that the policy remembers of a lane. */
export interface LaneState {
  readonly active: ActiveRun | null;
  /** In order of arrival. */
  readonly waiting: readonly WaitingItem[];
  /** Dropped by `summarize` and not yet told to a turn, oldest first. */
  readonly dropped: readonly LaneItem[];
}

/** A lane that nothing has happened in. */
export const IDLE_LANE: LaneState = { active: null, waiting: [], dropped: [] };
