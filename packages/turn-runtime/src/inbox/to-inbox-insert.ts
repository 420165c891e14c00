import type { Channel, InboundEnvelope, InboxDebounce, InboxInsert, RawEvent } from "@turnwire/turn-ports";
import { TurnwireError } from "@turnwire/turn-ports";

import type { MessagesConfig } from "../config/messages-config.ts";
import type { AgentRouter } from "../routing/agent-router.ts";

/** What an event is turned into a row with. */
export interface InboxMapping {
  readonly channel: Pick<Channel, "id" | "accountId" | "envelope">;
  readonly router: AgentRouter;
  readonly inbound: MessagesConfig["inbound"];
}

/** How an envelope takes part in debouncing: only new texts wait, media flush what waits, all else passes by. */
export function decideDebounce(mapping: InboxMapping, envelope: InboundEnvelope): InboxDebounce | undefined {
  const { channel, inbound } = mapping;
  const delayMs = inbound.byChannel[channel.id] ?? inbound.debounceMs;
  if (delayMs <= 0 || envelope.change !== "new") return undefined;
  const { routePeer, threadId, senderId } = envelope;
  const scope = JSON.stringify([channel.id, channel.accountId, routePeer.kind, routePeer.id, threadId ?? "", senderId]);
  const modes = { text: "wait", media: "flush", control: "bypass", other: "bypass" } as const;
  return { scope, mode: modes[envelope.kind], delayMs };
}

/** The lane of an envelope: its session's, or, where nobody owns the place, one of its own in which it ends `dropped: no_owner`. */
function laneKeyOf(mapping: InboxMapping, envelope: InboundEnvelope): string {
  const { channel, router } = mapping;
  const { routePeer: peer, threadId } = envelope;
  const route = router.resolve({ channel: channel.id, accountId: channel.accountId, peer, threadId });
  if (route !== null) return `turn:${route.routeSessionKey}`;
  return `turn:none:${JSON.stringify([channel.id, channel.accountId, peer.kind, peer.id])}`;
}

/** What is known of an event that could not be understood. Its keys come from its own content: a redelivery is recognised. */
function deadInsert(mapping: InboxMapping, raw: RawEvent, fingerprint: string, error: unknown): InboxInsert {
  const code = TurnwireError.isInstance(error) ? error.code : "event_unreadable";
  const detail = error instanceof Error ? error.message : String(error);
  const { id, accountId } = mapping.channel;
  return {
    laneKey: `turn:none:${JSON.stringify([id, accountId, "direct", ""])}`,
    dedupeKey: `dead:${fingerprint}`,
    turnKey: null,
    messageId: "",
    change: "new",
    routePeer: { kind: "direct", id: "" },
    senderId: "",
    replyTarget: "",
    kind: "other",
    raw,
    deadReason: `${code}: ${detail}`,
  };
}

/** Ids without which an event has no identity and no place. */
const REQUIRED = ["dedupeKey", "turnKey", "messageId", "senderId", "replyTarget"] as const;

/**
 * A channel that hands out half an envelope must not stop its whole batch, which the platform would deliver again and again.
 * @throws TypeError naming the field
 */
function checkEnvelope(envelope: InboundEnvelope): InboundEnvelope {
  const missing =
    REQUIRED.find((field) => typeof envelope[field] !== "string") ??
    (envelope.dedupeKey === "" ? "dedupeKey" : undefined) ??
    (typeof envelope.routePeer?.id === "string" ? undefined : "routePeer");
  if (missing !== undefined) throw new TypeError(`The envelope has no ${missing}.`);
  return envelope;
}

/** Turns one event into the row that is stored. Never throws: what cannot be understood becomes a dead letter with its reason. */
export function toInboxInsert(
  mapping: InboxMapping,
  raw: RawEvent,
  fingerprint: (raw: RawEvent) => string,
): InboxInsert {
  let envelope: InboundEnvelope;
  try {
    envelope = checkEnvelope(mapping.channel.envelope(raw));
  } catch (error) {
    return deadInsert(mapping, raw, fingerprint(raw), error);
  }
  return {
    laneKey: laneKeyOf(mapping, envelope),
    dedupeKey: envelope.dedupeKey,
    turnKey: envelope.change === "delete" ? null : envelope.turnKey,
    messageId: envelope.messageId,
    change: envelope.change,
    routePeer: envelope.routePeer,
    threadId: envelope.threadId,
    senderId: envelope.senderId,
    replyTarget: envelope.replyTarget,
    kind: envelope.kind,
    command: envelope.command,
    raw,
    debounce: decideDebounce(mapping, envelope),
  };
}
