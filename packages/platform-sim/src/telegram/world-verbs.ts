import { ControlError } from "../core/control-error.ts";
import { addChat, addMessage, addPerson, findPerson, findPlace, type TelegramState } from "./telegram-state.ts";
import { tellBot } from "./tell-bot.ts";
import type { UpdateQueue } from "./update-queue.ts";
import { chatJson, type Json, type SimChat, type SimMessage, type SimUser, userJson } from "./world.ts";

/** Ids of the events that a verb caused; none when bots are not told of it. */
interface Caused {
  readonly eventIds: readonly string[];
}

/** How people, places and members come about. */
export interface WorldVerbs {
  readonly people: (request: { readonly name: string; readonly isBot?: boolean }) => { readonly id: string };
  readonly places: (request: {
    readonly kind: string;
    readonly name: string;
    readonly members?: readonly string[];
    readonly parent?: string;
  }) => { readonly id: string };
  readonly join: (request: { readonly who: string; readonly in: string }) => Caused;
  readonly leave: (request: { readonly who: string; readonly in: string }) => Caused;
}

/** A message that tells of something and says nothing. */
function addNotice(state: TelegramState, chat: SimChat, by: SimUser, extra: Json): SimMessage {
  return addMessage(state, chat, {
    by,
    content: { text: "", entities: [] },
    threadId: undefined,
    replyTo: undefined,
    extra,
    files: [],
    isCaption: false,
  });
}

/** The verbs that make the world. */
export function createWorldVerbs(state: TelegramState, queue: UpdateQueue): WorldVerbs {
  /** The bot's own membership: in a private chat it is the person who blocks it or starts it again. */
  function changeBot(chat: SimChat, by: SimUser, isIn: boolean): Caused {
    const out = chat.kind === "private" ? { status: "kicked", until_date: 0 } : { status: "left" };
    const [before, after] = isIn ? [out, { status: "member" }] : [{ status: "member" }, out];
    const user = userJson(state.bot);
    const change = {
      chat: chatJson(chat, state.users),
      from: userJson(by),
      date: Math.floor(state.clock.now() / 1000),
      old_chat_member: { ...before, user },
      new_chat_member: { ...after, user },
    };
    return { eventIds: [queue.push("my_chat_member", change).eventId] };
  }

  function membership(request: { readonly who: string; readonly in: string }, isIn: boolean): Caused {
    const { chat } = findPlace(state, request.in);
    const { bot } = state;
    const isBot = ["bot", bot.name, bot.username, String(bot.id)].includes(request.who);
    const user = isBot ? bot : findPerson(state, request.who, "who");
    if (chat.kind === "private") {
      const owner = state.users.get(chat.id) ?? user;
      if (!isBot && user.id !== chat.id)
        throw new ControlError(`${user.name} has no part in ${chat.name}.`, "who", `"bot" or "${owner.name}"`);
      if (chat.hasBlockedBot !== isIn) return { eventIds: [] };
      chat.hasBlockedBot = !isIn;
      return changeBot(chat, owner, isIn);
    }
    if (chat.members.has(user.id) === isIn) return { eventIds: [] };
    if (isIn) chat.members.add(user.id);
    else chat.members.delete(user.id);
    // Somebody must have done it to the bot: the first person of the chat.
    if (isBot) return changeBot(chat, [...chat.members].flatMap((id) => state.users.get(id) ?? [])[0] ?? bot, isIn);
    const member = userJson(user);
    if (chat.kind === "channel") return { eventIds: [] };
    const notice = addNotice(state, chat, user, isIn ? { new_chat_members: [member] } : { left_chat_member: member });
    return { eventIds: tellBot({ state, queue }, chat, "message", notice.native) };
  }

  function addTopic(name: string, parent: string | undefined): string {
    const { chat } = findPlace(state, parent, undefined, "parent");
    if (chat.kind !== "supergroup")
      throw new ControlError(`${chat.name} cannot have topics.`, "parent", "the name or id of a group");
    // A group becomes a forum with its first topic.
    chat.isForum = true;
    const { id } = addNotice(state, chat, state.bot, { forum_topic_created: { name, icon_color: 7_322_096 } });
    chat.topics.set(id, { name, isClosed: false });
    state.places.set(name, { chatId: chat.id, threadId: id });
    return String(id);
  }

  return {
    people({ name, isBot }) {
      if (typeof name !== "string" || name === "")
        throw new ControlError("A person needs a name.", "name", "a string that is not empty");
      return { id: String(addPerson(state, name, isBot ?? false).id) };
    },
    places({ kind, name, members = [], parent }) {
      if (kind === "topic" || kind === "thread") return { id: addTopic(name, parent) };
      const ids = members.map((who) => findPerson(state, who, "members").id);
      if (kind === "direct") {
        const [id] = ids;
        if (id === undefined || ids.length > 1 || !state.chats.has(id))
          throw new ControlError("A direct chat has one person.", "members", "one name of a person who is no bot");
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
    join: (request) => membership(request, true),
    leave: (request) => membership(request, false),
  };
}
