import { textOf as plainText } from "../../core/text-of.ts";
import { badRequest } from "../bot-api-error.ts";
import { optionalNumber } from "../optional-number.ts";
import type { MethodContext } from "./method-context.ts";
import { targetChat } from "../telegram-state.ts";
import type { SimChat, SimMessage } from "../world.ts";

/** A text parameter. */
export function optionalText(value: unknown): string | undefined {
  return value === undefined ? undefined : plainText(value);
}

/** The topic of a send. @throws 400 when there is none of that id. */
export function threadOf(chat: SimChat, value: unknown): number | undefined {
  const threadId = optionalNumber(value);
  if (threadId === undefined || threadId === 0) return undefined;
  // The General topic is the chat itself, and private chats take any thread that was used in them.
  if (threadId === 1 && chat.isForum) return undefined;
  if (chat.isForum && !chat.topics.has(threadId)) throw badRequest("message thread not found");
  return threadId;
}

/** The message that a send answers. @throws 400 when it is gone, unless the bot said that it may be. */
export function replyOf(chat: SimChat, params: MethodContext["params"]): number | undefined {
  const reply = params["reply_parameters"];
  const given = typeof reply === "object" && reply !== null ? (reply as Record<string, unknown>) : {};
  const messageId = optionalNumber(given["message_id"] ?? params["reply_to_message_id"]);
  if (messageId === undefined) return undefined;
  const found = chat.messages.get(messageId);
  if (found !== undefined && !found.deleted) return messageId;
  if (given["allow_sending_without_reply"] === true || params["allow_sending_without_reply"] === true) return undefined;
  throw badRequest("message to be replied not found");
}

/** The message of an edit, delete or reaction, with its chat. `complaint` is the server's sentence when there is none. */
export function targetMessage(
  { state, params }: MethodContext,
  complaint: string,
): { readonly chat: SimChat; readonly message: SimMessage } {
  const chat = targetChat(state, params["chat_id"]);
  const message = chat.messages.get(Number(params["message_id"]));
  if (message === undefined || message.deleted) throw badRequest(complaint);
  return { chat, message };
}
