import type { ChannelCapabilities } from "@turnwire/turn-ports";

/** What Telegram can do, and its limits. Sources: Bot API 10.3 documentation, and the code of its server where the documentation is silent. */
export const telegramCapabilities: ChannelCapabilities = {
  // `sendMessage`: 1-4096 characters after entities parsing; the server counts code points, not UTF-16 units.
  textLimit: 4096,
  textUnit: "code_points",
  // `sendPhoto` and the others: caption of 0-1024 characters after entities parsing.
  captionLimit: 1024,
  // `sendMessageDraft` works in private chats only; elsewhere a message is edited.
  drafts: { direct: "native", group: "edit", channel: "edit" },
  typing: true,
  // `sendChatAction`: the status is shown for 5 seconds or less.
  typingRefreshMs: 4_000,
  reactions: true,
  edits: true,
  deletes: true,
  threads: true,
  replies: true,
  media: true,
  buttons: true,
  nativeCommands: true,
  // No idempotency key, and no method that reads a chat.
  settlement: "none",
  settlementWindowMs: 0,
  // Updates are kept for 24 hours at most (`Getting updates`).
  redeliveryHorizonMs: 86_400_000,
  // Bots FAQ, "My bot is hitting limits": about 30 messages a second, 1 a second in a chat, 20 a minute in a group.
  outboundRate: { perBotPerSecond: 30, perChatPerSecond: 1, perGroupPerMinute: 20 },
  // A second getUpdates ends the first with 409.
  singleListener: true,
};
