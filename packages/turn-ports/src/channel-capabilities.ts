/** How a platform lets an answer grow while it is made. */
export type DraftCapability =
  /** No preview: only finished messages. */
  | "none"
  /** A sent message that is edited in place; the final is its last edit. */
  | "edit"
  /** An ephemeral draft of the platform's own, replaced by the final message. */
  | "native";

/** Whether and how a send whose answer was lost can be settled. */
export type SendSettlement =
  /** Nothing: neither an idempotency key nor readable history. */
  | "none"
  /** The same idempotency id sent again does nothing twice, within `settlementWindowMs`. */
  | "idempotent"
  /** Our own messages can be read back and matched. */
  | "read_back";

/**
 * What a channel can do, as data with a stated meaning: a behaviour is present or absent,
 * never an optional method that quietly does nothing. The capability table of the docs is generated from it.
 */
export interface ChannelCapabilities {
  /** Longest text of one message in `textUnit`. */
  readonly textLimit: number;
  /** The unit in which the platform counts `textLimit`. */
  readonly textUnit: "code_points" | "utf16" | "utf8_bytes";
  /** Longest caption of a media message, 0 where captions do not exist. */
  readonly captionLimit: number;
  /** Preview streaming by chat kind. */
  readonly drafts: {
    readonly direct: DraftCapability;
    readonly group: DraftCapability;
    readonly channel: DraftCapability;
  };
  /** Shows "typing…". `typingRefreshMs` is below the platform's expiry. */
  readonly typing: boolean;
  readonly typingRefreshMs: number;
  readonly reactions: boolean;
  readonly edits: boolean;
  readonly deletes: boolean;
  readonly threads: boolean;
  readonly replies: boolean;
  readonly media: boolean;
  readonly buttons: boolean;
  readonly nativeCommands: boolean;
  readonly settlement: SendSettlement;
  /** How long after the first try the settlement holds, ms; 0 where `settlement` is `none`. */
  readonly settlementWindowMs: number;
  /** For how long the platform may redeliver an event: rows are kept at least so long, ms. */
  readonly redeliveryHorizonMs: number;
  /** The platform's published or observed send rates; `outbound` of an account overrides them. */
  readonly outboundRate: {
    readonly perBotPerSecond: number;
    readonly perChatPerSecond: number;
    readonly perGroupPerMinute?: number | undefined;
  };
  /** Whether exactly one listener may exist for an account (a lease is taken for it). */
  readonly singleListener: boolean;
}
