import type { AccessFacts } from "@turnwire/turn-kernel";
import type { ChannelAccountConfig } from "@turnwire/turn-ports";

/** What access is decided from. Ids only: a name is a label, and anyone can take one. */
export interface AccessQuery {
  /** The platform, for `owners`. */
  readonly channel: string;
  readonly account: Pick<
    ChannelAccountConfig,
    "dmPolicy" | "allowFrom" | "groupPolicy" | "groups" | "requireMention" | "bots"
  >;
  readonly sender: { readonly id: string; readonly isBot?: boolean | undefined };
  readonly conversation: { readonly kind: "direct" | "group" | "channel"; readonly id: string };
  /** An operator has approved this sender for direct chats. */
  readonly paired: boolean;
  /** The command that the message is, when it is one. */
  readonly command?: { readonly name: string } | undefined;
  /** People with all rights, as `<channel>:<sender id>`. */
  readonly owners?: readonly string[] | undefined;
}

/** Commands that show or change what is not the sender's own: for owners and listed people. Whoever may speak may use the others. */
const SENSITIVE_COMMANDS: ReadonlySet<string> = new Set(["config"]);

type DmFacts = NonNullable<AccessFacts["dm"]>;

function decideDm(query: AccessQuery, allowed: boolean): DmFacts {
  const { dmPolicy, allowFrom } = query.account;
  const facts = (decision: DmFacts["decision"], reason: string): DmFacts => ({ decision, reason, allowFrom });
  switch (dmPolicy) {
    case "open":
      return facts("allow", "dm_open");
    case "disabled":
      return facts("deny", "dm_disabled");
    case "allowlist":
      return allowed ? facts("allow", "sender_listed") : facts("deny", "sender_not_listed");
    case "pairing":
      if (allowed) return facts("allow", "sender_listed");
      return query.paired ? facts("allow", "paired") : facts("pairing", "not_paired");
  }
}

/**
 * Applies an account's policies to one sender in one place and returns the facts that the kernel's authorize stage reads.
 * Direct: `pairing` (listed or approved), `allowlist`, `open`, `disabled`. Groups: `allowlist` (named in `groups`;
 * with `allowFrom` there only those may speak), `open`, `disabled`. Owners may always speak in a place that is served.
 */
export function decideAccess(query: AccessQuery): AccessFacts {
  const { account, sender, conversation } = query;
  const isOwner = query.owners?.includes(`${query.channel}:${sender.id}`) === true;
  const listed = account.allowFrom.includes(sender.id);
  const authorizers = [
    { configured: (query.owners?.length ?? 0) > 0, allowed: isOwner },
    { configured: account.allowFrom.length > 0, allowed: listed },
    { configured: !SENSITIVE_COMMANDS.has(query.command?.name ?? ""), allowed: true },
  ];
  const commands = {
    authorizers,
    useAccessGroups: authorizers.some((authorizer) => authorizer.configured),
    allowTextCommands: true,
    modeWhenAccessGroupsOff: "deny",
  } as const;

  if (conversation.kind === "direct") {
    return { dm: decideDm(query, listed || isOwner), commands, bots: account.bots };
  }
  const group = Object.hasOwn(account.groups, conversation.id) ? account.groups[conversation.id] : undefined;
  const allowFrom = group?.allowFrom ?? [];
  return {
    group: {
      policy: account.groupPolicy,
      routeAllowed: account.groupPolicy === "open" || (account.groupPolicy === "allowlist" && group !== undefined),
      senderAllowed: group?.allowFrom === undefined || group.allowFrom.includes(sender.id) || isOwner,
      allowFrom,
      requireMention: group?.requireMention ?? account.requireMention,
    },
    commands,
    bots: account.bots,
  };
}
