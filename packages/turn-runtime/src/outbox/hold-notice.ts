import type { Channel, Ids, OutboxInsert, OutboxRow } from "@turnwire/turn-ports";

/** What a person is told when nobody knows whether an answer arrived. */
export const HOLD_NOTICE_TEXT =
  "An answer to you may be missing: the connection failed while it was being sent. Ask again to get it.";

/** What a button that sends the held part again carries; the runtime knows it when it comes back. */
export function resendValue(outboxId: string): string {
  return `resend:${outboxId}`;
}

/** The notice for a held part: goes to the same chat, behind it, with a button where the platform has buttons. */
export function holdNotice(row: OutboxRow, channel: Channel, ids: Ids): readonly OutboxInsert[] {
  const presentation = channel.capabilities.buttons
    ? { buttons: [[{ label: "Send it again", value: resendValue(row.id) }]] }
    : undefined;
  const parts = channel.render({ text: HOLD_NOTICE_TEXT, presentation }, { target: row.target, mode: "final" });
  return parts.map((part) => ({
    id: ids.next(),
    deliverKey: row.deliverKey,
    channel: row.channel,
    accountId: row.accountId,
    turnId: row.turnId,
    sessionKey: row.sessionKey,
    purpose: "notice",
    part,
    target: row.target,
  }));
}
