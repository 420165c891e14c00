import type { JsonValue } from "./json-value.ts";

/** What a part asks of the platform. All but `send` are idempotent and are simply repeated after an unknown outcome. */
export type OutboundOp = "send" | "edit" | "delete" | "draft" | "typing" | "react";

/** The content's kind, as receipts name it. */
export type OutboundPartKind = "text" | "media" | "voice" | "card" | "preview" | "unknown";

/**
 * One call to a platform, rendered and serialisable: an outbox row holds it, so that a restarted
 * process sends exactly the bytes that were planned. Made by `Channel.render` and never changed after.
 */
export interface OutboundPart {
  readonly op: OutboundOp;
  readonly kind: OutboundPartKind;
  /** Position among the parts of its payload, from 0. */
  readonly index: number;
  /** The message that `edit`, `delete` and `react` act upon. */
  readonly messageId?: string | undefined;
  /** The platform's own content, in the adapter's form; only the adapter reads it. */
  readonly body: JsonValue;
  /** The visible text without markup: for matching our own messages on read-back, and for the console. */
  readonly text?: string | undefined;
}
