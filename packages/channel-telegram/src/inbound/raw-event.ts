import { TurnwireError } from "@turnwire/turn-kernel";
import type { InboundEnvelope, JsonValue, RawEvent, RoutePeer } from "@turnwire/turn-ports";

import { isOurs, parseSlashCommand } from "./commands.ts";
import { hasMedia } from "./media.ts";
import { commandTextOf, placeOf, senderOf, threadIdOf } from "./message-parts.ts";
import {
  UNREAD_KINDS,
  UPDATE_SHAPES,
  type TelegramCallback,
  type TelegramChatMember,
  type TelegramMessage,
  type TelegramReaction,
  type TelegramStopped,
  type UpdateKind,
} from "./update-schema.ts";

/** Who the bot was when the event came: what mentions and commands are held against. */
export interface BotName {
  readonly id: string;
  readonly username?: string | undefined;
}

/** A stored event as the adapter reads it. */
export type TelegramEvent = { readonly updateId: number; readonly bot: BotName } & (
  | { readonly kind: "message"; readonly edited: boolean; readonly message: TelegramMessage }
  | { readonly kind: "callback_query"; readonly callback: TelegramCallback }
  | { readonly kind: "message_reaction"; readonly reaction: TelegramReaction }
  | { readonly kind: "my_chat_member"; readonly member: TelegramChatMember }
  | { readonly kind: "stopped_message_generation"; readonly stopped: TelegramStopped }
  | { readonly kind: "other"; readonly name: string }
);

/** Shape of what an update that is not understood is stored as. */
const UNREADABLE = "unreadable";
const OTHER = "other";

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isUpdateKind(name: string): name is UpdateKind {
  return Object.hasOwn(UPDATE_SHAPES, name);
}

/**
 * Turns an update into the form that is stored, cut to what is read. Never throws: what is not understood
 * is stored as it came, and `envelope` says why it is no event.
 */
export function toRawEvent(update: unknown, bot: BotName, receivedAtMs: number): RawEvent {
  const unreadable = (problem: string): RawEvent => ({
    type: UNREADABLE,
    payload: { problem, update: (update ?? null) as JsonValue },
    receivedAtMs,
  });
  if (!isRecord(update)) return unreadable("it is not an object");
  const updateId = update["update_id"];
  if (typeof updateId !== "number" || !Number.isSafeInteger(updateId)) return unreadable("it has no update_id");
  const kind = Object.keys(update).find((key) => key !== "update_id" && update[key] !== undefined);
  if (kind === undefined) return unreadable("it holds nothing");
  const head = { update_id: updateId, bot: { id: bot.id, username: bot.username ?? null } };
  if (UNREAD_KINDS.has(kind)) return { type: OTHER, payload: { ...head, name: kind }, receivedAtMs };
  if (!isUpdateKind(kind)) return unreadable(`its kind "${kind}" is unknown`);
  const parsed = UPDATE_SHAPES[kind].safeParse(update[kind]);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return unreadable(`${[kind, ...(issue?.path ?? [])].join(".")}: ${issue?.message ?? "wrong shape"}`);
  }
  return { type: kind, payload: { ...head, content: parsed.data as JsonValue }, receivedAtMs };
}

/**
 * Reads a stored event.
 * @throws TurnwireError `telegram_update_unreadable` for one that was not understood.
 */
export function readEvent(raw: RawEvent): TelegramEvent {
  const { type, payload } = raw;
  if (!isRecord(payload)) throw unreadableError("its stored form is not an object");
  if (type === UNREADABLE) throw unreadableError(textOr(payload["problem"], "it was not understood"));
  const { update_id: updateId, bot, content, name } = payload;
  if (typeof updateId !== "number" || !isRecord(bot) || typeof bot["id"] !== "string") {
    throw unreadableError("its stored form lacks the update's id or the bot");
  }
  const username = bot["username"];
  const head = { updateId, bot: { id: bot["id"], ...(typeof username === "string" ? { username } : {}) } };
  if (type === OTHER) return { ...head, kind: "other", name: textOr(name, "unknown") };
  if (!isUpdateKind(type)) throw unreadableError(`its kind "${type}" is unknown`);
  // A row may be older than this release, so what was stored is checked like what comes in.
  const shape = <Kind extends UpdateKind>(kind: Kind): unknown => {
    const parsed = UPDATE_SHAPES[kind].safeParse(content);
    if (!parsed.success) throw unreadableError(`${kind}: ${parsed.error.issues[0]?.message ?? "wrong shape"}`);
    return parsed.data;
  };
  switch (type) {
    case "message":
    case "channel_post":
      return { ...head, kind: "message", edited: false, message: shape(type) as TelegramMessage };
    case "edited_message":
    case "edited_channel_post":
      return { ...head, kind: "message", edited: true, message: shape(type) as TelegramMessage };
    case "callback_query":
      return { ...head, kind: type, callback: shape(type) as TelegramCallback };
    case "message_reaction":
      return { ...head, kind: type, reaction: shape(type) as TelegramReaction };
    case "my_chat_member":
      return { ...head, kind: type, member: shape(type) as TelegramChatMember };
    case "stopped_message_generation":
      return { ...head, kind: type, stopped: shape(type) as TelegramStopped };
  }
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === "string" ? value : otherwise;
}

