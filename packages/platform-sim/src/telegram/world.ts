import type { FormattedText } from "./message-entity.ts";

/** A JSON object of the Bot API. */
export type Json = Record<string, unknown>;

/** A person or bot. */
export interface SimUser {
  readonly id: number;
  readonly name: string;
  readonly isBot: boolean;
  readonly username: string;
}

/** A file that somebody sent. */
export interface SimFile {
  readonly fileId: string;
  readonly uniqueId: string;
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
  readonly path: string;
}

/** A message and what became of it. */
export interface SimMessage {
  readonly id: number;
  readonly by: string;
  readonly isOurs: boolean;
  /** The Bot API's own Message. */
  native: Json;
  content: FormattedText;
  readonly threadId: number | undefined;
  readonly replyTo: number | undefined;
  readonly files: readonly string[];
  edits: number;
  deleted: boolean;
  readonly reactions: { readonly by: string; readonly emoji: string }[];
  readonly at: number;
}

/** A draft that a bot shows while it writes. */
export interface SimDraft {
  readonly draftId: number;
  readonly threadId: number | undefined;
  readonly text: string;
  readonly at: number;
}

/** A chat and its messages. */
export interface SimChat {
  readonly id: number;
  readonly name: string;
  readonly kind: "private" | "group" | "supergroup" | "channel";
  /** Becomes true with the first topic. */
  isForum: boolean;
  readonly members: Set<number>;
  readonly topics: Map<number, { name: string; isClosed: boolean }>;
  readonly messages: Map<number, SimMessage>;
  readonly drafts: Map<string, SimDraft>;
  /** Until when "typing…" is shown, by thread ("" for none); epoch ms. */
  readonly typingUntil: Map<string, number>;
  nextMessageId: number;
  hasBlockedBot: boolean;
}

/** A chat's description as the Bot API gives it. */
export function chatJson(chat: SimChat, users: ReadonlyMap<number, SimUser>): Json {
  if (chat.kind === "private") {
    const person = users.get(chat.id);
    return {
      id: chat.id,
      type: "private",
      first_name: person?.name ?? chat.name,
      ...(person === undefined ? {} : { username: person.username }),
    };
  }
  return { id: chat.id, type: chat.kind, title: chat.name, ...(chat.isForum ? { is_forum: true } : {}) };
}

/** A user as the Bot API gives it. */
export function userJson(user: SimUser): Json {
  return {
    id: user.id,
    is_bot: user.isBot,
    first_name: user.name,
    username: user.username,
    ...(user.isBot ? {} : { language_code: "en" }),
  };
}
