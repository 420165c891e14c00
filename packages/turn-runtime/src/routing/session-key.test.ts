import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { buildSessionKey, type DmScope, type SessionKeyParts } from "./session-key.ts";

const base = { agentId: "main", channel: "telegram", accountId: "default" } as const;

const table: readonly (readonly [string, SessionKeyParts, string])[] = [
  ["direct, main", { ...base, peer: { kind: "direct", id: "42" }, dmScope: "main" }, "agent:main:main"],
  ["direct, per-peer", { ...base, peer: { kind: "direct", id: "42" }, dmScope: "per-peer" }, "agent:main:direct:42"],
  [
    "direct, per-channel-peer",
    { ...base, peer: { kind: "direct", id: "42" }, dmScope: "per-channel-peer" },
    "agent:main:telegram:direct:42",
  ],
  [
    "direct, per-account-channel-peer",
    { ...base, peer: { kind: "direct", id: "42" }, dmScope: "per-account-channel-peer" },
    "agent:main:telegram:account:default:direct:42",
  ],
  ["group", { ...base, peer: { kind: "group", id: "-100" }, dmScope: "main" }, "agent:main:telegram:group:-100"],
  [
    "forum topic",
    { ...base, peer: { kind: "group", id: "-100" }, threadId: "7", dmScope: "main" },
    "agent:main:telegram:group:-100:topic:7",
  ],
  [
    "thread of a channel, named account",
    {
      ...base,
      channel: "slack",
      accountId: "work",
      peer: { kind: "channel", id: "C1" },
      threadId: "1.2",
      dmScope: "main",
    },
    "agent:main:slack:account:work:channel:C1:thread:1.2",
  ],
  [
    "ids with colons and percent signs",
    { ...base, channel: "matrix", peer: { kind: "channel", id: "!a%:example.org" }, dmScope: "main" },
    "agent:main:matrix:channel:!a%25%3Aexample.org",
  ],
];

describe("buildSessionKey", () => {
  it.each(table)("%s", (_name, parts, key) => {
    expect(buildSessionKey(parts)).toBe(key);
  });

  it("gives a direct chat no key of its own for a thread", () => {
    const parts: SessionKeyParts = { ...base, peer: { kind: "direct", id: "1" }, dmScope: "per-peer" };
    expect(buildSessionKey({ ...parts, threadId: "9" })).toBe(buildSessionKey(parts));
  });

  it("is injective: equal keys mean the same place, as far as the scope tells places apart", () => {
    // Few, nasty ids, so that collisions are likely to be found if there are any.
    const id = fc.oneof(
      fc.constantFrom(
        "",
        "a",
        ":",
        "%",
        "%3A",
        "%25",
        "a:b",
        "default",
        "main",
        "direct",
        "group",
        "account",
        "topic",
        "thread",
      ),
      fc.string({ maxLength: 4 }),
    );
    const parts: fc.Arbitrary<SessionKeyParts> = fc.record({
      agentId: id,
      channel: id,
      accountId: id,
      peer: fc.record({ kind: fc.constantFrom("direct" as const, "group" as const, "channel" as const), id }),
      threadId: fc.option(id, { nil: undefined }),
      dmScope: fc.constantFrom<DmScope>("main", "per-peer", "per-channel-peer", "per-account-channel-peer"),
    });
    fc.assert(
      fc.property(parts, parts, (left, right) => {
        const same = JSON.stringify(placeOf(left)) === JSON.stringify(placeOf(right));
        expect(buildSessionKey(left) === buildSessionKey(right)).toBe(same);
      }),
      { numRuns: 5_000 },
    );
  });
});

/** What a session is about, by its definition: the reference that the keys are compared with. */
function placeOf(parts: SessionKeyParts): readonly unknown[] {
  const { agentId, channel, accountId, peer, threadId } = parts;
  if (peer.kind !== "direct") return ["place", agentId, channel, accountId, peer.kind, peer.id, threadId ?? null];
  switch (parts.dmScope) {
    case "main":
      return ["main", agentId];
    case "per-peer":
      return ["person", agentId, peer.id];
    case "per-channel-peer":
      return ["person on channel", agentId, channel, peer.id];
    case "per-account-channel-peer":
      return ["person on account", agentId, channel, accountId, peer.id];
  }
}
