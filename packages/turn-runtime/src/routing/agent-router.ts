import type { RouteFacts } from "@turnwire/turn-kernel";
import type { RoutePeer, RouteQuery } from "@turnwire/turn-ports";

import { buildMainSessionKey, buildSessionKey, type DmScope } from "./session-key.ts";

/** Gives a place to an agent. Absent members match everything; a peer's binding also holds for its threads. */
export interface AgentBinding {
  readonly agentId: string;
  readonly match: {
    readonly channel: string;
    readonly accountId?: string | undefined;
    readonly peer?: RoutePeer | undefined;
  };
}

/** What routing needs to know of the configuration. */
export interface AgentRouterConfig {
  readonly agents: readonly { readonly id: string; readonly default: boolean; readonly disabled: boolean }[];
  readonly bindings: readonly AgentBinding[];
  readonly dmScope: DmScope;
}

/** Finds the agent and session of a place. */
export interface AgentRouter {
  /** Null when no enabled agent owns the place. Pure: the same query always has the same answer. */
  resolve(query: RouteQuery): RouteFacts | null;
}

/**
 * The most specific binding wins (peer before account before channel; the first in the list among equals).
 * The default agent serves only a configuration without any binding, and a disabled owner never falls back
 * to another agent: an event that nobody owns is dropped, not answered by whoever is left.
 */
export function createAgentRouter(config: AgentRouterConfig): AgentRouter {
  const enabled = new Set(config.agents.filter((agent) => !agent.disabled).map((agent) => agent.id));
  const fallback = config.agents.find((agent) => agent.default) ?? config.agents[0];

  function ownerOf(query: RouteQuery): string | null {
    if (config.bindings.length === 0) return fallback?.id ?? null;
    let best: { readonly agentId: string; readonly specificity: number } | null = null;
    for (const binding of config.bindings) {
      const specificity = specificityOf(binding, query);
      if (specificity !== null && (best === null || specificity > best.specificity)) {
        best = { agentId: binding.agentId, specificity };
      }
    }
    return best?.agentId ?? null;
  }

  return {
    resolve(query) {
      const agentId = ownerOf(query);
      if (agentId === null || !enabled.has(agentId)) return null;
      const { channel, accountId, peer, threadId } = query;
      const key = { agentId, channel, accountId, peer, dmScope: config.dmScope };
      const routeSessionKey = buildSessionKey({ ...key, threadId });
      const isDirect = peer.kind === "direct";
      return {
        agentId,
        accountId,
        routeSessionKey,
        createIfMissing: true,
        ...(isDirect ? { mainSessionKey: buildMainSessionKey(agentId) } : {}),
        ...(!isDirect && threadId !== undefined ? { parentSessionKey: buildSessionKey(key) } : {}),
      };
    },
  };
}

/** Higher is more specific; null when the binding does not match. */
function specificityOf({ match }: AgentBinding, query: RouteQuery): number | null {
  if (match.channel !== query.channel) return null;
  if (match.accountId !== undefined && match.accountId !== query.accountId) return null;
  if (match.peer !== undefined && (match.peer.kind !== query.peer.kind || match.peer.id !== query.peer.id)) return null;
  return (match.peer === undefined ? 0 : 2) + (match.accountId === undefined ? 0 : 1);
}
