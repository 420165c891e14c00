import { BotApiError, badRequest } from "../bot-api-error.ts";
import { CAPTION_LIMIT, formatText, TEXT_LIMIT } from "../format-text.ts";
import type { FormattedText } from "../message-entity.ts";
import { addMessage, targetChat } from "../telegram-state.ts";
import type { Json, SimChat } from "../world.ts";
import type { BotMethod, MethodContext } from "./method-context.ts";
import { optionalNumber } from "../optional-number.ts";
import { optionalText, replyOf, threadOf } from "./read-params.ts";

/** The chat of a send, where the bot may write. */
export function writableChat({ state, params }: MethodContext): SimChat {
  const chat = targetChat(state, params["chat_id"]);
  if (chat.hasBlockedBot) throw new BotApiError(403, "Forbidden: bot was blocked by the user");
  if (!chat.members.has(state.bot.id))
    throw new BotApiError(403, `Forbidden: bot was kicked from the ${chat.kind} chat`);
  return chat;
}

/** What every send shares: reply, topic, and that a draft and "typing…" end with it. */
export function post(
  context: MethodContext,
  chat: SimChat,
  given: {
    readonly content: FormattedText;
    readonly extra?: Json;
    readonly files?: readonly string[];
    readonly isCaption?: boolean;
  },
): Json {
  const { state, params } = context;
  const threadId = threadOf(chat, params["message_thread_id"]);
  const topic = threadId === undefined ? undefined : chat.topics.get(threadId);
  if (topic?.isClosed === true) throw badRequest("TOPIC_CLOSED");
  const markup = params["reply_markup"];
  const message = addMessage(state, chat, {
    by: state.bot,
    content: given.content,
    threadId,
    replyTo: replyOf(chat, params),
    extra: { ...given.extra, ...(isInline(markup) ? { reply_markup: markup } : {}) },
    files: given.files ?? [],
    isCaption: given.isCaption ?? false,
  });
  chat.drafts.clear();
  chat.typingUntil.clear();
  return message.native;
}

function isInline(markup: unknown): boolean {
  return typeof markup === "object" && markup !== null && "inline_keyboard" in markup;
}

/** The text of a send or edit. @throws 400 empty or too long, or when its marks do not parse. */
export function textOf(params: Json): FormattedText {
  const content = formatText({
    text: optionalText(params["text"]) ?? "",
    parseMode: optionalText(params["parse_mode"]),
    entities: params["entities"],
    limit: TEXT_LIMIT,
    what: "text",
  });
  if (content.text === "") throw badRequest("message text is empty");
  return content;
}

/** The caption of media; may be empty. */
export function captionOf(params: Json): FormattedText {
  return formatText({
    text: optionalText(params["caption"]) ?? "",
    parseMode: optionalText(params["parse_mode"]),
    entities: params["caption_entities"],
    limit: CAPTION_LIMIT,
    what: "caption",
  });
}

export const sendMessage: BotMethod = {
  name: "sendMessage",
  support: { partial: "link previews are not made" },
  run: (context) => post(context, writableChat(context), { content: textOf(context.params) }),
};

export const sendMessageDraft: BotMethod = {
  name: "sendMessageDraft",
  support: { partial: "can_stop and keep_on_stop are taken and do nothing" },
  run(context) {
    const { state, params } = context;
    const chat = writableChat(context);
    if (chat.kind !== "private") throw badRequest("TEXTDRAFT_PEER_INVALID");
    const draftId = optionalNumber(params["draft_id"]);
    if (draftId === undefined || draftId === 0) throw badRequest("draft_id must be non-zero");
    const { text } = formatText({
      text: optionalText(params["text"]) ?? "",
      parseMode: optionalText(params["parse_mode"]),
      entities: params["entities"],
      limit: TEXT_LIMIT,
      what: "text",
    });
    const threadId = threadOf(chat, params["message_thread_id"]);
    const key = String(threadId ?? "");
    if (text === "") chat.drafts.delete(key);
    else chat.drafts.set(key, { draftId, threadId, text, at: state.clock.now() });
    state.feed.emit({ place: String(chat.id), kind: "draft" });
    return true;
  },
};

const ACTIONS = new Set([
  "typing",
  "upload_photo",
  "record_video",
  "upload_video",
  "record_voice",
  "upload_voice",
  "upload_document",
  "choose_sticker",
  "find_location",
  "record_video_note",
  "upload_video_note",
]);

/** A chat action is shown at most so long, ms. */
const ACTION_MS = 5_000;

export const sendChatAction: BotMethod = {
  name: "sendChatAction",
  support: "full",
  run(context) {
    const { state, params } = context;
    const chat = writableChat(context);
    if (!ACTIONS.has(String(params["action"]))) throw badRequest("wrong parameter action in request");
    const threadId = threadOf(chat, params["message_thread_id"]);
    chat.typingUntil.set(String(threadId ?? ""), state.clock.now() + ACTION_MS);
    state.feed.emit({ place: String(chat.id), kind: "typing" });
    state.clock.after(ACTION_MS, () => state.feed.emit({ place: String(chat.id), kind: "typing" }));
    return true;
  },
};
