import type { ImplicitMentionKind } from "./access-facts.ts";

/** What the platform shows of mentions in a message. */
export interface InboundMentionFacts {
  readonly canDetectMention: boolean;
  readonly wasMentioned: boolean;
  /** Anybody was mentioned. */
  readonly hasAnyMention?: boolean | undefined;
  readonly implicitMentionKinds?: readonly ImplicitMentionKind[] | undefined;
}

/** What the place asks for. */
export interface InboundMentionPolicy {
  readonly isGroup: boolean;
  readonly requireMention: boolean;
  readonly allowTextCommands?: boolean | undefined;
  readonly hasControlCommand?: boolean | undefined;
  readonly commandAuthorized?: boolean | undefined;
}

/** The decision; itself usable as `access.mentions`. */
export interface InboundMentionDecision {
  readonly canDetectMention: boolean;
  readonly wasMentioned: boolean;
  readonly hasAnyMention: boolean;
  readonly implicitMentionKinds: readonly ImplicitMentionKind[];
  /** Mentioned, or addressed without a name, or an authorized control command. */
  readonly effectiveWasMentioned: boolean;
  readonly implicitMention: boolean;
  /** An authorized control command that mentions nobody passes without a mention. */
  readonly shouldBypassMention: boolean;
  /** The message must not start a turn. */
  readonly shouldSkip: boolean;
  readonly requireMention: boolean;
}

/** One rule for all channels: who was addressed, and whether that is enough here. */
export function resolveInboundMentionDecision(params: {
  readonly facts: InboundMentionFacts;
  readonly policy: InboundMentionPolicy;
}): InboundMentionDecision {
  const { facts, policy } = params;
  const kinds = facts.implicitMentionKinds ?? [];
  const hasAnyMention = facts.hasAnyMention ?? facts.wasMentioned;
  const requireMention = policy.isGroup && policy.requireMention;
  const implicitMention = kinds.length > 0;
  const shouldBypassMention =
    requireMention &&
    !facts.wasMentioned &&
    !hasAnyMention &&
    policy.allowTextCommands !== false &&
    policy.hasControlCommand === true &&
    policy.commandAuthorized === true;
  const effectiveWasMentioned = facts.wasMentioned || implicitMention || shouldBypassMention;
  return {
    canDetectMention: facts.canDetectMention,
    wasMentioned: facts.wasMentioned,
    hasAnyMention,
    implicitMentionKinds: kinds,
    effectiveWasMentioned,
    implicitMention,
    shouldBypassMention,
    shouldSkip: requireMention && facts.canDetectMention && !effectiveWasMentioned,
    requireMention,
  };
}
