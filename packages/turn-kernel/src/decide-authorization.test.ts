import { describe, expect, it } from "vitest";

import type { AccessFacts } from "./access-facts.ts";
import {
  AUTHORIZATION_RULES,
  type AuthorizationInput,
  decideAuthorization,
  isCommandAuthorized,
} from "./decide-authorization.ts";

const GROUP = {
  policy: "allowlist",
  routeAllowed: true,
  senderAllowed: true,
  allowFrom: [],
  requireMention: false,
} as const;
const COMMANDS = { authorizers: [], useAccessGroups: true, allowTextCommands: true } as const;
const NOBODY = { ...COMMANDS, authorizers: [{ configured: true, allowed: false }] } as const;
const ALLOWED = { ...COMMANDS, authorizers: [{ configured: true, allowed: true }] } as const;
const MENTIONED = { canDetectMention: true, wasMentioned: true } as const;
const UNMENTIONED = { canDetectMention: true, wasMentioned: false } as const;

function direct(
  dm: Partial<NonNullable<AccessFacts["dm"]>>,
  more: Partial<AuthorizationInput> = {},
  access: AccessFacts = {},
): AuthorizationInput {
  return {
    sender: {},
    conversation: { kind: "direct" },
    isCommand: false,
    command: undefined,
    access: { dm: { decision: "allow", allowFrom: [], ...dm }, ...access },
    ...more,
  };
}

function group(
  facts: Partial<NonNullable<AccessFacts["group"]>> = {},
  more: Partial<AuthorizationInput> = {},
  access: AccessFacts = {},
): AuthorizationInput {
  return {
    sender: {},
    conversation: { kind: "group" },
    isCommand: false,
    command: undefined,
    access: { group: { ...GROUP, ...facts }, ...access },
    ...more,
  };
}

const control = { isCommand: true, command: { control: true } } as const;

