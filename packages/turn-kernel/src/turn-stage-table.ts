import type { TurnStageEvent } from "./turn-log-event.ts";
import type { TurnStage } from "./turn-stage.ts";

/** How a stage may end. */
export type TurnStageEnd = Exclude<TurnStageEvent, "start" | "warning">;

/** What a stage is for, and each way in which it can end. */
export interface TurnStageRow {
  /** What it does, in a few words. */
  readonly work: string;
  /** `done` and `skipped` lead to the next stage, from dispatch to finalize; every other end leads to finalize at once. */
  readonly ends: readonly TurnStageEnd[];
}

/** The state machine as data: documents and diagrams are made of it, and a test holds it against what turns really do. */
export const TURN_STAGE_TABLE: Readonly<Record<TurnStage, TurnStageRow>> = {
  ingest: { work: "the raw event becomes a NormalizedTurnInput, or null", ends: ["done", "skipped", "drop", "error"] },
  classify: { work: "whether this kind of event can start a turn", ends: ["done", "skipped", "handled", "error"] },
  preflight: {
    work: "dedupe, hydration, decryption, partial facts; may admit or refuse",
    ends: ["done", "skipped", "drop", "handled", "error"],
  },
  resolve: {
    work: "route, reply plan, message, access, delivery: an assembled or a prepared turn",
    ends: ["done", "skipped", "drop", "handled", "error"],
  },
  authorize: {
    work: "the rule table over access and sender facts",
    ends: ["done", "skipped", "drop", "handled", "error"],
  },
  assemble: { work: "facts become the FinalizedMsgContext", ends: ["done", "skipped", "error"] },
  record: { work: "session metadata and last route", ends: ["done", "skipped", "error"] },
  dispatch: { work: "the queue decision, then the agent and delivery", ends: ["done", "skipped", "error"] },
  finalize: { work: "onFinalize, exactly once", ends: ["done", "skipped", "error"] },
};
