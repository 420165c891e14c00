import type { RouteQuery } from "@turnwire/turn-ports";
import { describe, expect, it } from "vitest";

import { createAgentRouter, type AgentBinding } from "./agent-router.ts";

const agents = [
  { id: "main", default: true, disabled: false },
  { id: "ops", default: false, disabled: false },
  { id: "off", default: false, disabled: true },
];
const channelC1: RouteQuery = { channel: "slack", accountId: "work", peer: { kind: "channel", id: "C1" } };

const toMain: AgentBinding = { agentId: "main", match: { channel: "slack" } };
const accountToOps: AgentBinding = { agentId: "ops", match: { channel: "slack", accountId: "work" } };
const peerToMain: AgentBinding = { agentId: "main", match: { channel: "slack", peer: { kind: "channel", id: "C1" } } };
const peerToOff: AgentBinding = { agentId: "off", match: { channel: "slack", peer: { kind: "channel", id: "C1" } } };
const elsewhere: AgentBinding = { agentId: "ops", match: { channel: "telegram" } };
const otherKind: AgentBinding = { agentId: "ops", match: { channel: "slack", peer: { kind: "group", id: "C1" } } };

const owners: readonly (readonly [string, readonly AgentBinding[], string | null])[] = [
  ["no binding at all: the default agent", [], "main"],
  ["bindings, none matches: nobody", [elsewhere], null],
  ["a peer of another kind does not match", [otherKind], null],
  ["account before channel, whatever the order", [toMain, accountToOps], "ops"],
  ["peer before account", [accountToOps, peerToMain], "main"],
  ["first of equals", [toMain, { ...toMain, agentId: "ops" }], "main"],
  ["a disabled owner falls back to nobody", [peerToOff, toMain], null],
];

describe("createAgentRouter", () => {
  it.each(owners)("%s", (_name, bindings, agentId) => {
    const router = createAgentRouter({ agents, bindings, dmScope: "main" });
    expect(router.resolve(channelC1)?.agentId ?? null).toBe(agentId);
  });

  it("answers a thread's session with the channel's as its parent", () => {
    const router = createAgentRouter({ agents, bindings: [], dmScope: "main" });
    expect(router.resolve({ ...channelC1, threadId: "1.2" })).toEqual({
      agentId: "main",
      accountId: "work",
      routeSessionKey: "agent:main:slack:account:work:channel:C1:thread:1.2",
      parentSessionKey: "agent:main:slack:account:work:channel:C1",
      createIfMissing: true,
    });
  });

  it("names the main session of direct chats", () => {
    const router = createAgentRouter({ agents, bindings: [], dmScope: "per-peer" });
    const route = router.resolve({ channel: "telegram", accountId: "default", peer: { kind: "direct", id: "42" } });
    expect(route).toMatchObject({ routeSessionKey: "agent:main:direct:42", mainSessionKey: "agent:main:main" });
  });

  it("does not serve a configuration whose only agent is disabled", () => {
    const router = createAgentRouter({
      agents: [{ id: "off", default: true, disabled: true }],
      bindings: [],
      dmScope: "main",
    });
    expect(router.resolve(channelC1)).toBeNull();
  });
});