describe("the authorize rules", () => {
  it("stand in their order", () => {
    expect(AUTHORIZATION_RULES.map((rule) => rule.name)).toEqual([
      "self",
      "bots",
      "facts present",
      "direct",
      "group",
      "command",
      "mention",
    ]);
  });

  it.each<{ readonly case: string; readonly input: AuthorizationInput; readonly decision: object | null }>([
    {
      case: "our own message",
      input: direct({}, { sender: { isSelf: true } }),
      decision: { kind: "drop", reason: "self_echo" },
    },
    {
      case: "our own message, as a bot",
      input: direct({}, { sender: { isSelf: true, isBot: true } }),
      decision: { kind: "drop", reason: "self_echo" },
    },
    { case: "a bot", input: direct({}, { sender: { isBot: true } }), decision: { kind: "drop", reason: "bot_sender" } },
    { case: "a bot where bots may", input: direct({}, { sender: { isBot: true } }, { bots: "allow" }), decision: null },
    {
      case: "a bot that mentions us where that is enough",
      input: group({}, { sender: { isBot: true } }, { bots: "mentions", mentions: MENTIONED }),
      decision: null,
    },
    {
      case: "a bot that does not mention us",
      input: group({}, { sender: { isBot: true } }, { bots: "mentions", mentions: UNMENTIONED }),
      decision: { kind: "drop", reason: "bot_sender" },
    },
    {
      case: "no conversation",
      input: { ...direct({}), conversation: undefined },
      decision: { kind: "drop", reason: "access_facts_missing" },
    },
    {
      case: "no access facts",
      input: { ...direct({}), access: undefined },
      decision: { kind: "drop", reason: "access_facts_missing" },
    },
    {
      case: "direct without dm facts",
      input: { ...direct({}), access: { group: GROUP } },
      decision: { kind: "drop", reason: "access_facts_missing" },
    },
    {
      case: "a group without group facts",
      input: { ...group(), access: { dm: { decision: "allow", allowFrom: [] } } },
      decision: { kind: "drop", reason: "access_facts_missing" },
    },
    { case: "direct, allowed", input: direct({ decision: "allow" }), decision: null },
    { case: "direct, denied", input: direct({ decision: "deny" }), decision: { kind: "drop", reason: "dm_denied" } },
    {
      case: "direct, to be paired",
      input: direct({ decision: "pairing" }),
      decision: { kind: "handled", reason: "pairing_required" },
    },
    {
      case: "direct, a value that nobody knows",
      input: direct({ decision: "maybe" as "allow" }),
      decision: { kind: "drop", reason: "dm_denied" },
    },
    { case: "group, open", input: group({ policy: "open", senderAllowed: false }), decision: null },
    { case: "group, listed", input: group(), decision: null },
    {
      case: "group, disabled",
      input: group({ policy: "disabled" }),
      decision: { kind: "drop", reason: "group_disabled" },
    },
    {
      case: "group, a policy that nobody knows",
      input: group({ policy: "x" as "open" }),
      decision: { kind: "drop", reason: "group_disabled" },
    },
    {
      case: "group, route not allowed",
      input: group({ routeAllowed: false }),
      decision: { kind: "drop", reason: "route_not_allowed" },
    },
    {
      case: "group, sender not allowed: no history",
      input: group({ senderAllowed: false }),
      decision: { kind: "drop", reason: "sender_not_allowed" },
    },
    {
      case: "a channel is a group",
      input: { ...group({ routeAllowed: false }), conversation: { kind: "channel" } },
      decision: { kind: "drop", reason: "route_not_allowed" },
    },
    { case: "a command without command facts", input: direct({}, control), decision: null },
    {
      case: "a command that nobody may use",
      input: direct({}, control, { commands: NOBODY }),
      decision: { kind: "handled", reason: "command_unauthorized" },
    },
    {
      case: "a command without a configured authorizer",
      input: direct({}, control, { commands: COMMANDS }),
      decision: { kind: "handled", reason: "command_unauthorized" },
    },
    { case: "a command of one who may", input: direct({}, control, { commands: ALLOWED }), decision: null },
    {
      case: "a command where text commands are off is text",
      input: direct({}, control, { commands: { ...NOBODY, allowTextCommands: false } }),
      decision: null,
    },
    {
      case: "a native command where text commands are off is a command still",
      input: direct({}, { ...control, isNativeCommand: true }, { commands: { ...NOBODY, allowTextCommands: false } }),
      decision: { kind: "handled", reason: "command_unauthorized" },
    },
    {
      case: "an authorized control word where text commands are off bypasses nothing",
      input: group({ requireMention: true }, control, {
        mentions: UNMENTIONED,
        commands: { ...ALLOWED, allowTextCommands: false },
      }),
      decision: { kind: "drop", reason: "missing_mention", recordHistory: true },
    },
    {
      case: "mention required, absent",
      input: group({ requireMention: true }, {}, { mentions: UNMENTIONED }),
      decision: { kind: "drop", reason: "missing_mention", recordHistory: true },
    },
    {
      case: "mention required, there",
      input: group({ requireMention: true }, {}, { mentions: MENTIONED }),
      decision: null,
    },
    {
      case: "mention required, a reply to the bot",
      input: group(
        { requireMention: true },
        {},
        { mentions: { ...UNMENTIONED, implicitMentionKinds: ["reply_to_bot"] } },
      ),
      decision: null,
    },
    {
      case: "mention required, not detectable",
      input: group({ requireMention: true }, {}, { mentions: { canDetectMention: false, wasMentioned: false } }),
      decision: null,
    },
    {
      case: "mention facts ask for one against the group's",
      input: group({}, {}, { mentions: { ...UNMENTIONED, requireMention: true } }),
      decision: { kind: "drop", reason: "missing_mention", recordHistory: true },
    },
    {
      case: "an authorized control command without any mention",
      input: group({ requireMention: true }, control, { mentions: UNMENTIONED, commands: ALLOWED }),
      decision: null,
    },
    {
      case: "an authorized control command that mentions another",
      input: group({ requireMention: true }, control, {
        mentions: { ...UNMENTIONED, hasAnyMention: true },
        commands: ALLOWED,
      }),
      decision: { kind: "drop", reason: "missing_mention", recordHistory: true },
    },
    {
      case: "an authorized command that is no control command",
      input: group(
        { requireMention: true },
        { isCommand: true, command: { control: false } },
        { mentions: UNMENTIONED, commands: ALLOWED },
      ),
      decision: { kind: "drop", reason: "missing_mention", recordHistory: true },
    },
    {
      case: "a direct chat needs no mention",
      input: direct({}, {}, { mentions: { ...UNMENTIONED, requireMention: true } }),
      decision: null,
    },
  ])("$case → $decision", ({ input, decision }) => {
    expect(decideAuthorization(input)).toEqual(decision);
  });

  it("ask the earlier rule first: a denied sender's command is denied, a stranger in a group never becomes history", () => {
    expect(decideAuthorization(direct({ decision: "deny" }, control, { commands: NOBODY }))).toMatchObject({
      reason: "dm_denied",
    });
    expect(
      decideAuthorization(group({ senderAllowed: false, requireMention: true }, {}, { mentions: UNMENTIONED })),
    ).toEqual({ kind: "drop", reason: "sender_not_allowed" });
  });
});

