import { ControlError } from "../core/control-error.ts";
import { automaticEntities } from "./message-entity.ts";
import { fileJson } from "./methods/send-media.ts";
import { addFile } from "./sim-files.ts";
import { type SeenMessage, seenMessages, seenPlace } from "./seen-messages.ts";
import { addMessage, findPerson, findPlace, type TelegramState } from "./telegram-state.ts";
import { tellBot } from "./tell-bot.ts";
import type { UpdateQueue } from "./update-queue.ts";
import { createWorldVerbs, type WorldVerbs } from "./world-verbs.ts";
import { chatJson, type Json, type SimChat, type SimFile, type SimMessage, userJson } from "./world.ts";

/** A file that a person sends. */
export interface SaidFile {
  readonly name: string;
  readonly mediaType: string;
  readonly base64: string;
}

/** A person writes. */
export interface SayRequest {
  readonly by: string;
  readonly in: string;
  readonly text: string;
  readonly thread?: string | number;
  readonly replyTo?: string | number;
  readonly mentionBot?: boolean;
  readonly files?: readonly SaidFile[];
  readonly native?: Json;
}

/** The things that people do, and what they see. */
export interface TelegramVerbs extends WorldVerbs {
  readonly say: (request: SayRequest) => { readonly messageId: string; readonly eventIds: readonly string[] };
  readonly edit: (request: { readonly messageId: string | number; readonly in: string; readonly text: string }) => {
    readonly eventIds: readonly string[];
  };
  readonly delete: (request: { readonly messageId: string | number; readonly in: string }) => {
    readonly eventIds: readonly string[];
  };
  readonly react: (request: {
    readonly messageId: string | number;
    readonly in: string;
    readonly by: string;
    readonly emoji: string;
    readonly remove?: boolean;
  }) => { readonly eventIds: readonly string[] };
  readonly press: (request: {
    readonly messageId: string | number;
    readonly in: string;
    readonly by: string;
    readonly button: string;
  }) => { readonly eventIds: readonly string[] };
  readonly command: (request: {
    readonly by: string;
    readonly in: string;
    readonly name: string;
    readonly text?: string;
    readonly thread?: string | number;
  }) => { readonly messageId: string; readonly eventIds: readonly string[] };
  readonly messages: (place: string) => readonly SeenMessage[];
  readonly place: (place: string) => { readonly typing: boolean; readonly draft: string | null };
}

function mediaExtra(file: SimFile, given: SaidFile): Json {
  if (given.mediaType.startsWith("image/"))
    return {
      photo: [
        { ...fileJson(file), width: 90, height: 67 },
        { ...fileJson(file), width: 640, height: 480 },
      ],
    };
  if (given.mediaType.startsWith("audio/ogg"))
    return { voice: { ...fileJson(file), duration: 1, mime_type: given.mediaType } };
  if (given.mediaType.startsWith("audio/"))
    return { audio: { ...fileJson(file), duration: 1, file_name: given.name, mime_type: given.mediaType } };
  if (given.mediaType.startsWith("video/"))
    return { video: { ...fileJson(file), width: 640, height: 480, duration: 1, mime_type: given.mediaType } };
  return { document: { ...fileJson(file), file_name: given.name, mime_type: given.mediaType } };
}

