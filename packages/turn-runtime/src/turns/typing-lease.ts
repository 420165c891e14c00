import type { Clock, OutboundTarget } from "@turnwire/turn-ports";

import { isHidden, replyTargetOf, type LivePass } from "./live-pass.ts";
import type { TurnOutbox } from "./turn-outbox.ts";

/** Shows that the agent is at work until the turn's scope ends; refreshed before the platform lets it expire. */
export function startTyping(pass: LivePass, outbox: TurnOutbox, clock: Clock): void {
  const { channel, request } = pass;
  const { typing, typingRefreshMs } = channel.capabilities;
  if (!typing || isHidden(pass)) return;
  const controller = new AbortController();
  const target: OutboundTarget = replyTargetOf(pass);
  let cancel: () => void = () => undefined;

  const show = (): void => {
    const sent = outbox.ephemeral({
      channel: channel.id,
      accountId: channel.accountId,
      target,
      part: { op: "typing", kind: "unknown", index: 0, body: null },
      slot: `typing:${request.turnId}`,
      signal: controller.signal,
    });
    // Nobody misses a typing sign that could not be shown.
    sent.catch(() => undefined);
    cancel = clock.setTimer(show, typingRefreshMs);
  };
  show();
  request.scope.onRelease(() => {
    cancel();
    controller.abort();
  });
}
