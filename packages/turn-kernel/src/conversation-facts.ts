/** Where the message came from. Set from the platform's own fields, never guessed from the shape of an address. */
export interface ConversationFacts {
  readonly kind: "direct" | "group" | "channel";
  /** Conversation id used for routing. */
  readonly id: string;
  /** Label for people. */
  readonly label?: string | undefined;
  /** Outer space: Slack workspace, Matrix homeserver, Discord guild. */
  readonly spaceId?: string | undefined;
  /** The outer conversation when this is a thread. */
  readonly parentId?: string | undefined;
  /** Set when the message is inside a thread or topic. */
  readonly threadId?: string | undefined;
  /** The platform's channel id where it differs from the routing id. */
  readonly nativeChannelId?: string | undefined;
  /** The peer that `resolveAgentRoute` looks up. */
  readonly routePeer?: { readonly kind: "direct" | "group" | "channel"; readonly id: string } | undefined;
}
