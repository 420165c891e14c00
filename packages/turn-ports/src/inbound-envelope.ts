/** What kind of work an event is, as far as queueing needs to know before the turn runs. */
export type EnvelopeKind = "text" | "media" | "control" | "other";

/** Whether the event brings a new message, or changes or removes one that was told of before. */
export type EnvelopeChange = "new" | "edit" | "delete";

/** The peer that routing looks up: equal to `ConversationFacts.routePeer`. */
export interface RoutePeer {
  readonly kind: "direct" | "group" | "channel";
  readonly id: string;
}

/**
 * The address side of an event, made by the adapter's pure `envelope(raw)`: the runtime computes
 * dedupe, lane and debounce from it without running a turn.
 */
export interface InboundEnvelope {
  /** Transport identity: a redelivery of the same event has the same key (`update_id`, `event_id`). Unique within channel and account. */
  readonly dedupeKey: string;
  /**
   * Turn identity: the same message told by two events, or a message id used again after an edit, has the same key.
   * Peer, thread, message id and edit version; the runtime adds channel and account.
   */
  readonly turnKey: string;
  /** The platform's message id, unique within `routePeer`. */
  readonly messageId: string;
  readonly change: EnvelopeChange;
  readonly routePeer: RoutePeer;
  readonly threadId?: string | undefined;
  readonly senderId: string;
  /** Where a reply to this event goes, in the platform's own address form. */
  readonly replyTarget: string;
  readonly kind: EnvelopeKind;
  /** For `control`: the command's name without slash and bot name, e.g. `stop`. */
  readonly command?: string | undefined;
}
