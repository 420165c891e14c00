/** The nine stages, in the order in which every turn on every channel runs them. */
export const TURN_STAGES = [
  "ingest",
  "classify",
  "preflight",
  "resolve",
  "authorize",
  "assemble",
  "record",
  "dispatch",
  "finalize",
] as const;

/** One of the nine. */
export type TurnStage = (typeof TURN_STAGES)[number];
