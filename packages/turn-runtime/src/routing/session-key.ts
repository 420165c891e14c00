import type { RoutePeer } from "@turnwire/turn-ports";

/**
 * How direct chats are grouped into sessions.
 * - `main`: all direct chats of an agent share one session;
 * - `per-peer`: one for each person id; - `per-channel-peer`: one for each person id on each platform;
 * - `per-account-channel-peer`: also apart for each account of ours.
 */
export type DmScope = "main" | "per-peer" | "per-channel-peer" | "per-account-channel-peer";

/** What a session key is made of. */
export interface SessionKeyParts {
  readonly agentId: string;
  readonly channel: string;
  readonly accountId: string;
  readonly peer: RoutePeer;
  /** Forum topic or thread; direct chats have none of their own. */
  readonly threadId?: string | undefined;
  readonly dmScope: DmScope;
}

/** The account whose name is left out of keys, so that a set-up with one account has short ones. */
const UNNAMED_ACCOUNT = "default";

/** Platform ids may hold colons (Matrix); the separator and the escape sign itself are percent-encoded. */
function encodeSegment(id: string): string {
  return id.replaceAll("%", "%25").replaceAll(":", "%3A");
}

/** The session of an agent's direct chats under `dmScope: "main"`. */
export function buildMainSessionKey(agentId: string): string {
  return `agent:${encodeSegment(agentId)}:main`;
}

/**
 * The key of the session that a place belongs to. Injective: two places have one key only when the
 * `dmScope` says that they share a session. A reply anchor never is part of it.
 */
export function buildSessionKey(parts: SessionKeyParts): string {
  const agent = `agent:${encodeSegment(parts.agentId)}`;
  const channel = encodeSegment(parts.channel);
  const peer = encodeSegment(parts.peer.id);

  if (parts.peer.kind === "direct") {
    switch (parts.dmScope) {
      case "main":
        return buildMainSessionKey(parts.agentId);
      case "per-peer":
        return `${agent}:direct:${peer}`;
      case "per-channel-peer":
        return `${agent}:${channel}:direct:${peer}`;
      case "per-account-channel-peer":
        return `${agent}:${channel}:account:${encodeSegment(parts.accountId)}:direct:${peer}`;
    }
  }

  const account = parts.accountId === UNNAMED_ACCOUNT ? "" : `:account:${encodeSegment(parts.accountId)}`;
  // A forum topic lies in a group, a thread in a channel; the kind tells which word it is.
  const threadWord = parts.peer.kind === "group" ? "topic" : "thread";
  const thread = parts.threadId === undefined ? "" : `:${threadWord}:${encodeSegment(parts.threadId)}`;
  return `${agent}:${channel}${account}:${parts.peer.kind}:${peer}${thread}`;
}
