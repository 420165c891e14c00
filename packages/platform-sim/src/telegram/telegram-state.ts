import { textOf } from "../core/text-of.ts";
import type { ChangeFeed } from "../core/change-feed.ts";
import { ControlError } from "../core/control-error.ts";
import type { Faults } from "../core/faults.ts";
import type { Recorder } from "../core/recorder.ts";
import { createSeededRandom, randomToken } from "../core/seeded-random.ts";
import type { SimClock } from "../core/sim-clock.ts";
import { badRequest } from "./bot-api-error.ts";
import type { FormattedText } from "./message-entity.ts";
import { chatJson, type Json, type SimChat, type SimFile, type SimMessage, type SimUser, userJson } from "./world.ts";

/** Everything that one simulated Telegram knows. */
export interface TelegramState {
  readonly clock: SimClock;
  readonly recorder: Recorder;
  readonly faults: Faults;
  readonly feed: ChangeFeed;
  readonly bot: SimUser;
  readonly token: string;
  readonly users: Map<number, SimUser>;
  readonly chats: Map<number, SimChat>;
  readonly files: Map<string, SimFile>;
  readonly commands: Map<string, unknown>;
  readonly profile: Map<string, string>;
  /** Names of places to chat and thread. */
  readonly places: Map<string, { readonly chatId: number; readonly threadId: number | undefined }>;
  readonly random: () => number;
}

/** Identity of the bot, and where randomness starts. */
export interface TelegramStateOptions {
  readonly clock: SimClock;
  readonly recorder: Recorder;
  readonly faults: Faults;
  readonly feed: ChangeFeed;
  readonly seed: number;
}

const BOT_ID = 7_000_000_001;
const FIRST_PERSON_ID = 1001;
const GROUP_ID = -1_001_000_000_001;
const TOPIC_ID = 2;

/** A world with the default people (`ann`, `bob`), a direct chat of each, a forum group and a topic in it. */
export function createTelegramState(options: TelegramStateOptions): TelegramState {
  const random = createSeededRandom(options.seed);
  const bot: SimUser = { id: BOT_ID, name: "Sim Bot", isBot: true, username: "turnwire_sim_bot" };
  const state: TelegramState = {
    clock: options.clock,
    recorder: options.recorder,
    faults: options.faults,
    feed: options.feed,
    bot,
    token: `${BOT_ID}:${randomToken(random, 35)}`,
    users: new Map([[bot.id, bot]]),
    chats: new Map(),
    files: new Map(),
    commands: new Map(),
    profile: new Map(),
    places: new Map(),
    random,
  };
  populate(state);
  return state;
}

function populate(state: TelegramState): void {
  const ann = addPerson(state, "ann");
  const bob = addPerson(state, "bob");
  state.places.set("direct", { chatId: ann.id, threadId: undefined });
  const group = addChat(state, {
    id: GROUP_ID,
    name: "group",
    kind: "supergroup",
    isForum: true,
    members: [ann.id, bob.id],
  });
  group.topics.set(TOPIC_ID, { name: "topic", isClosed: false });
  group.nextMessageId = TOPIC_ID + 1;
  state.places.set("group", { chatId: group.id, threadId: undefined });
  state.places.set("topic", { chatId: group.id, threadId: TOPIC_ID });
}

/** Forgets all that happened and starts with the default world; token and bot stay. */
export function resetTelegramState(state: TelegramState): void {
  state.users.clear();
  state.users.set(state.bot.id, state.bot);
  for (const map of [state.chats, state.files, state.commands, state.profile, state.places]) map.clear();
  populate(state);
}

/** Adds a person with a direct chat; its place is called `direct:<name>`. */
export function addPerson(state: TelegramState, name: string, isBot: boolean = false): SimUser {
  const id = FIRST_PERSON_ID + state.users.size - 1;
  const user: SimUser = { id, name, isBot, username: isBot && !name.endsWith("bot") ? `${name}_bot` : name };
  state.users.set(id, user);
  if (!isBot) {
    addChat(state, { id, name, kind: "private", isForum: false, members: [id] });
    state.places.set(`direct:${name}`, { chatId: id, threadId: undefined });
  }
  return user;
}

/** Adds a chat without messages. The bot is a member of every one. */
export function addChat(
  state: TelegramState,
  given: Pick<SimChat, "id" | "name" | "kind" | "isForum"> & { readonly members: readonly number[] },
): SimChat {
  const chat: SimChat = {
    ...given,
    members: new Set([...given.members, state.bot.id]),
    topics: new Map(),
    messages: new Map(),
    drafts: new Map(),
    typingUntil: new Map(),
    nextMessageId: 1,
    hasBlockedBot: false,
  };
  state.chats.set(chat.id, chat);
  return chat;
}

