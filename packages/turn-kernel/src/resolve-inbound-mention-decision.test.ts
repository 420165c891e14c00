import { describe, expect, it } from "vitest";

import { decideAuthorization } from "./decide-authorization.ts";
import {
  type InboundMentionFacts,
  type InboundMentionPolicy,
  resolveInboundMentionDecision,
} from "./resolve-inbound-mention-decision.ts";

const SEEN: InboundMentionFacts = { canDetectMention: true, wasMentioned: false };
const REQUIRED: InboundMentionPolicy = { isGroup: true, requireMention: true };
const COMMAND: InboundMentionPolicy = { ...REQUIRED, hasControlCommand: true, commandAuthorized: true };

describe("whether a message addresses the agent", () => {
  it.each<{
    readonly case: string;
    readonly facts?: Partial<InboundMentionFacts>;
    readonly policy?: Partial<InboundMentionPolicy>;
    /** mentioned in effect, without a name, passed as a command, skipped */
    readonly decision: readonly [boolean, boolean, boolean, boolean];
  }>([
    { case: "not mentioned", decision: [false, false, false, true] },
    { case: "mentioned by name", facts: { wasMentioned: true }, decision: [true, false, false, false] },
    { case: "somebody else is mentioned", facts: { hasAnyMention: true }, decision: [false, false, false, true] },
    {
      case: "a reply to the bot",
      facts: { implicitMentionKinds: ["reply_to_bot"] },
      decision: [true, true, false, false],
    },
    {
      case: "a quote of the bot",
      facts: { implicitMentionKinds: ["quoted_bot"] },
      decision: [true, true, false, false],
    },
    {
      case: "in the bot's thread",
      facts: { implicitMentionKinds: ["bot_thread_participant"] },
      decision: [true, true, false, false],
    },
    {
      case: "the platform's own mention",
      facts: { implicitMentionKinds: ["native"] },
      decision: [true, true, false, false],
    },
    { case: "no implicit kind", facts: { implicitMentionKinds: [] }, decision: [false, false, false, true] },
    { case: "mentions cannot be detected", facts: { canDetectMention: false }, decision: [false, false, false, false] },
    { case: "none is required", policy: { requireMention: false }, decision: [false, false, false, false] },
    { case: "a direct chat", policy: { isGroup: false }, decision: [false, false, false, false] },
    { case: "an authorized control command", policy: COMMAND, decision: [true, false, true, false] },
    {
      case: "a control command of one who may not",
      policy: { ...COMMAND, commandAuthorized: false },
      decision: [false, false, false, true],
    },
    {
      case: "a control command of whom nothing is known",
      policy: { ...COMMAND, commandAuthorized: undefined },
      decision: [false, false, false, true],
    },
    {
      case: "no control command",
      policy: { ...COMMAND, hasControlCommand: false },
      decision: [false, false, false, true],
    },
    {
      case: "text commands are off",
      policy: { ...COMMAND, allowTextCommands: false },
      decision: [false, false, false, true],
    },
    {
      case: "a control command for another bot",
      facts: { hasAnyMention: true },
      policy: COMMAND,
      decision: [false, false, false, true],
    },
    {
      case: "a control command that names the bot",
      facts: { wasMentioned: true, hasAnyMention: true },
      policy: COMMAND,
      decision: [true, false, false, false],
    },
    {
      case: "a control command where no mention is required",
      policy: { ...COMMAND, requireMention: false },
      decision: [false, false, false, false],
    },
  ])("$case → $decision", ({ facts, policy, decision }) => {
    const decided = resolveInboundMentionDecision({ facts: { ...SEEN, ...facts }, policy: { ...REQUIRED, ...policy } });
    expect([
      decided.effectiveWasMentioned,
      decided.implicitMention,
      decided.shouldBypassMention,
      decided.shouldSkip,
    ]).toEqual(decision);
  });

  it("keeps the facts, and says whether a mention was required here", () => {
    expect(resolveInboundMentionDecision({ facts: { ...SEEN, wasMentioned: true }, policy: REQUIRED })).toMatchObject({
      canDetectMention: true,
      wasMentioned: true,
      hasAnyMention: true,
      implicitMentionKinds: [],
      requireMention: true,
    });
    expect(resolveInboundMentionDecision({ facts: SEEN, policy: { ...REQUIRED, isGroup: false } })).toMatchObject({
      wasMentioned: false,
      hasAnyMention: false,
      requireMention: false,
    });
  });

  it("is itself what access.mentions takes: authorize skips exactly what it says to skip", () => {
    for (let bits = 0; bits < 32; bits += 1) {
      const [canDetectMention, wasMentioned, hasAnyMention, requireMention, authorized] = [1, 2, 4, 8, 16].map(
        (bit) => (bits & bit) !== 0,
      ) as [boolean, boolean, boolean, boolean, boolean];
      const mentions = resolveInboundMentionDecision({
        facts: { canDetectMention, wasMentioned, hasAnyMention },
        policy: { isGroup: true, requireMention, hasControlCommand: true, commandAuthorized: authorized },
      });
      const decision = decideAuthorization({
        access: {
          mentions,
          group: { policy: "open", routeAllowed: true, senderAllowed: true, allowFrom: [], requireMention },
          commands: { authorizers: [], useAccessGroups: true, allowTextCommands: true, authorized },
        },
        sender: {},
        conversation: { kind: "group" },
        isCommand: authorized,
        command: { control: true },
      });
      expect(decision?.reason === "missing_mention").toBe(mentions.shouldSkip);
    }
  });
});
