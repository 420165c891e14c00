import { isSurrogatePair } from "../markdown/measure-text.ts";
import { fenceAfter, type OpenFence } from "./fence-lines.ts";

/** Kinds of places to break a text that still grows, best first. */
export const TEXT_BREAKS = ["paragraph", "newline", "sentence", "whitespace", "hard"] as const;

/** One of them. */
export type TextBreak = (typeof TEXT_BREAKS)[number];

/** Bounds of a block, in UTF-16 units of its source. */
export interface BlockBounds {
  readonly minChars: number;
  readonly maxChars: number;
  /** Worse kinds are taken only when a block would get longer than `maxChars`. */
  readonly breakPreference: TextBreak;
}

/** Where a block ends and the rest begins; white space between them is dropped. */
export interface FoundBreak {
  readonly end: number;
  readonly next: number;
  /** The fence that is cut, to be closed and opened again. */
  readonly fence: OpenFence | null;
}

const SENTENCE_END = /[.!?…。！？]["'”’»)\]]*$/;
/** Nothing, or what begins an item: the text behind it belongs to it. */
const BULLET = /^\s*(?:[-*+>]|\d{1,9}[.)]|#{1,6})?\s*$/;
/** What would open a block if it stood at the start of a line, as it does behind a break. */
const BLOCK_OPENER = /^(?:>|=|`{3}|~{3}|(?:[-*+]|#{1,6}|\d{1,9}[.)])(?:\s|$))/;
/** Long enough to see whether something opens a block. */
const OPENER_CHARS = 12;
/** Shortest text behind a break that tells that it does not open one. */
const MIN_OPENER_CHARS = 3;
/** A closing quote after the end of a sentence is looked for this far back. */
const SENTENCE_TAIL_CHARS = 4;

/**
 * The last place of the best kind between `minChars` and `maxChars`; null when the text should rather grow first.
 * Where there is none in a text that is too long, one before `minChars`, and only then within a word.
 * A code block is cut only when nothing outside it will do, and then between its lines.
 */
export function findTextBreak(text: string, { minChars, maxChars, breakPreference }: BlockBounds): FoundBreak | null {
  if (text.length < minChars) return null;
  const found = new Map<TextBreak | "code", FoundBreak>();
  /** The last place before `minChars`: a block that is too short is better than a cut word. */
  let early: FoundBreak | null = null;
  const last = Math.min(text.length, maxChars);
  let fence: OpenFence | null = null;
  for (let start = 0; start < last;) {
    const lineEnd = text.indexOf("\n", start);
    const end = lineEnd === -1 ? text.length : lineEnd;
    const before: OpenFence | null = fence;
    const after = fenceAfter(text.slice(start, end), before);
    if (before === null && after === null) offerWithin(start, Math.min(end, last));
    if (end >= last) break;
    fence = after;
    // Not right behind the line that opens a code block: that would leave an empty one.
    if (before !== null || after === null) offerLineEnd(end);
    start = end + 1;
  }

  // One character more tells whether what stands at the border is whole.
  const isFull = text.length > maxChars;
  const wanted = TEXT_BREAKS.indexOf(breakPreference);
  const preferred = latest(TEXT_BREAKS.slice(0, wanted + 1));
  if (preferred !== undefined || !isFull) return preferred ?? null;
  for (const kind of [...TEXT_BREAKS.slice(wanted + 1), "code"] as const) {
    const at = found.get(kind);
    if (at !== undefined) return at;
  }
  if (early !== null) return early;
  const end = lastGraphemeEnd(text, last);
  // A fence line that fills the block by itself is not repeated: there would be no progress.
  const isReopened = fence !== null && end > fence.opening.length + 1;
  return { end, next: end, fence: isReopened ? fence : null };

  function offer(kind: TextBreak | "code", end: number, next: number): void {
    if (end <= 0 || end > last) return;
    if (end < minChars) early = { end, next, fence };
    else found.set(kind, { end, next, fence });
  }

  function offerLineEnd(end: number): void {
    if (fence !== null) {
      offer("code", end, end + 1);
      return;
    }
    // What comes may still be white space of the same break, or the second line break of a paragraph.
    const rest = /\S/.exec(text.slice(end, maxChars + SENTENCE_TAIL_CHARS));
    if (rest === null && text.length < maxChars) return;
    const next = end + (rest?.index ?? 1);
    offer(text.slice(end, next).split("\n").length > 2 ? "paragraph" : "newline", end, startOfLine(next));
  }

  /** Spaces at the start of a line mean something in Markdown: they stay. */
  function startOfLine(next: number): number {
    return text.lastIndexOf("\n", next - 1) + 1;
  }

  function offerWithin(from: number, to: number): void {
    for (let at = from + 1; at < to; at += 1) {
      const behind = text.slice(at + 1, at + 1 + OPENER_CHARS);
      if (behind.length < MIN_OPENER_CHARS || BLOCK_OPENER.test(behind)) continue;
      if (text.charAt(at) !== " " || text.charAt(at - 1) === " " || BULLET.test(text.slice(from, at))) continue;
      const isSentence = SENTENCE_END.test(text.slice(Math.max(from, at - SENTENCE_TAIL_CHARS), at));
      offer(isSentence ? "sentence" : "whitespace", at, at + 1);
    }
  }

  function latest(kinds: readonly TextBreak[]): FoundBreak | undefined {
    return kinds
      .flatMap((kind) => found.get(kind) ?? [])
      .toSorted((left, right) => right.end - left.end)
      .at(0);
  }
}

/** The end of the last whole grapheme within `max`; of the last code point when a single grapheme is longer. */
function lastGraphemeEnd(text: string, max: number): number {
  const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
  let end = 0;
  for (const { index, segment } of segmenter.segment(text.slice(0, max + 1))) {
    if (index + segment.length > max) break;
    end = index + segment.length;
  }
  if (end > 0) return end;
  return isSurrogatePair(text, max - 1) ? Math.max(2, max - 1) : max;
}
