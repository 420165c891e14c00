import { z } from "zod";

/**
 * What of an update is read, and so what is stored: everything else of it is cut off.
 * Names are the Bot API's own (10.3); an update in which one of these has another type is malformed.
 */
const id = z.number().int();
const seconds = z.number().int();

const user = z.object({
  id,
  is_bot: z.boolean(),
  first_name: z.string(),
  last_name: z.string().optional(),
  username: z.string().optional(),
});

const chat = z.object({
  id,
  type: z.enum(["private", "group", "supergroup", "channel"]),
  title: z.string().optional(),
  username: z.string().optional(),
  first_name: z.string().optional(),
  last_name: z.string().optional(),
  is_forum: z.boolean().optional(),
});

const entity = z.object({
  type: z.string(),
  offset: z.number().int(),
  length: z.number().int(),
  user: z.object({ id }).optional(),
});

const file = z.object({
  file_id: z.string(),
  file_size: z.number().optional(),
  mime_type: z.string().optional(),
  file_name: z.string().optional(),
});

const location = z.object({ latitude: z.number(), longitude: z.number() });

/** The parts of a message that an answered or quoted one has as well. */
const content = {
  text: z.string().optional(),
  entities: z.array(entity).optional(),
  caption: z.string().optional(),
  caption_entities: z.array(entity).optional(),
  photo: z.array(file.extend({ width: z.number().optional(), height: z.number().optional() })).optional(),
  document: file.optional(),
  voice: file.optional(),
  audio: file.optional(),
  video: file.optional(),
  animation: file.optional(),
  video_note: file.optional(),
  sticker: file
    .extend({
      is_animated: z.boolean().optional(),
      is_video: z.boolean().optional(),
      emoji: z.string().optional(),
    })
    .optional(),
  location: location.optional(),
  venue: z.object({ title: z.string(), address: z.string(), location }).optional(),
  contact: z.object({ first_name: z.string(), last_name: z.string().optional(), phone_number: z.string() }).optional(),
  poll: z.object({ question: z.string(), options: z.array(z.object({ text: z.string() })).optional() }).optional(),
  dice: z.object({ emoji: z.string(), value: z.number() }).optional(),
};

const origin = z.object({
  type: z.string(),
  date: seconds,
  sender_user: user.optional(),
  sender_user_name: z.string().optional(),
  sender_chat: chat.optional(),
  chat: chat.optional(),
  author_signature: z.string().optional(),
});

const message = z.object({
  message_id: id,
  date: seconds,
  edit_date: seconds.optional(),
  chat,
  from: user.optional(),
  sender_chat: chat.optional(),
  author_signature: z.string().optional(),
  message_thread_id: id.optional(),
  is_topic_message: z.boolean().optional(),
  ...content,
  reply_to_message: z
    .object({
      message_id: id,
      from: user.optional(),
      sender_chat: chat.optional(),
      forum_topic_created: z.object({ name: z.string() }).optional(),
      ...content,
    })
    .optional(),
  external_reply: z.object({ origin, chat: chat.optional(), message_id: id.optional() }).optional(),
  quote: z.object({ text: z.string(), is_manual: z.boolean().optional() }).optional(),
  forward_origin: origin.optional(),
});

const callbackQuery = z.object({
  id: z.string(),
  from: user,
  // A message that is too old to be shown comes with its ids alone.
  message: message.optional(),
  data: z.string().optional(),
});

const messageReaction = z.object({
  chat,
  message_id: id,
  user: user.optional(),
  actor_chat: chat.optional(),
  date: seconds,
});

const chatMember = z.object({
  chat,
  from: user,
  date: seconds,
  new_chat_member: z.object({ status: z.string() }),
});

const stoppedGeneration = z.object({ chat, message_thread_id: id.optional(), draft_id: id });

/** The kinds of updates that the adapter asks for and understands, in the words of the Bot API. */
export const UPDATE_SHAPES = {
  message,
  edited_message: message,
  channel_post: message,
  edited_channel_post: message,
  callback_query: callbackQuery,
  message_reaction: messageReaction,
  my_chat_member: chatMember,
  stopped_message_generation: stoppedGeneration,
} as const;

/** One of `UPDATE_SHAPES`. */
export type UpdateKind = keyof typeof UPDATE_SHAPES;

export type TelegramUser = z.output<typeof user>;
export type TelegramChat = z.output<typeof chat>;
export type TelegramEntity = z.output<typeof entity>;
export type TelegramFile = z.output<typeof file>;
export type TelegramMessage = z.output<typeof message>;
export type TelegramReplied = NonNullable<TelegramMessage["reply_to_message"]>;
export type TelegramOrigin = z.output<typeof origin>;
export type TelegramCallback = z.output<typeof callbackQuery>;
export type TelegramReaction = z.output<typeof messageReaction>;
export type TelegramChatMember = z.output<typeof chatMember>;
export type TelegramStopped = z.output<typeof stoppedGeneration>;

/** Kinds that the Bot API has and nothing here reads: they start no turn. */
export const UNREAD_KINDS: ReadonlySet<string> = new Set([
  "business_connection",
  "business_message",
  "edited_business_message",
  "deleted_business_messages",
  "guest_message",
  "message_reaction_count",
  "inline_query",
  "chosen_inline_result",
  "shipping_query",
  "pre_checkout_query",
  "purchased_paid_media",
  "poll",
  "poll_answer",
  "chat_member",
  "chat_join_request",
  "chat_boost",
  "removed_chat_boost",
  "managed_bot",
  "subscription",
]);
