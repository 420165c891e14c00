import type { SenderFacts } from "@turnwire/turn-kernel";
import type { RoutePeer } from "@turnwire/turn-ports";

import type { TelegramChat, TelegramEntity, TelegramMessage, TelegramReplied, TelegramUser } from "./update-schema.ts";

/** A forum's "General" topic: its messages carry no topic id, and sends to it must not carry one either. */
export const GENERAL_TOPIC_ID = "1";

/** The peer that routing looks up. Set from the chat's type, never from the shape of its id. */
export function placeOf(chat: TelegramChat): RoutePeer {
  const id = String(chat.id);
  switch (chat.type) {
    case "private":
      return { kind: "direct", id };
    case "channel":
      return { kind: "channel", id };
    case "group":
    case "supergroup":
      return { kind: "group", id };
  }
}

/** The topic of a message. A `message_thread_id` outside of topics only names a chain of replies, which is no thread here. */
export function threadIdOf(
  message: Pick<TelegramMessage, "chat" | "message_thread_id" | "is_topic_message">,
): string | undefined {
  if (message.is_topic_message === true && message.message_thread_id !== undefined) {
    return String(message.message_thread_id);
  }
  return message.chat.is_forum === true && message.chat.type === "supergroup" ? GENERAL_TOPIC_ID : undefined;
}

/** Label of a chat for people. */
export function chatLabel(chat: TelegramChat): string | undefined {
  if (chat.title !== undefined) return chat.title;
  const name = [chat.first_name, chat.last_name].filter((part) => part !== undefined).join(" ");
  return name === "" ? chat.username : name;
}

/** Name of a person as Telegram shows it. */
export function userName(user: TelegramUser): string {
  return [user.first_name, user.last_name].filter((part) => part !== undefined && part !== "").join(" ");
}

type Author = Pick<TelegramMessage, "from" | "sender_chat"> & { readonly chat?: TelegramChat | undefined };

/**
 * Who wrote a message. One that is sent in the name of a chat (a channel's post, an anonymous administrator)
 * carries a stand-in of Telegram's as `from`; the chat is its author.
 */
export function senderOf(message: Author): SenderFacts {
  const { from, sender_chat: senderChat, chat } = message;
  if (senderChat !== undefined) return chatAsSender(senderChat);
  if (from !== undefined) {
    return {
      id: String(from.id),
      name: userName(from),
      ...(from.username === undefined ? {} : { username: from.username, tag: `@${from.username}` }),
      isBot: from.is_bot,
    };
  }
  return chat === undefined ? { id: "unknown" } : chatAsSender(chat);
}

function chatAsSender(chat: TelegramChat): SenderFacts {
  const name = chatLabel(chat);
  return {
    id: String(chat.id),
    ...(name === undefined ? {} : { name }),
    ...(chat.username === undefined ? {} : { username: chat.username, tag: `@${chat.username}` }),
    isBot: false,
  };
}

/** Text or caption, with its entities. */
export function textOf(message: Pick<TelegramReplied, "text" | "entities" | "caption" | "caption_entities">): {
  readonly text: string;
  readonly entities: readonly TelegramEntity[];
} {
  return message.text === undefined
    ? { text: message.caption ?? "", entities: message.caption_entities ?? [] }
    : { text: message.text, entities: message.entities ?? [] };
}

/** The message that this one answers; the one that opened its topic is named by Telegram too, but nobody answered that. */
export function repliedOf(message: TelegramMessage): TelegramReplied | null {
  const replied = message.reply_to_message;
  if (replied === undefined || replied.forum_topic_created !== undefined) return null;
  return message.is_topic_message === true && replied.message_id === message.message_thread_id ? null : replied;
}

/** The text that commands are read from: without the bot's own mention in front. */
export function commandTextOf(message: TelegramMessage, bot: { readonly username?: string | undefined }): string {
  return stripMention(message, bot, "leading");
}

/** The text for the agent: without the bot's own mentions. */
export function agentTextOf(message: TelegramMessage, bot: { readonly username?: string | undefined }): string {
  return stripMention(message, bot, "all");
}

function stripMention(
  message: TelegramMessage,
  bot: { readonly username?: string | undefined },
  which: "leading" | "all",
): string {
  const { text, entities } = textOf(message);
  const own = entities
    .filter((entity) => entity.type === "mention" && isOwnMention(text, entity, bot.username))
    .toSorted((a, b) => b.offset - a.offset);
  let stripped = text;
  for (const { offset, length } of own) {
    const isLeading = text.slice(0, offset).trim() === "";
    if (which === "all" || isLeading) stripped = stripped.slice(0, offset) + stripped.slice(offset + length);
  }
  return stripped.trim();
}

/** True when a `mention` entity names the bot. Offsets are UTF-16 units, as JavaScript counts. */
export function isOwnMention(text: string, entity: TelegramEntity, username: string | undefined): boolean {
  if (username === undefined) return false;
  const named = text.slice(entity.offset, entity.offset + entity.length);
  return named.toLowerCase() === `@${username.toLowerCase()}`;
}
