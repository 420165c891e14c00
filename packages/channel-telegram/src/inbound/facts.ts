import { decideAccess, redactSecrets } from "@turnwire/adapter-kit";
import {
  isCommandAuthorized,
  resolveInboundMentionDecision,
  type AccessFacts,
  type ConversationFacts,
  type ForwardedFacts,
  type ImplicitMentionKind,
  type InboundMentionFacts,
  type MessageFacts,
  type QuoteFacts,
  type ReplyPlanFacts,
  type SenderFacts,
  type SupplementalContextFacts,
} from "@turnwire/turn-kernel";
import type { TurnHost } from "@turnwire/turn-ports";

import { isOurs } from "./commands.ts";
import { wordsOf } from "./describe-content.ts";
import { chatLabel, isOwnMention, repliedOf, senderOf, textOf, userName } from "./message-parts.ts";
import { cutCodePoints } from "../common/cut-code-points.ts";
import type { TelegramTurn } from "./telegram-turn.ts";
import type { TelegramChat, TelegramMessage, TelegramOrigin } from "./update-schema.ts";

/** The only part of a message that may be logged, characters. */
const PREVIEW_CHARS = 80;

/** The chat of the newest event, where it has one. */
export function chatOf({ last }: TelegramTurn): TelegramChat | null {
  switch (last.kind) {
    case "message":
      return last.message.chat;
    case "callback_query":
      return last.callback.message?.chat ?? null;
    case "message_reaction":
      return last.reaction.chat;
    case "my_chat_member":
      return last.member.chat;
    case "stopped_message_generation":
      return last.stopped.chat;
    case "other":
      return null;
  }
}

/** Where it was said: kind and ids as the envelope has them. */
export function conversationFacts(turn: TelegramTurn): ConversationFacts {
  const { routePeer, threadId } = turn.envelope;
  const chat = chatOf(turn);
  const label = chat === null ? undefined : chatLabel(chat);
  return {
    kind: routePeer.kind,
    id: routePeer.id,
    routePeer,
    nativeChannelId: routePeer.id,
    ...(label === undefined ? {} : { label }),
    ...(threadId === undefined ? {} : { threadId, parentId: routePeer.id }),
  };
}

/** Who said it. */
export function senderFacts(turn: TelegramTurn): SenderFacts {
  const { last, bot, envelope } = turn;
  const sender = senderBehind(turn) ?? { id: envelope.senderId };
  const label = sender.name ?? sender.tag;
  const isSelf = sender.id === bot.id || (last.kind === "message" && last.message.from?.id === Number(bot.id));
  return { ...sender, isSelf, ...(label === undefined ? {} : { displayLabel: label }) };
}

function senderBehind({ last }: TelegramTurn): SenderFacts | null {
  switch (last.kind) {
    case "message":
      return senderOf(last.message);
    case "callback_query":
      return senderOf({ from: last.callback.from });
    case "my_chat_member":
      return senderOf({ from: last.member.from });
    case "message_reaction":
    case "stopped_message_generation":
    case "other":
      return null;
  }
}

const DELIVERY_MODES = { direct: "direct", group: "reply", channel: "channel" } as const;

/** Where the answer goes: taken from the newest event's own ids, and from nothing else. */
export function replyPlanFacts(turn: TelegramTurn): ReplyPlanFacts {
  const { routePeer, threadId, replyTarget } = turn.envelope;
  const anchor =
    turn.last.kind === "callback_query" ? turn.last.callback.message?.message_id : turn.messages.at(-1)?.message_id;
  return {
    to: routePeer.id,
    originatingTo: routePeer.id,
    nativeChannelId: routePeer.id,
    replyTarget,
    ...(anchor === undefined ? {} : { replyToId: String(anchor) }),
    ...(threadId === undefined ? {} : { messageThreadId: threadId, threadParentId: routePeer.id }),
    sourceReplyDeliveryMode: threadId === undefined ? DELIVERY_MODES[routePeer.kind] : "thread",
  };
}

/** Whom a batch addresses: names, `/command@bot`, a reply to the bot, a press on one of its buttons. */
export function mentionFacts(turn: TelegramTurn): InboundMentionFacts {
  const { bot, messages, last } = turn;
  const named = messages.map((message) => mentionsIn(message, bot));
  const kinds = new Set<ImplicitMentionKind>();
  for (const message of messages) {
    if (String(repliedOf(message)?.from?.id) !== bot.id) continue;
    kinds.add("reply_to_bot");
    if (message.quote !== undefined) kinds.add("quoted_bot");
  }
  if (last.kind === "callback_query") kinds.add("native");
  return {
    // The bot's name is known as soon as its listener runs once; without it a mention looks like any word.
    canDetectMention: bot.username !== undefined,
    wasMentioned: named.some(({ own }) => own),
    hasAnyMention: named.some(({ any }) => any),
    implicitMentionKinds: [...kinds],
  };
}

