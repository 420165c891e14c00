import type { FinalizedMsgContext } from "@turnwire/turn-kernel";

import { isHidden, replyTargetOf, type LivePass } from "./live-pass.ts";
import type { TurnOutbox } from "./turn-outbox.ts";

/**
 * Puts the account's reaction on the message that a run answers, and takes it away with the turn's scope, however the
 * turn ends. In groups only, and only where the bot was mentioned: a direct chat shows "typing…".
 */
export function showAck(pass: LivePass, outbox: TurnOutbox, context: FinalizedMsgContext): void {
  const { channel, request } = pass;
  const { ackReaction } = channel.account;
  const isCalled = request.last.routePeer.kind !== "direct" && context.WasMentioned === true;
  if (ackReaction === undefined || !channel.capabilities.reactions || !isCalled || isHidden(pass)) return;
  const controller = new AbortController();

  const react = async (emoji: string): Promise<void> => {
    await outbox.ephemeral({
      channel: channel.id,
      accountId: channel.accountId,
      target: replyTargetOf(pass),
      // An empty reaction takes the one away that stands there.
      part: { op: "react", kind: "unknown", index: 0, messageId: request.last.messageId, body: emoji },
      slot: `ack:${request.turnId}`,
      signal: controller.signal,
    });
  };
  // A reaction that could not be shown is missed by nobody.
  const shown = react(ackReaction).catch(() => undefined);
  request.scope.onRelease(async () => {
    await shown;
    await react("").catch(() => undefined);
  });
}
