import { isCommandAuthorized } from "@turnwire/turn-kernel";
import { describe, expect, it } from "vitest";

import { type AccessQuery, decideAccess } from "./decide-access.ts";

const account: AccessQuery["account"] = {
  dmPolicy: "pairing",
  allowFrom: ["1"],
  groupPolicy: "allowlist",
  groups: { g: {}, closed: { allowFrom: ["1"], requireMention: false } },
  requireMention: true,
  bots: "deny",
};

function query(overrides: Partial<AccessQuery>): AccessQuery {
  return {
    channel: "acme",
    account,
    sender: { id: "9" },
    conversation: { kind: "direct", id: "9" },
    paired: false,
    owners: ["acme:7"],
    ...overrides,
  };
}

describe("direct chats", () => {
  it.each([
    { policy: "open", who: "anyone", sender: "9", paired: false, decision: "allow", reason: "dm_open" },
    { policy: "disabled", who: "an owner", sender: "7", paired: true, decision: "deny", reason: "dm_disabled" },
    {
      policy: "allowlist",
      who: "someone listed",
      sender: "1",
      paired: false,
      decision: "allow",
      reason: "sender_listed",
    },
    { policy: "allowlist", who: "an owner", sender: "7", paired: false, decision: "allow", reason: "sender_listed" },
    {
      policy: "allowlist",
      who: "someone else",
      sender: "9",
      paired: false,
      decision: "deny",
      reason: "sender_not_listed",
    },
    {
      policy: "allowlist",
      who: "someone paired only",
      sender: "9",
      paired: true,
      decision: "deny",
      reason: "sender_not_listed",
    },
    {
      policy: "pairing",
      who: "someone listed",
      sender: "1",
      paired: false,
      decision: "allow",
      reason: "sender_listed",
    },
    { policy: "pairing", who: "someone paired", sender: "9", paired: true, decision: "allow", reason: "paired" },
    { policy: "pairing", who: "someone else", sender: "9", paired: false, decision: "pairing", reason: "not_paired" },
  ] as const)("$policy, $who: $decision", ({ policy, sender, paired, decision, reason }) => {
    const facts = decideAccess(query({ account: { ...account, dmPolicy: policy }, sender: { id: sender }, paired }));
    expect(facts.dm).toEqual({ decision, reason, allowFrom: ["1"] });
    expect(facts.group).toBeUndefined();
  });
});

describe("groups", () => {
  it.each([
    { policy: "allowlist", group: "g", sender: "9", route: true, speaks: true, mention: true },
    { policy: "allowlist", group: "closed", sender: "9", route: true, speaks: false, mention: false },
    { policy: "allowlist", group: "closed", sender: "1", route: true, speaks: true, mention: false },
    { policy: "allowlist", group: "closed", sender: "7", route: true, speaks: true, mention: false },
    { policy: "allowlist", group: "elsewhere", sender: "1", route: false, speaks: true, mention: true },
    { policy: "allowlist", group: "elsewhere", sender: "7", route: false, speaks: true, mention: true },
    { policy: "allowlist", group: "constructor", sender: "1", route: false, speaks: true, mention: true },
    { policy: "open", group: "elsewhere", sender: "9", route: true, speaks: true, mention: true },
    { policy: "open", group: "closed", sender: "9", route: true, speaks: false, mention: false },
    { policy: "disabled", group: "g", sender: "7", route: false, speaks: true, mention: true },
  ] as const)("$policy, group $group, sender $sender", ({ policy, group, sender, route, speaks, mention }) => {
    const facts = decideAccess(
      query({
        account: { ...account, groupPolicy: policy },
        sender: { id: sender },
        conversation: { kind: "group", id: group },
      }),
    );
    expect(facts.group).toMatchObject({ policy, routeAllowed: route, senderAllowed: speaks, requireMention: mention });
    expect(facts.dm).toBeUndefined();
  });
});

describe("commands", () => {
  it.each([
    { command: "stop", sender: "9", authorized: true },
    { command: "config", sender: "9", authorized: false },
    { command: "config", sender: "1", authorized: true },
    { command: "config", sender: "7", authorized: true },
  ])("/$command by $sender: $authorized", ({ command, sender, authorized }) => {
    const { commands } = decideAccess(query({ sender: { id: sender }, command: { name: command } }));
    expect(isCommandAuthorized(commands)).toBe(authorized);
  });

  it("/config is for nobody where neither owners nor listed people are configured", () => {
    const facts = decideAccess(
      query({ account: { ...account, allowFrom: [] }, owners: [], command: { name: "config" } }),
    );
    expect(isCommandAuthorized(facts.commands)).toBe(false);
  });
});

describe("identity is the id alone", () => {
  it.each([
    { name: "an owner of another platform", owners: ["other:9"] },
    { name: "an id that begins like an owner's", owners: ["acme:99"] },
    { name: "a bare id", owners: ["9"] },
  ])("$name has no rights", ({ owners }) => {
    expect(decideAccess(query({ owners })).dm?.decision).toBe("pairing");
  });

  it("an asterisk in the list is an id like another; for everyone there is `open`", () => {
    const facts = decideAccess(query({ account: { ...account, dmPolicy: "allowlist", allowFrom: ["*"] } }));
    expect(facts.dm?.decision).toBe("deny");
  });

  it("a display name among the sender's facts changes nothing", () => {
    const sender = { id: "9", name: "1", displayName: "1" };
    expect(decideAccess(query({ sender })).dm?.decision).toBe("pairing");
  });

  it("the account's word on bots is passed on", () => {
    expect(decideAccess(query({ account: { ...account, bots: "mentions" } })).bots).toBe("mentions");
  });
});
