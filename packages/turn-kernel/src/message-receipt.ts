/** One platform message that a payload became. */
export interface MessageReceiptPart {
  readonly platformMessageId: string;
  readonly kind: "text" | "media" | "voice" | "card" | "preview" | "unknown";
  readonly index: number;
  readonly threadId?: string | undefined;
  readonly replyToId?: string | undefined;
}

/** Every platform message that a payload became, in order. */
export interface MessageReceipt {
  readonly platformMessageIds: readonly string[];
  readonly primaryPlatformMessageId?: string | undefined;
  readonly parts: readonly MessageReceiptPart[];
  readonly threadId?: string | undefined;
  readonly replyToId?: string | undefined;
  readonly editToken?: string | undefined;
  readonly deleteToken?: string | undefined;
  /** Epoch ms. */
  readonly sentAt: number;
}
