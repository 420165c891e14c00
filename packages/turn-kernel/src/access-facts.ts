/** Ways in which a message addresses the bot without naming it. */
export type ImplicitMentionKind = "reply_to_bot" | "quoted_bot" | "bot_thread_participant" | "native";

/** Decision about a direct conversation, already made by the channel. */
export interface DmAccessFacts {
  readonly decision: "allow" | "pairing" | "deny";
  readonly reason?: string | undefined;
  /** For display. */
  readonly allowFrom: readonly string[];
}

/** What the policy says about this group and this sender. */
export interface GroupAccessFacts {
  readonly policy: "open" | "allowlist" | "disabled";
  readonly routeAllowed: boolean;
  readonly senderAllowed: boolean;
  readonly allowFrom: readonly string[];
  readonly requireMention: boolean;
}

/** Authorization of commands over the configured authorizers. */
export interface CommandAccessFacts {
  readonly authorizers: readonly { readonly configured: boolean; readonly allowed: boolean }[];
  readonly useAccessGroups: boolean;
  readonly allowTextCommands: boolean;
  readonly modeWhenAccessGroupsOff?: "allow" | "deny" | "configured" | undefined;
  readonly authorized?: boolean | undefined;
  readonly shouldBlockControlCommand?: boolean | undefined;
  readonly reasonCode?: string | undefined;
}

/** Whether mentions can be seen, and whether the agent was mentioned. */
export interface MentionAccessFacts {
  readonly canDetectMention: boolean;
  readonly wasMentioned: boolean;
  readonly hasAnyMention?: boolean | undefined;
  readonly implicitMentionKinds?: readonly ImplicitMentionKind[] | undefined;
  readonly requireMention?: boolean | undefined;
  /** Set when the facts come from `resolveInboundMentionDecision`. */
  readonly effectiveWasMentioned?: boolean | undefined;
  readonly shouldBypassMention?: boolean | undefined;
}

/** The booleans that the authorize stage needs. Matching identities stays in the channel. */
export interface AccessFacts {
  readonly dm?: DmAccessFacts | undefined;
  readonly group?: GroupAccessFacts | undefined;
  readonly commands?: CommandAccessFacts | undefined;
  readonly mentions?: MentionAccessFacts | undefined;
  /** Whether other bots may start turns. Default `deny`. */
  readonly bots?: "deny" | "mentions" | "allow" | undefined;
}
