import type { Channel, Ids, OutboxInsert, OutboxRow } from "@turnwire/turn-ports";

/** What a person is told when nobody knows whether an answer arrived. */
export const HOLD_NOTICE_TEXT = "An answer to you may be missing: the connection failed while it was being sent.";

/** The command that sends a held part again; a button carries it where the platform has buttons. */
export function resendCommand(outboxId: string): string {
  return `/resend ${outboxId}`;
}

/** The notice for a held part: into the same chat, behind what waits there. */
export function holdNotice(row: OutboxRow, channel: Channel, ids: Ids): readonly OutboxInsert[] {
  const command = resendCommand(row.id);
  const payload = channel.capabilities.buttons
    ? { text: HOLD_NOTICE_TEXT, presentation: { buttons: [[{ label: "Send it again", value: command }]] } }
    : { text: `${HOLD_NOTICE_TEXT} To get it again, send: ${command}` };
  const parts = channel.render(payload, { target: row.target, mode: "final" });
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
