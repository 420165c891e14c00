import { textOf as plainText } from "../../core/text-of.ts";
import { badRequest } from "../bot-api-error.ts";
import { addMessage, targetChat } from "../telegram-state.ts";
import { chatJson, type Json, userJson } from "../world.ts";
import type { BotMethod, MethodContext } from "./method-context.ts";
import { optionalNumber } from "../optional-number.ts";
import { targetMessage } from "./read-params.ts";
import { post, writableChat } from "./send-message.ts";

const method = (name: string, support: BotMethod["support"], run: BotMethod["run"]): BotMethod => ({
  name,
  support,
  run,
});

function memberOf({ state, params }: MethodContext): Json {
  const chat = targetChat(state, params["chat_id"]);
  const user = state.users.get(Number(params["user_id"]));
  if (user === undefined) throw badRequest("invalid user_id specified");
  if (!chat.members.has(user.id)) return { status: "left", user: userJson(user) };
  return { status: "member", user: userJson(user) };
}

function sourceOf(context: MethodContext): ReturnType<typeof targetMessage> {
  const { state, params, ...rest } = context;
  return targetMessage(
    { state, ...rest, params: { ...params, chat_id: params["from_chat_id"] } },
    "message to copy not found",
  );
}

function topicOf({ state, params }: MethodContext): { name: string; isClosed: boolean } {
  const chat = targetChat(state, params["chat_id"]);
  const topic = chat.topics.get(Number(params["message_thread_id"]));
  if (topic === undefined) throw badRequest("message thread not found");
  return topic;
}

/** Chats, members, topics, and sends without a file. */
export const chatMethods: readonly BotMethod[] = [
  method("getChat", { partial: "photo, permissions and pinned message are left out" }, ({ state, params }) => ({
    ...chatJson(targetChat(state, params["chat_id"]), state.users),
    accent_color_id: 0,
    max_reaction_count: 11,
    accepted_gift_types: {
      unlimited_gifts: true,
      limited_gifts: true,
      unique_gifts: true,
      premium_subscription: true,
      gifts_from_channels: true,
    },
  })),
  method("getChatMember", { partial: "every member is a plain member" }, memberOf),
  method("getChatMemberCount", "full", ({ state, params }) => targetChat(state, params["chat_id"]).members.size),
  method("getChatAdministrators", { partial: "there are none" }, ({ state, params }) => {
    if (targetChat(state, params["chat_id"]).kind === "private")
      throw badRequest("there are no administrators in the private chat");
    return [];
  }),
  method("leaveChat", "full", ({ state, params }) => targetChat(state, params["chat_id"]).members.delete(state.bot.id)),
  method("copyMessage", { partial: "captions are not replaced" }, (context) => {
    const { message } = sourceOf(context);
    const native = post(context, writableChat(context), { content: message.content, files: message.files });
    return { message_id: native["message_id"] };
  }),
  method("forwardMessage", { partial: "protected content is not known" }, (context) => {
    const { message } = sourceOf(context);
    const { state } = context;
    const author = [...state.users.values()].find((user) => user.name === message.by);
    const origin = { type: "user", date: Math.floor(message.at / 1000), sender_user: userJson(author ?? state.bot) };
    return post(context, writableChat(context), {
      content: message.content,
      extra: { forward_origin: origin },
      files: message.files,
    });
  }),
  method("sendLocation", { partial: "live locations" }, (context) => {
    const latitude = optionalNumber(context.params["latitude"]);
    const longitude = optionalNumber(context.params["longitude"]);
    if (latitude === undefined || longitude === undefined) throw badRequest("location is invalid");
    return post(context, writableChat(context), {
      content: { text: "", entities: [] },
      extra: { location: { latitude, longitude } },
    });
  }),
  method("sendContact", "full", (context) => {
    const { phone_number, first_name } = context.params;
    if (phone_number === undefined || first_name === undefined) throw badRequest("contact is invalid");
    return post(context, writableChat(context), {
      content: { text: "", entities: [] },
      extra: { contact: { phone_number, first_name } },
    });
  }),
  method("sendDice", "full", (context) => {
    const emoji = plainText(context.params["emoji"], "🎲");
    return post(context, writableChat(context), {
      content: { text: "", entities: [] },
      extra: { dice: { emoji, value: 1 + Math.floor(context.state.random() * 6) } },
    });
  }),
  method("createForumTopic", { partial: "icons" }, (context) => {
    const chat = writableChat(context);
    if (!chat.isForum) throw badRequest("the chat is not a forum");
    const name = plainText(context.params["name"]);
    if (name === "" || name.length > 128) throw badRequest("topic name must be 1-128 characters long");
    const { id } = addMessage(context.state, chat, {
      by: context.state.bot,
      content: { text: "", entities: [] },
      threadId: undefined,
      replyTo: undefined,
      extra: { forum_topic_created: { name, icon_color: 7322096 } },
      files: [],
      isCaption: false,
    });
    chat.topics.set(id, { name, isClosed: false });
    return { message_thread_id: id, name, icon_color: 7322096 };
  }),
  method("editForumTopic", { partial: "icons" }, (context) => {
    topicOf(context).name = plainText(context.params["name"]);
    return true;
  }),
  method("closeForumTopic", "full", (context) => {
    topicOf(context).isClosed = true;
    return true;
  }),
  method("reopenForumTopic", "full", (context) => {
    topicOf(context).isClosed = false;
    return true;
  }),
  method("deleteForumTopic", { partial: "its messages stay" }, (context) => {
    topicOf(context);
    return targetChat(context.state, context.params["chat_id"]).topics.delete(
      Number(context.params["message_thread_id"]),
    );
  }),
  method("pinChatMessage", { partial: "the pin is not shown" }, (context) => {
    targetMessage(context, "message to pin not found");
    return true;
  }),
  method("unpinChatMessage", { partial: "the pin is not shown" }, (context) => {
    writableChat(context);
    return true;
  }),
];
