import { ControlError } from "../core/control-error.ts";
import { automaticEntities } from "./message-entity.ts";
import { fileJson } from "./methods/send-media.ts";
import { addFile } from "./sim-files.ts";
import { addChat, addMessage, addPerson, findPerson, findPlace, type TelegramState } from "./telegram-state.ts";
import type { UpdateQueue } from "./update-queue.ts";
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

/** What people see of a message. */
export interface SeenMessage {
  readonly messageId: string;
  readonly by: string;
  readonly text: string;
  readonly native: Json;
  readonly replyTo: string | null;
  readonly thread: string | null;
  readonly edits: number;
  readonly deleted: boolean;
  readonly draft: boolean;
  readonly reactions: readonly { readonly by: string; readonly emoji: string }[];
  readonly files: readonly string[];
  readonly at: number;
}

/** The things that people do, and what they see. */
export interface TelegramVerbs {
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
  readonly people: (request: { readonly name: string; readonly isBot?: boolean }) => { readonly id: string };
  readonly places: (request: {
    readonly kind: string;
    readonly name: string;
    readonly members?: readonly string[];
    readonly parent?: string;
  }) => { readonly id: string };
  readonly join: (request: { readonly who: string; readonly in: string }) => { readonly eventIds: readonly string[] };
  readonly leave: (request: { readonly who: string; readonly in: string }) => { readonly eventIds: readonly string[] };
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
  const threadKey = (threadId: number | undefined): string => String(threadId ?? "");

  function messageIn(where: string, id: string | number): { readonly chat: SimChat; readonly message: SimMessage } {
    const { chat } = findPlace(state, where);
    const message = chat.messages.get(Number(id));
    if (message === undefined)
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
    const eventIds = sent.map((message) => queue.push(kind, message.native).eventId);
    return { messageId: String(sent[0]?.id), eventIds };
  }

  function membership(
    request: { readonly who: string; readonly in: string },
    status: "member" | "left",
  ): { readonly eventIds: readonly string[] } {
    const { chat } = findPlace(state, request.in);
    const isBot = request.who === "bot" || request.who === state.bot.name || request.who === state.bot.username;
    const user = isBot ? state.bot : findPerson(state, request.who);
    const before = chat.members.has(user.id) ? "member" : "left";
    if (status === "member") chat.members.add(user.id);
    else chat.members.delete(user.id);
    if (chat.kind === "private") chat.hasBlockedBot = status === "left";
    if (!isBot && chat.kind !== "private") {
      const key = status === "member" ? "new_chat_members" : "left_chat_member";
      const value = status === "member" ? [userJson(user)] : userJson(user);
      const message = addMessage(state, chat, {
        by: user,
        content: { text: "", entities: [] },
        threadId: undefined,
        replyTo: undefined,
        extra: { [key]: value },
        files: [],
        isCaption: false,
      });
      return { eventIds: [queue.push("message", message.native).eventId] };
    }
    const change = {
      chat: chatJson(chat, state.users),
      from: userJson(user),
      date: Math.floor(state.clock.now() / 1000),
      old_chat_member: { status: before, user: userJson(state.bot) },
      new_chat_member: { status, user: userJson(state.bot) },
    };
    return { eventIds: [queue.push("my_chat_member", change).eventId] };
  }

  return {
    say,
    edit({ messageId, in: where, text }) {
      const { chat, message } = messageIn(where, messageId);
      message.content = { text, entities: automaticEntities(text) };
      const key = message.files.length > 0 ? "caption" : "text";
      const { entities: _, ...native } = message.native;
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
      return {
        eventIds: [
          queue.push(chat.kind === "channel" ? "edited_channel_post" : "edited_message", message.native).eventId,
        ],
      };
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
      return { eventIds: [queue.push("message_reaction", change).eventId] };
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
      return { eventIds: [queue.push("callback_query", query).eventId] };
    },
    command({ by, in: where, name, text = "", thread }) {
      return say({
        by,
        in: where,
        text: `/${name}${text === "" ? "" : ` ${text}`}`,
        ...(thread === undefined ? {} : { thread }),
      });
    },
    people({ name, isBot }) {
      if (typeof name !== "string" || name === "")
        throw new ControlError("A person needs a name.", "name", "a string that is not empty");
      return { id: String(addPerson(state, name, isBot ?? false).id) };
    },
    places({ kind, name, members = [], parent }) {
      const ids = members.map((who) => findPerson(state, who).id);
      if (kind === "topic" || kind === "thread") {
        const { chat } = findPlace(state, parent);
        const message = addMessage(state, chat, {
          by: state.bot,
          content: { text: "", entities: [] },
          threadId: undefined,
          replyTo: undefined,
          extra: { forum_topic_created: { name, icon_color: 7322096 } },
          files: [],
          isCaption: false,
        });
        chat.topics.set(message.id, { name, isClosed: false });
        state.places.set(name, { chatId: chat.id, threadId: message.id });
        return { id: String(message.id) };
      }
      if (kind === "direct") {
        const [id] = ids;
        if (id === undefined) throw new ControlError("A direct chat has one person.", "members", "one name");
        state.places.set(name, { chatId: id, threadId: undefined });
        return { id: String(id) };
      }
      if (kind !== "group" && kind !== "channel")
        throw new ControlError(
          `There is no kind of place called ${kind}.`,
          "kind",
          "direct, group, channel, thread or topic",
        );
      const chat = addChat(state, {
        id: -1_001_000_000_000 - state.chats.size - 10,
        name,
        kind: kind === "channel" ? "channel" : "supergroup",
        isForum: false,
        members: ids,
      });
      state.places.set(name, { chatId: chat.id, threadId: undefined });
      return { id: String(chat.id) };
    },
    join: (request) => membership(request, "member"),
    leave: (request) => membership(request, "left"),
    messages(where) {
      const { chat, threadId } = findPlace(state, where);
      const inPlace = [...chat.messages.values()].filter((message) => !chat.isForum || message.threadId === threadId);
      const seen = inPlace.map((message): SeenMessage => ({
        messageId: String(message.id),
        by: message.by,
        text: message.content.text,
        native: message.native,
        replyTo: message.replyTo === undefined ? null : String(message.replyTo),
        thread: message.threadId === undefined ? null : String(message.threadId),
        edits: message.edits,
        deleted: message.deleted,
        draft: false,
        reactions: message.reactions,
        files: message.files,
        at: message.at,
      }));
      const draft = chat.drafts.get(threadKey(threadId));
      if (draft === undefined) return seen;
      return [
        ...seen,
        {
          messageId: `draft:${draft.draftId}`,
          by: state.bot.name,
          text: draft.text,
          native: {},
          replyTo: null,
          thread: null,
          edits: 0,
          deleted: false,
          draft: true,
          reactions: [],
          files: [],
          at: draft.at,
        },
      ];
    },
    place(where) {
      const { chat, threadId } = findPlace(state, where);
      const until = chat.typingUntil.get(threadKey(threadId)) ?? 0;
      return { typing: until > state.clock.now(), draft: chat.drafts.get(threadKey(threadId))?.text ?? null };
    },
  };
}
