import type { AcceptRequest } from "@turnwire/turn-ports";

/** A Telegram-like text message of about 400 bytes: one of 1,000 conversations, a new cursor with each. */
export function sampleEvent(n: number, sessions = 1_000): AcceptRequest {
  const peer = String(100_000 + (n % sessions));
  return {
    channel: "telegram",
    accountId: "default",
    cursor: String(n),
    rows: [
      {
        laneKey: `turn:agent:main:telegram:default:direct:${peer}`,
        dedupeKey: `update:${n}`,
        turnKey: `direct:${peer}::${n}:0`,
        messageId: String(n),
        change: "new",
        routePeer: { kind: "direct", id: peer },
        senderId: peer,
        replyTarget: peer,
        kind: "text",
        raw: {
          type: "message",
          payload: {
            message_id: n,
            from: { id: Number(peer), is_bot: false, first_name: "Ada", language_code: "en" },
            chat: { id: Number(peer), type: "private", first_name: "Ada" },
            date: 1_800_000_000,
            text: "The quick brown fox jumps over the lazy dog, and then it asks a question about the weather.",
          },
          receivedAtMs: 1_800_000_000_000,
        },
      },
    ],
  };
}