function unreadableError(problem: string): TurnwireError {
  return new TurnwireError({
    code: "telegram_update_unreadable",
    message: `A Telegram update cannot be read: ${problem}; it is kept as a dead letter, and what comes behind it goes on.`,
  });
}

/**
 * The address side of a stored event. Pure.
 * @throws TurnwireError `telegram_update_unreadable`.
 */
export function envelope(raw: RawEvent): InboundEnvelope {
  return envelopeOf(readEvent(raw));
}

/** The address side of an event. Pure. */
export function envelopeOf(event: TelegramEvent): InboundEnvelope {
  const dedupeKey = `update:${event.updateId}`;
  switch (event.kind) {
    case "message":
      return messageEnvelope(event.message, event.edited, event.bot, dedupeKey);
    case "callback_query": {
      const { callback } = event;
      const place = placeOfCallback(callback);
      const command = parseSlashCommand(callback.data ?? "");
      const isControl = command?.control === true;
      return {
        dedupeKey,
        turnKey: `callback:${callback.id}`,
        messageId: `callback:${callback.id}`,
        change: "new",
        ...place,
        senderId: String(callback.from.id),
        replyTarget: place.routePeer.id,
        kind: isControl ? "control" : "other",
        ...(isControl ? { command: command.name } : {}),
      };
    }
    case "stopped_message_generation": {
      const { chat, message_thread_id: thread } = event.stopped;
      return {
        ...bareEnvelope(event.updateId, placeOf(chat)),
        // Drafts exist in private chats, whose id is the person's.
        senderId: String(chat.id),
        ...(thread === undefined ? {} : { threadId: String(thread) }),
        kind: "control",
        command: "stop",
      };
    }
    case "message_reaction": {
      const { chat, user, actor_chat: actor } = event.reaction;
      return {
        ...bareEnvelope(event.updateId, placeOf(chat)),
        senderId: String(user?.id ?? actor?.id ?? chat.id),
      };
    }
    case "my_chat_member":
      return {
        ...bareEnvelope(event.updateId, placeOf(event.member.chat)),
        senderId: String(event.member.from.id),
      };
    case "other":
      return bareEnvelope(event.updateId, { kind: "direct", id: event.bot.id });
  }
}

/** An event that is no message: it has an id of its own, so no edit or delete of a message ever meets it. */
function bareEnvelope(updateId: number, routePeer: RoutePeer): InboundEnvelope {
  const own = `update:${updateId}`;
  return {
    dedupeKey: own,
    turnKey: own,
    messageId: own,
    change: "new",
    routePeer,
    senderId: routePeer.id,
    replyTarget: routePeer.id,
    kind: "other",
  };
}

function placeOfCallback(callback: TelegramCallback): Pick<InboundEnvelope, "routePeer" | "threadId"> {
  // A button of an inline message has no chat: it counts as the person's own.
  if (callback.message === undefined) return { routePeer: { kind: "direct", id: String(callback.from.id) } };
  const threadId = threadIdOf(callback.message);
  return { routePeer: placeOf(callback.message.chat), ...(threadId === undefined ? {} : { threadId }) };
}

function messageEnvelope(message: TelegramMessage, edited: boolean, bot: BotName, dedupeKey: string): InboundEnvelope {
  const routePeer = placeOf(message.chat);
  const threadId = threadIdOf(message);
  const messageId = String(message.message_id);
  const command = parseSlashCommand(commandTextOf(message, bot));
  const isControl = command !== null && command.control && isOurs(command, bot.username);
  return {
    dedupeKey,
    turnKey: JSON.stringify([routePeer.kind, routePeer.id, threadId ?? "", messageId, message.edit_date ?? 0]),
    messageId,
    change: edited ? "edit" : "new",
    routePeer,
    ...(threadId === undefined ? {} : { threadId }),
    senderId: senderOf(message).id,
    replyTarget: routePeer.id,
    kind: isControl ? "control" : contentKind(message),
    ...(isControl ? { command: command.name } : {}),
  };
}

function contentKind(message: TelegramMessage): "media" | "text" | "other" {
  if (hasMedia(message)) return "media";
  return (message.text ?? "") === "" ? "other" : "text";
}
