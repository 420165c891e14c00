import type { JsonValue } from "./json-value.ts";
import type { TranscriptEntry } from "./transcript-entry.ts";

/** Where later, unprompted sends of a session go; never the address of a reply. */
export interface LastRoute {
  readonly channel: string;
  readonly accountId?: string | undefined;
  readonly to: string;
  readonly threadId?: string | undefined;
}

/** What a person set by command for a session. */
export interface SessionSettings {
  readonly queueMode?: "steer" | "followup" | "collect" | "interrupt" | undefined;
  readonly reasoning?: "on" | "off" | "stream" | undefined;
  readonly verbose?: "on" | "off" | "full" | undefined;
  readonly model?: string | undefined;
}

/** A session's row. */
export interface SessionRow {
  readonly key: string;
  readonly agentId: string;
  /** 0 at first, advanced by `/new`: a late commit of an older generation is refused. */
  readonly generation: number;
  readonly settings: SessionSettings;
  readonly lastRoute?: LastRoute | undefined;
  /** Labels and facts of the last inbound message, for people who look at the session. */
  readonly meta: JsonValue;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** Reads of sessions and transcripts; writes go through `TurnStore.commit`. */
export interface SessionStore {
  get(key: string): Promise<SessionRow | null>;
  list(filter: { readonly afterKey?: string | undefined; readonly limit: number }): Promise<readonly SessionRow[]>;
  /** The newest entries of the current generation, oldest first. */
  transcript(key: string, limit: number): Promise<readonly TranscriptEntry[]>;
}
