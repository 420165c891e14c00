import type { RawEvent } from "./raw-event.ts";

/**
 * What the lane driver hands to `run` as `raw`: one event, or several that debounce or `collect`
 * made one turn. Oldest first; message, thread and reply ids come from the last.
 */
export interface InboundBatch {
  readonly events: readonly RawEvent[];
}