/** The verbs over one state. */
export function createTelegramVerbs(state: TelegramState, queue: UpdateQueue): TelegramVerbs {
  const at = { state, queue };

  function messageIn(where: string, id: string | number): { readonly chat: SimChat; readonly message: SimMessage } {
    const { chat } = findPlace(state, where);
    const message = chat.messages.get(Number(id));
    if (message === undefined || message.deleted)
      throw new ControlError(
        `There is no message ${id} in ${chat.name}.`,
        "messageId",
        "the id of a message of that place",
      );
    return { chat, message };
  }

  function say(request: SayRequest): { readonly messageId: string; readonly eventIds: readonly string[] } {
    if (typeof request.text !== "string")
      throw new ControlError("A message needs a text.", "text", "a string; empty with files");
    const by = findPerson(state, request.by);
    const { chat, threadId } = findPlace(state, request.in, request.thread);
    if (!chat.members.has(by.id))
      throw new ControlError(`${by.name} is not in ${chat.name}.`, "by", "a member of the place");
    const text = request.mentionBot === true ? `@${state.bot.username} ${request.text}` : request.text;
    const content = { text, entities: automaticEntities(text) };
    const files = request.files ?? [];
    const replyTo = request.replyTo === undefined ? undefined : Number(request.replyTo);
    if (replyTo !== undefined && !chat.messages.has(replyTo))
      throw new ControlError(
        `There is no message ${request.replyTo} in ${chat.name}.`,
        "replyTo",
        "the id of a message of that place",
      );
    const group = files.length > 1 ? { media_group_id: String(Math.floor(state.random() * 1e15)) } : {};
    const sent = (files.length === 0 ? [undefined] : files).map((given, index) => {
      const file =
        given === undefined
          ? undefined
          : addFile(state, {
              name: given.name,
              mediaType: given.mediaType,
              bytes: Buffer.from(given.base64, "base64"),
            });
      const media = given === undefined || file === undefined ? {} : mediaExtra(file, given);
      // The caption of an album stands at its first picture.
      const own = index === 0 ? content : { text: "", entities: [] };
      return addMessage(state, chat, {
        by,
        content: own,
        threadId,
        replyTo,
        extra: { ...media, ...group, ...request.native },
        files: given === undefined ? [] : [given.name],
        isCaption: given !== undefined,
      });
    });
    const kind = chat.kind === "channel" ? "channel_post" : "message";
    const eventIds = sent.flatMap((message) => tellBot(at, chat, kind, message.native));
    return { messageId: String(sent[0]?.id), eventIds };
  }

  return {
    ...createWorldVerbs(state, queue),
    say,
    edit({ messageId, in: where, text }) {
      const { chat, message } = messageIn(where, messageId);
      message.content = { text, entities: automaticEntities(text) };
      const key = message.files.length > 0 ? "caption" : "text";
      const { entities: _, caption_entities: __, ...native } = message.native;
      message.native = {
        ...native,
        [key]: text,
        ...(message.content.entities.length === 0
          ? {}
          : { [`${key === "text" ? "" : "caption_"}entities`]: message.content.entities }),
        edit_date: Math.floor(state.clock.now() / 1000),
      };
      message.edits += 1;
      state.feed.emit({ place: String(chat.id), kind: "edit" });
      const kind = chat.kind === "channel" ? "edited_channel_post" : "edited_message";
      return { eventIds: tellBot(at, chat, kind, message.native) };
    },
    delete({ messageId, in: where }) {
      const { chat, message } = messageIn(where, messageId);
      message.deleted = true;
      state.feed.emit({ place: String(chat.id), kind: "delete" });
      // Bots are not told of deleted messages.
      return { eventIds: [] };
    },
    react({ messageId, in: where, by, emoji, remove }) {
      const { chat, message } = messageIn(where, messageId);
      const user = findPerson(state, by);
      const before = message.reactions.filter((reaction) => reaction.by === user.name);
      const others = message.reactions.filter((reaction) => reaction.by !== user.name);
      const own = remove === true ? [] : [{ by: user.name, emoji }];
      message.reactions.splice(0, message.reactions.length, ...others, ...own);
      const list = (reactions: readonly { readonly emoji: string }[]): Json[] =>
        reactions.map((reaction) => ({ type: "emoji", emoji: reaction.emoji }));
      const change = {
        chat: chatJson(chat, state.users),
        message_id: message.id,
        user: userJson(user),
        date: Math.floor(state.clock.now() / 1000),
        old_reaction: list(before),
        new_reaction: list(own),
      };
      state.feed.emit({ place: String(chat.id), kind: "reaction" });
      return { eventIds: tellBot(at, chat, "message_reaction", change) };
    },
    press({ messageId, in: where, by, button }) {
      const { chat, message } = messageIn(where, messageId);
      const user = findPerson(state, by);
      const rows =
        (
          message.native["reply_markup"] as
            | { inline_keyboard?: { text: string; callback_data?: string }[][] }
            | undefined
        )?.inline_keyboard ?? [];
      const found = rows.flat().find((candidate) => candidate.text === button || candidate.callback_data === button);
      if (found?.callback_data === undefined)
        throw new ControlError(
          `Message ${message.id} has no button ${button}.`,
          "button",
          "the text or data of a button",
        );
      const query = {
        id: String(Math.floor(state.random() * 1e18)),
        from: userJson(user),
        message: message.native,
        chat_instance: String(chat.id),
        data: found.callback_data,
      };
      return { eventIds: tellBot(at, chat, "callback_query", query) };
    },
    command({ by, in: where, name, text = "", thread }) {
      return say({
        by,
        in: where,
        text: `/${name}${text === "" ? "" : ` ${text}`}`,
        ...(thread === undefined ? {} : { thread }),
      });
    },
    messages: (where) => seenMessages(state, where),
    place: (where) => seenPlace(state, where),
  };
}
