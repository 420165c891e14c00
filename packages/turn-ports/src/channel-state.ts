import type { JsonValue } from "./json-value.ts";

/** One key of an account's small state; `null` deletes it. */
export interface ChannelStateWrite {
  readonly key: string;
  readonly value: JsonValue;
}

/** An account's cursor and key-value rows: read at start, written only together with accepted events. */
export interface ChannelState {
  /** The listener's cursor (Telegram offset, Matrix `next_batch`), or null before the first commit. */
  cursor(): Promise<string | null>;
  get(key: string): Promise<JsonValue>;
}