function mentionsIn(
  message: TelegramMessage,
  bot: TelegramTurn["bot"],
): { readonly own: boolean; readonly any: boolean } {
  const { text, entities } = textOf(message);
  let own = false;
  let any = false;
  for (const entity of entities) {
    const word = text.slice(entity.offset, entity.offset + entity.length);
    if (entity.type === "mention") {
      any = true;
      own ||= isOwnMention(text, entity, bot.username);
    }
    if (entity.type === "text_mention") {
      any = true;
      own ||= String(entity.user?.id) === bot.id;
    }
    if (entity.type === "bot_command" && word.includes("@")) {
      any = true;
      own ||= isOurs({ name: "", args: "", control: false, bot: word.slice(word.indexOf("@") + 1) }, bot.username);
    }
  }
  return { own, any };
}

/** Policies applied to the sender, and the kernel's decision about the mention. */
export function accessFacts(
  turn: TelegramTurn,
  host: Pick<TurnHost, "account" | "owners">,
  paired: boolean,
): AccessFacts {
  const { command, bot } = turn;
  const isOwn = command !== null && command.control && isOurs(command, bot.username);
  const sender = senderFacts(turn);
  const access = decideAccess({
    channel: "telegram",
    account: host.account,
    sender: { id: sender.id, isBot: sender.isBot },
    conversation: turn.envelope.routePeer,
    paired,
    owners: host.owners,
    ...(isOwn ? { command: { name: command.name } } : {}),
  });
  if (turn.envelope.routePeer.kind === "direct") return access;
  const mentions = resolveInboundMentionDecision({
    facts: mentionFacts(turn),
    policy: {
      isGroup: true,
      requireMention: access.group?.requireMention ?? true,
      allowTextCommands: access.commands?.allowTextCommands,
      hasControlCommand: isOwn,
      commandAuthorized: isCommandAuthorized(access.commands),
    },
  });
  return { ...access, mentions };
}

/** The words. `preview` is all that may be logged of them. */
export function messageFacts(turn: TelegramTurn): MessageFacts {
  const { rawText, textForAgent, textForCommands } = turn;
  const sender = senderFacts(turn);
  const oneLine = redactSecrets(textForAgent.replaceAll(/\s+/gu, " ").trim());
  return {
    body: textForAgent,
    rawBody: rawText,
    bodyForAgent: textForAgent,
    commandBody: textForCommands,
    preview: cutCodePoints(oneLine, PREVIEW_CHARS),
    ...(sender.displayLabel === undefined ? {} : { envelopeFrom: sender.displayLabel }),
  };
}

/** Whether the words of somebody else may reach the model. */
export type SenderAllowed = (senderId: string | undefined) => boolean;

/** Quote, forward and topic of the newest message. */
export function supplementalFacts(turn: TelegramTurn, isAllowed: SenderAllowed): SupplementalContextFacts {
  const message = turn.messages.at(-1);
  if (message === undefined) return {};
  const quote = quoteFacts(message, isAllowed);
  const forwarded = message.forward_origin === undefined ? null : forwardedFacts(message.forward_origin, isAllowed);
  const { threadId } = turn.envelope;
  const topic = message.reply_to_message?.forum_topic_created?.name;
  return {
    ...(quote === null ? {} : { quote }),
    ...(forwarded === null ? {} : { forwarded }),
    ...(threadId === undefined
      ? {}
      : { thread: { id: threadId, ...(topic === undefined ? {} : { label: topic }), senderAllowed: true } }),
  };
}

function quoteFacts(message: TelegramMessage, isAllowed: SenderAllowed): QuoteFacts | null {
  const { quote, external_reply: external } = message;
  const marked = quote === undefined ? {} : { body: quote.text, isQuote: true };
  const replied = repliedOf(message);
  if (replied !== null) {
    const sender = senderOf(replied);
    const label = sender.name ?? sender.tag;
    const body = wordsOf(replied);
    return {
      id: String(replied.message_id),
      ...(body === "" ? {} : { body }),
      ...(label === undefined ? {} : { sender: label }),
      senderAllowed: isAllowed(sender.id),
      ...marked,
    };
  }
  if (external === undefined) return null;
  const { from, fromId } = forwardedFacts(external.origin, isAllowed);
  return {
    ...(external.message_id === undefined ? {} : { id: String(external.message_id) }),
    ...(from === undefined ? {} : { sender: from }),
    isExternal: true,
    senderAllowed: isAllowed(fromId),
    ...marked,
  };
}

function forwardedFacts(origin: TelegramOrigin, isAllowed: SenderAllowed): ForwardedFacts {
  const chat = origin.sender_chat ?? origin.chat;
  const user = origin.sender_user;
  const from =
    user !== undefined
      ? userName(user)
      : (origin.sender_user_name ?? (chat === undefined ? undefined : chatLabel(chat)));
  const id = user?.id ?? chat?.id;
  const fromId = id === undefined ? undefined : String(id);
  return {
    ...(from === undefined ? {} : { from }),
    fromType: origin.type,
    ...(fromId === undefined ? {} : { fromId }),
    date: origin.date * 1000,
    senderAllowed: isAllowed(fromId),
  };
}
