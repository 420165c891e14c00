/** Where a part goes. Captured at ingest, never taken from a session's last route for a reply. */
export interface OutboundTarget {
  /** The platform's own address: chat id, channel id, room id. */
  readonly to: string;
  readonly chatKind: "direct" | "group" | "channel";
  readonly threadId?: string | undefined;
  readonly replyToId?: string | undefined;
  /** Send without a notification sound where the platform can. */
  readonly silent?: boolean | undefined;
}
