import { randomInt } from "node:crypto";

import type { FinalizedMsgContext } from "@turnwire/turn-kernel";

import { replyTargetOf, senderLabelOf, type LivePass } from "./live-pass.ts";
import type { TurnEngineOptions } from "./turn-engine-options.ts";

/** Letters and digits that people do not mix up when they read them aloud. */
const CODE_ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
/** 32^8 codes: nobody guesses one among the few that wait. */
const CODE_CHARS = 8;

/**
 * Makes a pairing code for a person who may not talk yet, and tells it to them once: whoever writes again gets no
 * second notice. An operator lets them in with it.
 */
export async function sendPairingNotice(
  pass: LivePass,
  options: Pick<TurnEngineOptions, "store" | "outbox" | "log">,
  context: FinalizedMsgContext | null,
): Promise<void> {
  const { channel, request } = pass;
  const { last } = request;
  const code = Array.from({ length: CODE_CHARS }, () => CODE_ALPHABET[randomInt(CODE_ALPHABET.length)]).join("");
  const { pairing, created } = await options.store.pairings.request({
    code,
    channel: channel.id,
    accountId: channel.accountId,
    senderId: last.senderId,
    ...(context === null ? {} : { senderLabel: senderLabelOf(context) }),
  });
  if (!created) return;
  const target = replyTargetOf(pass);
  const text = `I do not know you yet. Ask the person who runs me to let you in with this code: ${pairing.code}`;
  await options.outbox.send({
    channel: channel.id,
    accountId: channel.accountId,
    target,
    parts: channel.render({ text }, { target, mode: "final" }),
    purpose: "notice",
    turnId: request.turnId,
  });
}
