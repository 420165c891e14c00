/** Where visible replies go. Taken once, at ingest, and never changed. */
export interface ReplyPlanFacts {
  /** Logical target, written as `To`. */
  readonly to: string;
  /** Written as `OriginatingTo`. */
  readonly originatingTo?: string | undefined;
  readonly nativeChannelId?: string | undefined;
  /** Final visible target where it differs from `to`. */
  readonly replyTarget?: string | undefined;
  /** Lower-level delivery override. */
  readonly deliveryTarget?: string | undefined;
  /** Quoted or anchored message. */
  readonly replyToId?: string | undefined;
  /** The anchored id in full form, where the platform has both. */
  readonly replyToIdFull?: string | undefined;
  /** Thread at the time of delivery. */
  readonly messageThreadId?: string | undefined;
  readonly threadParentId?: string | undefined;
  readonly sourceReplyDeliveryMode?: "thread" | "reply" | "channel" | "direct" | "none" | undefined;
}
