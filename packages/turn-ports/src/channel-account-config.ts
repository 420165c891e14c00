/** Who may talk to the agent in direct chats. */
export type DmPolicy = "pairing" | "allowlist" | "open" | "disabled";
/** Which groups are served. */
export type GroupPolicy = "allowlist" | "open" | "disabled";

/** Settings of one group, by its platform id. */
export interface GroupConfig {
  /** Sender ids who may speak; absent: every member. */
  readonly allowFrom?: readonly string[] | undefined;
  readonly requireMention?: boolean | undefined;
}

/** The keys that every channel accepts in the same words, per account, with `channels.<id>` as their default. */
export interface ChannelAccountConfig {
  readonly enabled: boolean;
  readonly dmPolicy: DmPolicy;
  readonly allowFrom: readonly string[];
  readonly groupPolicy: GroupPolicy;
  readonly groups: Readonly<Record<string, GroupConfig>>;
  readonly requireMention: boolean;
  readonly bots: "deny" | "mentions" | "allow";
  readonly contextVisibility: "all" | "allowlist" | "allowlist_quote";
  readonly historyLimit?: number | undefined;
  readonly streaming: {
    readonly mode: "off" | "partial" | "block" | "progress";
    readonly block?:
      | {
          readonly enabled?: boolean | undefined;
          readonly coalesce?: { readonly idleMs?: number | undefined } | undefined;
        }
      | undefined;
  };
  readonly replyToMode: "off" | "first" | "all";
  readonly ackReaction?: string | undefined;
  readonly responsePrefix?: string | undefined;
  readonly queue?:
    | {
        readonly mode?: "steer" | "followup" | "collect" | "interrupt" | undefined;
        readonly debounceMs?: number | undefined;
      }
    | undefined;
  readonly outbound?:
    | { readonly perBotPerSecond?: number | undefined; readonly perChatPerSecond?: number | undefined }
    | undefined;
  readonly onUnknownSend: "hold" | "resend";
}