/** Finds a person by name or id. @throws ControlError naming the field that said who. */
export function findPerson(state: TelegramState, who: unknown, field: string = "by"): SimUser {
  for (const user of state.users.values())
    if (user.name === who || user.username === who || String(user.id) === String(who)) return user;
  throw new ControlError(`There is nobody called ${String(who)}.`, field, "the name or id of a person");
}

/** How faults know a place: a chat by its id, a topic by both ids. Native ids are themselves. */
export function placeKey(state: TelegramState, where: string): string {
  const named = state.places.get(where);
  if (named === undefined) return where;
  return named.threadId === undefined ? String(named.chatId) : `${named.chatId}/${named.threadId}`;
}

/** The keys of a place that a call or an update names. */
export function placeKeys(chatId: unknown, threadId: unknown): readonly string[] {
  const chat = textOf(chatId);
  const thread = textOf(threadId);
  if (chat === "") return [];
  return thread === "" ? [chat] : [chat, `${chat}/${thread}`];
}

/** Finds a place by name or native id. @throws ControlError naming the field that said where. */
export function findPlace(
  state: TelegramState,
  where: unknown,
  thread?: unknown,
  field: string = "in",
): { readonly chat: SimChat; readonly threadId: number | undefined } {
  const named = state.places.get(String(where)) ?? { chatId: Number(where), threadId: undefined };
  const chat = state.chats.get(named.chatId);
  if (chat === undefined)
    throw new ControlError(`There is no place called ${String(where)}.`, field, "the name or id of a place");
  if (thread === undefined || thread === null) return { chat, threadId: named.threadId };
  const threadId = state.places.get(textOf(thread))?.threadId ?? Number(thread);
  if (!chat.topics.has(threadId))
    throw new ControlError(
      `There is no thread ${textOf(thread)} in ${chat.name}.`,
      "thread",
      "the name or id of a topic of that place",
    );
  return { chat, threadId };
}

/** The chat that a bot's call names. @throws 400 chat not found, 403 when the bot may not write there. */
export function targetChat(state: TelegramState, chatId: unknown): SimChat {
  if (chatId === undefined || chatId === "") throw badRequest("chat_id is empty");
  const wanted = textOf(chatId);
  for (const chat of state.chats.values())
    if (String(chat.id) === wanted || (wanted.startsWith("@") && chat.kind !== "private" && `@${chat.name}` === wanted))
      return chat;
  throw badRequest("chat not found");
}

/** Puts a message into a chat and builds its native form. */
export function addMessage(
  state: TelegramState,
  chat: SimChat,
  given: {
    readonly by: SimUser;
    readonly content: FormattedText;
    readonly threadId: number | undefined;
    readonly replyTo: number | undefined;
    readonly extra: Json;
    readonly files: readonly string[];
    readonly isCaption: boolean;
  },
): SimMessage {
  const id = chat.nextMessageId;
  chat.nextMessageId += 1;
  const replied = given.replyTo === undefined ? undefined : chat.messages.get(given.replyTo);
  const { text, entities } = given.content;
  const [textKey, entitiesKey] = given.isCaption ? ["caption", "caption_entities"] : ["text", "entities"];
  const inTopic = given.threadId !== undefined && chat.isForum;
  const native: Json = {
    message_id: id,
    ...(chat.kind === "channel" ? { sender_chat: chatJson(chat, state.users) } : { from: userJson(given.by) }),
    chat: chatJson(chat, state.users),
    date: Math.floor(state.clock.now() / 1000),
    ...(given.threadId === undefined ? {} : { message_thread_id: given.threadId }),
    ...(inTopic ? { is_topic_message: true } : {}),
    ...(replied === undefined ? {} : { reply_to_message: withoutReply(replied.native) }),
    ...(text === "" ? {} : { [textKey]: text }),
    ...(text === "" || entities.length === 0 ? {} : { [entitiesKey]: entities }),
    ...given.extra,
  };
  const message: SimMessage = {
    id,
    by: given.by.name,
    isOurs: given.by.id === state.bot.id,
    native,
    content: given.content,
    threadId: given.threadId,
    replyTo: given.replyTo,
    files: given.files,
    edits: 0,
    deleted: false,
    reactions: [],
    at: state.clock.now(),
  };
  chat.messages.set(id, message);
  state.feed.emit({ place: String(chat.id), kind: "message" });
  return message;
}

function withoutReply(native: Json): Json {
  const { reply_to_message: _, ...rest } = native;
  return rest;
}
