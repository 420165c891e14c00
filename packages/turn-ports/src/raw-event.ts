import type { JsonValue } from "./json-value.ts";

/**
 * One event of a platform in the small serialisable form that `ingest` needs and nothing more:
 * no SDK object, no socket, no function. It is what an inbox row holds, so a restarted process
 * or another node can run the turn from it.
 */
export interface RawEvent {
  /** The adapter's own name of the event's shape, e.g. `message` or `callback_query`. */
  readonly type: string;
  /** The platform's payload, cut to what the adapter reads. */
  readonly payload: JsonValue;
  /** When this process got the event, epoch ms. */
  readonly receivedAtMs: number;
}
