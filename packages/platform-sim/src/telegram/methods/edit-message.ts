import { textOf as plainText } from "../../core/text-of.ts";
import { badRequest } from "../bot-api-error.ts";
import type { FormattedText } from "../message-entity.ts";
import type { Json, SimChat, SimMessage } from "../world.ts";
import type { BotMethod, MethodContext } from "./method-context.ts";
import { targetMessage } from "./read-params.ts";
import { captionOf, textOf, writableChat } from "./send-message.ts";

const NOT_MODIFIED =
  "message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message";

function ours(context: MethodContext): { readonly chat: SimChat; readonly message: SimMessage } {
  writableChat(context);
  const found = targetMessage(context, "message to edit not found");
  if (!found.message.isOurs) throw badRequest("message can't be edited");
  return found;
}

function change(
  { state, params }: MethodContext,
  { chat, message }: { readonly chat: SimChat; readonly message: SimMessage },
  content: FormattedText | null,
  keys: readonly [string, string],
): Json {
  const markup = params["reply_markup"];
  const wanted: Json = { ...message.native };
  if (content !== null) {
    wanted[keys[0]] = content.text;
    if (content.entities.length > 0) wanted[keys[1]] = content.entities;
    else delete wanted[keys[1]];
  }
  if (typeof markup === "object" && markup !== null && "inline_keyboard" in markup) wanted["reply_markup"] = markup;
  else delete wanted["reply_markup"];
  if (JSON.stringify(sorted(wanted)) === JSON.stringify(sorted(message.native))) throw badRequest(NOT_MODIFIED);
  message.native = { ...wanted, edit_date: Math.floor(state.clock.now() / 1000) };
  if (content !== null) message.content = content;
  message.edits += 1;
  state.feed.emit({ place: String(chat.id), kind: "edit" });
  return message.native;
}

/** Order of keys and the time of the last edit make no difference. */
function sorted({ edit_date: _, ...native }: Json): Json {
  return Object.fromEntries(Object.entries(native).toSorted(([a], [b]) => a.localeCompare(b)));
}

export const editMessageText: BotMethod = {
  name: "editMessageText",
  support: { partial: "inline messages" },
  run(context) {
    const content = textOf(context.params);
    const found = ours(context);
    if (found.message.files.length > 0) throw badRequest("there is no text in the message to edit");
    return change(context, found, content, ["text", "entities"]);
  },
};

export const editMessageCaption: BotMethod = {
  name: "editMessageCaption",
  support: { partial: "inline messages" },
  run(context) {
    const content = captionOf(context.params);
    const found = ours(context);
    if (found.message.files.length === 0) throw badRequest("there is no caption in the message to edit");
    return change(context, found, content, ["caption", "caption_entities"]);
  },
};

export const editMessageReplyMarkup: BotMethod = {
  name: "editMessageReplyMarkup",
  support: { partial: "inline messages" },
  run: (context) => change(context, ours(context), null, ["text", "entities"]),
};

/** Bots delete others' messages in groups where they are administrators, and their own for 48 hours. */
const DELETE_WINDOW_MS = 48 * 60 * 60 * 1000;

function remove({ state }: MethodContext, chat: SimChat, message: SimMessage): void {
  if (state.clock.now() - message.at > DELETE_WINDOW_MS) throw badRequest("message can't be deleted for everyone");
  message.deleted = true;
  state.feed.emit({ place: String(chat.id), kind: "delete" });
}

export const deleteMessage: BotMethod = {
  name: "deleteMessage",
  support: { partial: "administrator rights are taken as given" },
  run(context) {
    const { chat, message } = targetMessage(context, "message to delete not found");
    remove(context, chat, message);
    return true;
  },
};

export const deleteMessages: BotMethod = {
  name: "deleteMessages",
  support: { partial: "administrator rights are taken as given" },
  run(context) {
    const chat = writableChat(context);
    const ids = Array.isArray(context.params["message_ids"]) ? context.params["message_ids"] : [];
    if (ids.length === 0 || ids.length > 100) throw badRequest("message identifiers are not specified");
    for (const id of ids) {
      const message = chat.messages.get(Number(id));
      // Those that are gone already are skipped.
      if (message !== undefined && !message.deleted) remove(context, chat, message);
    }
    return true;
  },
};

export const setMessageReaction: BotMethod = {
  name: "setMessageReaction",
  support: { partial: "which emoji a chat allows is not checked" },
  run(context) {
    const { state, params } = context;
    const { chat, message } = targetMessage(context, "message to react not found");
    const wanted = Array.isArray(params["reaction"]) ? (params["reaction"] as Json[]) : [];
    const others = message.reactions.filter((reaction) => reaction.by !== state.bot.name);
    const own = wanted.slice(0, 1).map((reaction) => ({
      by: state.bot.name,
      emoji: plainText(reaction["emoji"] ?? reaction["custom_emoji_id"]),
    }));
    message.reactions.splice(0, message.reactions.length, ...others, ...own);
    state.feed.emit({ place: String(chat.id), kind: "reaction" });
    return true;
  },
};
