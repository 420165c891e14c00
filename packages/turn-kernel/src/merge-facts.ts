import type { ChannelTurnResolved } from "./channel-turn-adapter.ts";
import type { MessageFacts } from "./message-facts.ts";
import type { NormalizedTurnInput } from "./normalized-turn-input.ts";
import type { PreflightFacts } from "./preflight-facts.ts";

/** Field by field: what `later` says wins, and what it leaves out stays. */
function merge<T extends object>(earlier: Partial<T> | undefined, later: T | undefined): T | undefined {
  if (earlier === undefined) return later;
  if (later === undefined) return earlier as T;
  const merged: Record<string, unknown> = { ...earlier };
  for (const [key, value] of Object.entries(later)) if (value !== undefined) merged[key] = value;
  return merged as T;
}

/** The bodies that ingest cleaned stand in where neither preflight nor resolve gives one. */
function withBodies(message: MessageFacts | undefined, input: NormalizedTurnInput): MessageFacts | undefined {
  const { textForAgent, textForCommands } = input;
  if (message === undefined || (textForAgent === undefined && textForCommands === undefined)) return message;
  return {
    ...message,
    bodyForAgent: message.bodyForAgent ?? textForAgent,
    commandBody: message.commandBody ?? textForCommands,
  };
}

/** The resolved turn with what ingest and preflight knew already. Where several give a fact, the latest wins. */
export function mergeFacts<T extends ChannelTurnResolved>(
  input: NormalizedTurnInput,
  preflight: PreflightFacts,
  resolved: T,
): T {
  const isFinished = resolved.ctxPayload !== undefined;
  const access = merge(preflight.access, resolved.access);
  const sender = merge(preflight.sender, resolved.sender);
  const conversation = merge(preflight.conversation, resolved.conversation);
  const history = resolved.history ?? preflight.history;
  // A finished context is not built again: only what authorize and record read is merged.
  if (isFinished) return { ...resolved, access, sender, conversation, history };
  const media = resolved.media ?? (typeof preflight.media === "function" ? undefined : preflight.media);
  return {
    ...resolved,
    access,
    sender,
    conversation,
    history,
    media,
    messageId: resolved.messageId ?? input.id,
    timestamp: resolved.timestamp ?? input.timestamp,
    message: withBodies(merge(preflight.message, resolved.message), input),
    route: merge(preflight.route, resolved.route),
    reply: merge(preflight.reply, resolved.reply),
    supplemental: merge(preflight.supplemental, resolved.supplemental),
  };
}
