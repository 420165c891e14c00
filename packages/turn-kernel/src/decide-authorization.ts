import type { AccessFacts, CommandAccessFacts, MentionAccessFacts } from "./access-facts.ts";
import type { ChannelTurnAdmission } from "./channel-turn-admission.ts";
import type { ConversationFacts } from "./conversation-facts.ts";
import type { PreflightCommand } from "./preflight-facts.ts";
import type { SenderFacts } from "./sender-facts.ts";

/** All that authorization looks at. */
export interface AuthorizationInput {
  readonly access: AccessFacts | undefined;
  readonly sender: Pick<SenderFacts, "isBot" | "isSelf"> | undefined;
  readonly conversation: Pick<ConversationFacts, "kind"> | undefined;
  /** The event is a command: its class says so, or preflight recognised one. */
  readonly isCommand: boolean;
  /** Its class says so: that is no text, and a switch for text commands does not touch it. */
  readonly isNativeCommand?: boolean | undefined;
  readonly command: Pick<PreflightCommand, "control"> | undefined;
}

/** One rule: null when it has nothing to say, and the next one is asked. */
export interface AuthorizationRule {
  readonly name: string;
  readonly decide: (input: AuthorizationInput) => ChannelTurnAdmission | null;
}

function mentioned(mentions: MentionAccessFacts | undefined): boolean {
  if (mentions === undefined) return false;
  if (mentions.effectiveWasMentioned !== undefined) return mentions.effectiveWasMentioned;
  return mentions.wasMentioned || (mentions.implicitMentionKinds?.length ?? 0) > 0;
}

/** Whether a command may be used: an explicit word first, then the access groups, then what stands in where there are none. */
export function isCommandAuthorized(commands: CommandAccessFacts | undefined): boolean {
  if (commands === undefined || commands.shouldBlockControlCommand === true) return false;
  if (commands.authorized !== undefined) return commands.authorized;
  const configured = commands.authorizers.filter((authorizer) => authorizer.configured);
  if (commands.useAccessGroups) return configured.some((authorizer) => authorizer.allowed);
  const mode = commands.modeWhenAccessGroupsOff ?? "configured";
  if (mode !== "configured") return mode === "allow";
  return configured.some((authorizer) => authorizer.allowed);
}

/** True when the message counts as a command at all: where text commands are off, `/word` is only text. */
function actsAsCommand(input: AuthorizationInput): boolean {
  if (input.isNativeCommand === true) return true;
  return input.isCommand && input.access?.commands?.allowTextCommands !== false;
}

const drop = (reason: string): ChannelTurnAdmission => ({ kind: "drop", reason });
const handled = (reason: string): ChannelTurnAdmission => ({ kind: "handled", reason });

/** The rules in their order; the first that decides, decides. */
export const AUTHORIZATION_RULES: readonly AuthorizationRule[] = [
  { name: "self", decide: ({ sender }) => (sender?.isSelf === true ? drop("self_echo") : null) },
  {
    name: "bots",
    decide({ sender, access }) {
      if (sender?.isBot !== true) return null;
      const policy = access?.bots ?? "deny";
      if (policy === "allow" || (policy === "mentions" && mentioned(access?.mentions))) return null;
      return drop("bot_sender");
    },
  },
  {
    name: "facts present",
    decide({ conversation, access }) {
      if (conversation === undefined) return drop("access_facts_missing");
      const facts = conversation.kind === "direct" ? access?.dm : access?.group;
      return facts === undefined ? drop("access_facts_missing") : null;
    },
  },
  {
    name: "direct",
    decide({ conversation, access }) {
      if (conversation?.kind !== "direct") return null;
      const decision = access?.dm?.decision;
      if (decision === "allow") return null;
      // An unknown value is no permission.
      return decision === "pairing" ? handled("pairing_required") : drop("dm_denied");
    },
  },
  {
    name: "group",
    decide({ conversation, access }) {
      const group = access?.group;
      if (conversation?.kind === "direct" || group === undefined) return null;
      if (group.policy !== "open" && group.policy !== "allowlist") return drop("group_disabled");
      if (!group.routeAllowed) return drop("route_not_allowed");
      return group.policy === "allowlist" && !group.senderAllowed ? drop("sender_not_allowed") : null;
    },
  },
  {
    name: "command",
    decide(input) {
      const commands = input.access?.commands;
      if (!actsAsCommand(input) || commands === undefined || isCommandAuthorized(commands)) return null;
      return handled("command_unauthorized");
    },
  },
  {
    name: "mention",
    decide(input) {
      const { conversation, access, command } = input;
      const mentions = access?.mentions;
      if (conversation?.kind === "direct") return null;
      const required = mentions?.requireMention ?? access?.group?.requireMention ?? false;
      if (!required || mentions?.canDetectMention === false || mentioned(mentions)) return null;
      const hasAny = mentions?.hasAnyMention ?? false;
      const isAuthorizedControl =
        command?.control === true && actsAsCommand(input) && isCommandAuthorized(access?.commands);
      if (mentions?.shouldBypassMention === true || (isAuthorizedControl && !hasAny)) return null;
      // Where the channel says nothing of mentions, they cannot be detected.
      if (mentions === undefined) return null;
      return { kind: "drop", reason: "missing_mention", recordHistory: true };
    },
  },
];

/** Data in, decision out: null lets the turn go on as it was resolved. */
export function decideAuthorization(input: AuthorizationInput): ChannelTurnAdmission | null {
  for (const rule of AUTHORIZATION_RULES) {
    const decision = rule.decide(input);
    if (decision !== null) return decision;
  }
  return null;
}
