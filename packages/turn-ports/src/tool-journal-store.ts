import type { JsonValue } from "./json-value.ts";

/** A tool call of a turn: written before the launch and again after the result, so that a resumed turn does not repeat finished work. */
export interface ToolJournalEntry {
  readonly turnId: string;
  readonly callId: string;
  readonly name: string;
  readonly args: JsonValue;
  readonly status: "started" | "ended" | "failed";
  readonly result?: JsonValue | undefined;
  readonly atMs: number;
}

/** Reads of the tool journal; writes go through `TurnStore.commit`. */
export interface ToolJournalStore {
  byTurn(turnId: string): Promise<readonly ToolJournalEntry[]>;
}
