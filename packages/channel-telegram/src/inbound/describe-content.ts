import { filesOf, type MediaField } from "./media.ts";
import { textOf } from "./message-parts.ts";
import type { TelegramMessage } from "./update-schema.ts";

/** What stands for a file in a message without words: an agent, and the history of a group, are told that there was one. */
const MEDIA_WORDS: Readonly<Record<MediaField, string>> = {
  photo: "[photo]",
  animation: "[animation]",
  document: "[document]",
  video: "[video]",
  video_note: "[video message]",
  voice: "[voice message]",
  audio: "[audio]",
  sticker: "[sticker]",
};

type Content = Omit<TelegramMessage, "date" | "chat">;

/** Words for what a message holds beside text and files: a place, a contact, a poll, a die. Empty when it is none of these. */
export function describeContent(message: Content): string {
  const { venue, location, contact, poll, dice } = message;
  if (venue !== undefined) {
    return `[place: ${venue.title}, ${venue.address} (${venue.location.latitude}, ${venue.location.longitude})]`;
  }
  if (location !== undefined) return `[location: ${location.latitude}, ${location.longitude}]`;
  if (contact !== undefined) {
    const name = [contact.first_name, contact.last_name].filter((part) => part !== undefined).join(" ");
    return `[contact: ${name}, ${contact.phone_number}]`;
  }
  if (poll !== undefined) {
    const options = (poll.options ?? []).map(({ text }) => text).join(" / ");
    return options === "" ? `[poll: ${poll.question}]` : `[poll: ${poll.question} ${options}]`;
  }
  return dice === undefined ? "" : `[${dice.emoji} ${dice.value}]`;
}

/** The words that stand for a file, with a sticker's emoji. */
export function describeMedia(message: Content): string {
  const [file] = filesOf(message);
  if (file === undefined) return "";
  const emoji = message.sticker?.emoji;
  return file.name === "sticker" && emoji !== undefined ? `[sticker ${emoji}]` : MEDIA_WORDS[file.name];
}

/** What a message says in words, whatever it is; empty only for service messages. */
export function wordsOf(message: Content): string {
  const { text } = textOf(message);
  return text === "" ? describeContent(message) || describeMedia(message) : text;
}
