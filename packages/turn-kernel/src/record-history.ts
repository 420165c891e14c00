import type { HistoryEntry, HistoryMediaSource } from "./history-window.ts";
import type { KernelPorts } from "./kernel-ports.ts";
import type { NormalizedTurnInput } from "./normalized-turn-input.ts";
import type { PreflightFacts } from "./preflight-facts.ts";
import type { ResolvedTurnBase } from "./assembled-channel-turn.ts";

/** What is known of a message that starts no turn. */
export interface DroppedMessage {
  readonly input: NormalizedTurnInput;
  readonly preflight: PreflightFacts;
  /** Null when it was dropped before it was resolved. */
  readonly resolved: ResolvedTurnBase | null;
}

function entryOf({ input, preflight, resolved }: DroppedMessage): HistoryEntry {
  const sender = resolved?.sender ?? preflight.sender;
  const message = resolved?.message ?? preflight.message;
  const conversation = resolved?.conversation ?? preflight.conversation;
  const label =
    message?.senderLabel ??
    message?.envelopeFrom ??
    sender?.displayLabel ??
    sender?.name ??
    sender?.username ??
    sender?.id;
  const senderAllowed = (resolved?.access ?? preflight.access)?.group?.senderAllowed;
  return {
    sender: label ?? "unknown",
    body: message?.bodyForAgent ?? message?.rawBody ?? input.textForAgent ?? input.rawText,
    messageId: input.id,
    ...(input.timestamp === undefined ? {} : { timestamp: input.timestamp }),
    ...(sender?.id === undefined ? {} : { senderId: sender.id }),
    ...(conversation?.threadId === undefined ? {} : { threadId: conversation.threadId }),
    ...(senderAllowed === undefined ? {} : { senderAllowed }),
  };
}

/** Remembers a dropped message under its history key; does nothing where the turn names none. */
export async function recordHistory(ports: KernelPorts, dropped: DroppedMessage): Promise<void> {
  const history = dropped.resolved?.history ?? dropped.preflight.history;
  if (ports.history === undefined || history === undefined || history.limit <= 0) return;
  const media: HistoryMediaSource | undefined = dropped.resolved?.media ?? dropped.preflight.media;
  await ports.history.recordWithMedia({
    historyKey: history.key,
    limit: history.limit,
    mediaLimit: history.mediaLimit,
    entry: entryOf(dropped),
    media,
    shouldRecord: history.shouldRecord,
  });
}
