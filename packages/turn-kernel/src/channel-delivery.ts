import type { MessageReceipt } from "./message-receipt.ts";
import type { ReplyPayload } from "./reply-payload.ts";

/** What a block is. `index` counts the blocks of the turn from 0. */
export interface ChannelDeliveryInfo {
  readonly kind: "tool" | "block" | "final";
  readonly index: number;
}

/** What a channel's `deliver` tells. An empty object or nothing counts as sent without ids. */
export interface ChannelDeliveryResult {
  readonly messageIds?: readonly string[] | undefined;
  readonly receipt?: MessageReceipt | undefined;
  readonly threadId?: string | undefined;
  readonly replyToId?: string | undefined;
  readonly visibleReplySent?: boolean | undefined;
}

/** How one delivery ended. */
export type DeliveryOutcome =
  | { readonly kind: "sent"; readonly receipt: MessageReceipt }
  | { readonly kind: "suppressed"; readonly reason: string }
  | { readonly kind: "rejected"; readonly error: unknown }
  | { readonly kind: "unknown"; readonly error: unknown };

/** Sends a payload through the outbox in place of the channel's own `deliver`. */
export interface DurableInboundReplyDeliveryOptions {
  readonly to?: string | undefined;
  readonly threadId?: string | undefined;
  readonly replyToId?: string | undefined;
  readonly replyToMode?: "off" | "first" | "all" | undefined;
  readonly silent?: boolean | undefined;
  readonly requiredCapabilities?: readonly string[] | undefined;
}

/** The channel's side of delivery. */
export interface ChannelTurnDeliveryAdapter {
  /** Called once per buffered block, in order, never concurrently for one turn. */
  deliver(payload: ReplyPayload, info: ChannelDeliveryInfo): Promise<ChannelDeliveryResult | void>;
  onError?(err: unknown, info: { kind: string }): void;
  /** Absent or false: the channel's own `deliver`. */
  readonly durable?: false | DurableInboundReplyDeliveryOptions | undefined;
}

/** The other seed's name for the same adapter. */
export type ChannelEventDeliveryAdapter = ChannelTurnDeliveryAdapter;
