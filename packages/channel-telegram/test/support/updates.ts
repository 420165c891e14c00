import type { RawEvent } from "@turnwire/turn-ports";

import { toRawEvent } from "../../src/inbound/raw-event.ts";

export const BOT = { id: "7000", username: "ada_bot" } as const;
export const ANN = { id: 1001, is_bot: false, first_name: "Ann", username: "ann" } as const;
export const BOB = { id: 1002, is_bot: false, first_name: "Bob", last_name: "Bee" } as const;
export const SELF = { id: 7000, is_bot: true, first_name: "Ada", username: "ada_bot" } as const;

export const DIRECT = { id: 1001, type: "private", first_name: "Ann", username: "ann" } as const;
export const GROUP = { id: -100_1, type: "supergroup", title: "Garden" } as const;
export const FORUM = { id: -100_2, type: "supergroup", title: "Forum", is_forum: true } as const;
export const CHANNEL = { id: -100_3, type: "channel", title: "News" } as const;

/** 2026-03-01, seconds. */
export const DATE_S = 1_772_323_200;

type Fields = Readonly<Record<string, unknown>>;

/** A message as the Bot API would send it. */
export function aMessage(fields: Fields = {}): Fields {
  return { message_id: 5, date: DATE_S, chat: DIRECT, from: ANN, text: "hello", ...fields };
}

/** An update with one of the API's kinds. */
export function anUpdate(kind: string, content: unknown, updateId = 900): Fields {
  return { update_id: updateId, [kind]: content };
}

/** A stored event. */
export function anEvent(kind: string, content: unknown, updateId = 900): RawEvent {
  return toRawEvent(anUpdate(kind, content, updateId), BOT, DATE_S * 1000);
}

/** An entity over the first occurrence of a word. */
export function entity(type: string, text: string, word: string, extra: Fields = {}): Fields {
  return { type, offset: text.indexOf(word), length: word.length, ...extra };
}
