import type { InboundMediaFacts } from "./inbound-media-facts.ts";

/** An entry of the history shown to a turn. */
export interface InboundHistoryEntry {
  readonly sender: string;
  readonly body: string;
  readonly timestamp?: number | undefined;
  readonly messageId?: string | undefined;
  readonly media?: readonly InboundMediaFacts[] | undefined;
  /** Read by `contextVisibility`: whether the sender is one whose words may reach the model. */
  readonly senderAllowed?: boolean | undefined;
}

/** Which body and history the agent sees. */
export interface MessageFacts {
  /** Final envelope body, formatted. */
  readonly body?: string | undefined;
  readonly rawBody: string;
  readonly bodyForAgent?: string | undefined;
  readonly commandBody?: string | undefined;
  /** Rendered sender label for the envelope. */
  readonly envelopeFrom?: string | undefined;
  /** Overrides the rendered sender. */
  readonly senderLabel?: string | undefined;
  /** Short redacted preview: the only part of a message that may be logged. */
  readonly preview?: string | undefined;
  readonly inboundHistory?: readonly InboundHistoryEntry[] | undefined;
}
