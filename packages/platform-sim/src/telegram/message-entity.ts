/** A marked span of a text; offset and length count UTF-16 units. */
export interface MessageEntity {
  readonly type: string;
  readonly offset: number;
  readonly length: number;
  readonly url?: string;
  readonly language?: string;
  readonly custom_emoji_id?: string;
  readonly user?: Readonly<Record<string, unknown>>;
}

/** A text with its spans. */
export interface FormattedText {
  readonly text: string;
  readonly entities: readonly MessageEntity[];
}

/** More than this many are not rendered. */
export const MAX_ENTITIES = 100;

/** Types that a bot may send itself. */
const SENDABLE = new Set([
  "bold",
  "italic",
  "underline",
  "strikethrough",
  "spoiler",
  "code",
  "pre",
  "text_link",
  "text_mention",
  "custom_emoji",
  "blockquote",
  "expandable_blockquote",
  "mention",
  "hashtag",
  "cashtag",
  "bot_command",
  "url",
  "email",
  "phone_number",
]);

/** Cuts white space from both ends, as the server does, and moves the spans along. */
export function trimFormatted({ text, entities }: FormattedText): FormattedText {
  const start = text.length - text.trimStart().length;
  const trimmed = text.trim();
  const moved = entities.flatMap((entity): MessageEntity[] => {
    const from = Math.max(0, entity.offset - start);
    const to = Math.min(trimmed.length, entity.offset + entity.length - start);
    return to > from ? [{ ...entity, offset: from, length: to - from }] : [];
  });
  return { text: trimmed, entities: moved.slice(0, MAX_ENTITIES) };
}

/** Spans as a bot gave them: known types inside the text; the server leaves out the others without a word. */
export function givenEntities(text: string, given: unknown): MessageEntity[] {
  if (!Array.isArray(given)) return [];
  return given.flatMap((item: unknown): MessageEntity[] => {
    if (typeof item !== "object" || item === null) return [];
    const { type, offset, length } = item as Record<string, unknown>;
    if (typeof type !== "string" || typeof offset !== "number" || typeof length !== "number") return [];
    const isInside =
      Number.isInteger(offset) &&
      Number.isInteger(length) &&
      offset >= 0 &&
      length > 0 &&
      offset + length <= text.length;
    return isInside && SENDABLE.has(type) ? [item as MessageEntity] : [];
  });
}

const AUTOMATIC: readonly { readonly type: string; readonly pattern: RegExp }[] = [
  { type: "url", pattern: /https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]}]/g },
  { type: "bot_command", pattern: /(?<![\w/])\/[A-Za-z0-9_]{1,64}(?:@[A-Za-z0-9_]{3,32})?(?![\w/])/g },
  { type: "mention", pattern: /(?<!\w)@[A-Za-z][A-Za-z0-9_]{2,31}(?!\w)/g },
  { type: "hashtag", pattern: /(?<!\w)#[\p{L}\p{N}_]*\p{L}[\p{L}\p{N}_]*/gu },
];

/** Spans that the server finds by itself, outside those that are there. */
export function automaticEntities(text: string, taken: readonly MessageEntity[] = []): MessageEntity[] {
  const found: MessageEntity[] = [];
  const isFree = (offset: number, length: number): boolean =>
    [...taken, ...found].every(
      (entity) =>
        offset + length <= entity.offset ||
        offset >= entity.offset + entity.length ||
        entity.type === "bold" ||
        entity.type === "italic",
    );
  for (const { type, pattern } of AUTOMATIC) {
    for (const match of text.matchAll(pattern)) {
      if (isFree(match.index, match[0].length)) found.push({ type, offset: match.index, length: match[0].length });
    }
  }
  return found.toSorted((a, b) => a.offset - b.offset);
}

/** Length as the server counts it. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Byte offset of a UTF-16 position, as error texts name it. */
export function byteOffset(text: string, index: number): number {
  return Buffer.byteLength(text.slice(0, index), "utf8");
}
