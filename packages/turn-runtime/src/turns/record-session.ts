import type { FinalizedMsgContext, RecordInboundSessionParams } from "@turnwire/turn-kernel";
import type { JsonValue } from "@turnwire/turn-ports";

import type { StepBuffer } from "../step-buffer.ts";

/** Adds a session's metadata and last route to a step: they are stored with the turn's next commit, not by one of their own. */
export function recordSession(params: RecordInboundSessionParams, agentId: string, step: StepBuffer): void {
  const { sessionKey, ctx, createIfMissing = true, updateLastRoute } = params;
  step.add({ op: "session.put", key: sessionKey, agentId, createIfMissing, meta: metaOf(ctx) });
  if (updateLastRoute === undefined) return;
  const { mainDmOwnerPin: pin, sessionKey: key, ...lastRoute } = updateLastRoute;
  if (pin !== undefined && pin.ownerRecipient !== pin.senderRecipient) {
    pin.onSkip?.();
    return;
  }
  step.add({ op: "session.put", key, agentId, createIfMissing, lastRoute });
}

/** Labels for people who look at the session; no bodies. */
function metaOf(ctx: FinalizedMsgContext): JsonValue {
  const labels = {
    chatType: ctx.ChatType,
    label: ctx.ConversationLabel,
    sender: ctx.SenderName ?? ctx.SenderUsername ?? ctx.SenderId,
    provider: ctx.Provider,
  };
  return Object.fromEntries(
    Object.entries(labels).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
