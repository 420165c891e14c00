import { botMethods } from "./bot-methods.ts";
import { chatMethods } from "./chat-methods.ts";
import {
  deleteMessage,
  deleteMessages,
  editMessageCaption,
  editMessageReplyMarkup,
  editMessageText,
  setMessageReaction,
} from "./edit-message.ts";
import type { BotMethod } from "./method-context.ts";
import { getFile, mediaMethods, sendMediaGroup } from "./send-media.ts";
import { sendChatAction, sendMessage, sendMessageDraft } from "./send-message.ts";

/** Every method that the simulator knows. */
export const BOT_METHODS: readonly BotMethod[] = [
  ...botMethods,
  sendMessage,
  sendMessageDraft,
  sendChatAction,
  editMessageText,
  editMessageCaption,
  editMessageReplyMarkup,
  deleteMessage,
  deleteMessages,
  setMessageReaction,
  ...mediaMethods,
  sendMediaGroup,
  getFile,
  ...chatMethods,
];

const BY_NAME: ReadonlyMap<string, BotMethod> = new Map(
  BOT_METHODS.map((method) => [method.name.toLowerCase(), method]),
);

/** Finds a method; names are not case-sensitive. */
export function findMethod(name: string): BotMethod | undefined {
  return BY_NAME.get(name.toLowerCase());
}