describe("isCommandAuthorized", () => {
  it.each([
    { case: "no facts", facts: undefined, expected: false },
    { case: "said so", facts: { ...NOBODY, authorized: true }, expected: true },
    { case: "said not", facts: { ...ALLOWED, authorized: false }, expected: false },
    { case: "blocked", facts: { ...ALLOWED, shouldBlockControlCommand: true }, expected: false },
    {
      case: "one of the groups allows",
      facts: {
        ...COMMANDS,
        authorizers: [
          { configured: true, allowed: false },
          { configured: true, allowed: true },
        ],
      },
      expected: true,
    },
    {
      case: "an unconfigured group does not count",
      facts: { ...COMMANDS, authorizers: [{ configured: false, allowed: true }] },
      expected: false,
    },
    {
      case: "groups off, allow",
      facts: { ...COMMANDS, useAccessGroups: false, modeWhenAccessGroupsOff: "allow" as const },
      expected: true,
    },
    {
      case: "groups off, deny",
      facts: { ...ALLOWED, useAccessGroups: false, modeWhenAccessGroupsOff: "deny" as const },
      expected: false,
    },
    { case: "groups off, configured and allowed", facts: { ...ALLOWED, useAccessGroups: false }, expected: true },
    { case: "groups off, none configured", facts: { ...COMMANDS, useAccessGroups: false }, expected: false },
  ])("$case: $expected", ({ facts, expected }) => {
    expect(isCommandAuthorized(facts)).toBe(expected);
  });
});

describe("each rule by itself", () => {
  const nothing: AuthorizationInput = {
    access: undefined,
    sender: undefined,
    conversation: undefined,
    isCommand: true,
    command: { control: true },
  };

  it.each(AUTHORIZATION_RULES.map((rule) => [rule.name, rule] as const))(
    "%s bears that nothing is known",
    (name, rule) => {
      const expected: Record<string, object> = { "facts present": { kind: "drop", reason: "access_facts_missing" } };
      expect(rule.decide(nothing)).toEqual(expected[name] ?? null);
      expect(rule.decide({ ...nothing, access: {}, sender: {} })).toEqual(expected[name] ?? null);
    },
  );

  it.each<{
    readonly case: string;
    readonly name: string;
    readonly input: Partial<AuthorizationInput>;
    readonly decision: object | null;
  }>([
    {
      case: "a bot of whom nothing else is known",
      name: "bots",
      input: { sender: { isBot: true } },
      decision: { kind: "drop", reason: "bot_sender" },
    },
    {
      case: "a bot where mentions are enough, and none are known",
      name: "bots",
      input: { sender: { isBot: true }, access: { bots: "mentions" } },
      decision: { kind: "drop", reason: "bot_sender" },
    },
    {
      case: "a bot where bots are denied, that mentions us",
      name: "bots",
      input: { sender: { isBot: true }, access: { bots: "deny", mentions: MENTIONED } },
      decision: { kind: "drop", reason: "bot_sender" },
    },
    {
      case: "direct without facts",
      name: "direct",
      input: { conversation: { kind: "direct" } },
      decision: { kind: "drop", reason: "dm_denied" },
    },
    {
      case: "a disabled group's facts on a direct message",
      name: "group",
      input: { conversation: { kind: "direct" }, access: { group: { ...GROUP, policy: "disabled" } } },
      decision: null,
    },
    {
      case: "a direct message that misses a mention",
      name: "mention",
      input: { conversation: { kind: "direct" }, access: { mentions: { ...UNMENTIONED, requireMention: true } } },
      decision: null,
    },
    {
      case: "a mention required where nothing is known of mentions",
      name: "mention",
      input: { isCommand: false, access: { group: { ...GROUP, requireMention: true } } },
      decision: null,
    },
    {
      case: "no mention where none is required",
      name: "mention",
      input: { access: { mentions: UNMENTIONED } },
      decision: null,
    },
    {
      case: "an effective mention that outweighs the plain one",
      name: "mention",
      input: { access: { mentions: { ...MENTIONED, requireMention: true, effectiveWasMentioned: false } } },
      decision: { kind: "drop", reason: "missing_mention", recordHistory: true },
    },
    {
      case: "a bypass that preflight decided",
      name: "mention",
      input: { access: { mentions: { ...UNMENTIONED, requireMention: true, shouldBypassMention: true } } },
      decision: null,
    },
  ])("$name: $case", ({ name, input, decision }) => {
    const rule = AUTHORIZATION_RULES.find((one) => one.name === name);
    expect(rule?.decide({ ...nothing, ...input })).toEqual(decision);
  });
});
