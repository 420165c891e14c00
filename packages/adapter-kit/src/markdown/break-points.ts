import { commonParent, type FlatTree, type Leaf, leafIndexAt, leafText } from "./flatten-tree.ts";
import { isSurrogatePair } from "./measure-text.ts";

/** How good a place to break is, best first. `avoid`: within a table row, a link, inline code, or a line of code. */
export const BREAK_QUALITIES = ["paragraph", "newline", "sentence", "whitespace", "avoid"] as const;

/** One of them. */
export type BreakQuality = (typeof BREAK_QUALITIES)[number];

/** White space at which a line may break: not the no-break spaces. */
const BREAKABLE = /[ \t\n\r\f\v\u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000]/;
/** What joins itself to the character before, a white space too. */
const JOINING = /^(?:\p{M}|\u200d|\p{Emoji_Modifier})/u;
const SENTENCE_END = /[.!?…。！？]["'”’»)\]]*$/;
/** Ends of sentences behind which no space is written. */
const FULL_WIDTH_END = /[。！？]/;
/** A closing quote after the end of a sentence is looked for this far back. */
const SENTENCE_TAIL_CHARS = 4;
/** Longest stretch in which the borders of graphemes are looked for; longer ones are abuse, and are cut between code points. */
const GRAPHEME_WINDOW_CHARS = 1024;

/** True for a character that may be dropped at a break. */
export function isBreakable(char: string): boolean {
  return BREAKABLE.test(char);
}

const isFragile = (leaf: Leaf): boolean =>
  leaf.node.type === "inlineCode" || leaf.ancestors.some(({ node }) => node.type === "link");

/** Quality of a break between two neighbouring leaves; null when they are one word. */
function qualityBetween(left: Leaf, right: Leaf): BreakQuality | null {
  const parent = commonParent(left, right);
  switch (parent?.type) {
    case "root":
    case "blockquote":
      // A heading at the end of a message stands above nothing.
      return left.ancestors.some(({ node }) => node.type === "heading") ? "whitespace" : "paragraph";
    case "listItem":
    case "list":
    case "table":
      return "newline";
    case "tableRow":
      return "avoid";
    case undefined:
    case "paragraph":
    case "heading":
    case "tableCell":
    case "emphasis":
    case "strong":
    case "delete":
    case "link":
      if (left.node.type === "break" || right.node.type === "break") return "newline";
      return isFragile(left) === isFragile(right) ? null : "avoid";
  }
}

/** Quality of a break before the character at `offset`; null where there is none. */
function qualityWithin(leaf: Leaf, text: string, offset: number): BreakQuality | null {
  const char = text.charAt(offset);
  if (leaf.node.type === "code") {
    if (char === "\n") return "newline";
    return isBreakable(char) ? "avoid" : null;
  }
  if (!isBreakable(char)) {
    return FULL_WIDTH_END.test(text.charAt(offset - 1)) && !isFragile(leaf) && !SENTENCE_END.test(char)
      ? "sentence"
      : null;
  }
  if (offset > 0 && isBreakable(text.charAt(offset - 1))) return null;
  let end = offset;
  while (end < text.length && isBreakable(text.charAt(end))) end += 1;
  if (JOINING.test(text.slice(end, end + 2))) return null;
  if (isFragile(leaf)) return "avoid";
  if (text.slice(offset, end).includes("\n")) return "newline";
  const before = text.slice(Math.max(0, offset - SENTENCE_TAIL_CHARS), offset);
  return SENTENCE_END.test(before) ? "sentence" : "whitespace";
}

/**
 * The best place to end a chunk that begins at `from`, at most at `max` and if possible not before `preferred`:
 * the best quality that stands behind `preferred`, else the last good one before it, else a border between graphemes,
 * else between code points. Always behind `from` when `max` is.
 */
export function chooseBreak(tree: FlatTree, from: number, preferred: number, max: number): number {
  const behind = new Map<BreakQuality, number>();
  let early = from;
  let earlyAvoid = from;
  const offer = (quality: BreakQuality | null, at: number): void => {
    if (quality === null || at <= from || at > max) return;
    if (at >= preferred) behind.set(quality, at);
    if (quality === "avoid") earlyAvoid = at;
    else early = at;
  };
  for (let index = leafIndexAt(tree, from); index < tree.leaves.length; index += 1) {
    const leaf = tree.leaves[index];
    if (leaf === undefined || leaf.start > max) break;
    const before = tree.leaves[index - 1];
    if (before !== undefined) offer(qualityBetween(before, leaf), leaf.start);
    const text = leafText(leaf);
    if (text === null) continue;
    const last = Math.min(text.length - 1, max - leaf.start);
    for (let offset = Math.max(0, from - leaf.start); offset <= last; offset += 1) {
      offer(qualityWithin(leaf, text, offset), leaf.start + offset);
    }
  }
  for (const quality of BREAK_QUALITIES) {
    const at = quality === "avoid" ? undefined : behind.get(quality);
    if (at !== undefined) return at;
  }
  if (early > from) return early;
  const avoidable = behind.get("avoid") ?? (mustNotDivide(tree, max) ? earlyAvoid : from);
  return avoidable > from ? avoidable : graphemeBorder(tree, from, max);
}

/** True when `at` lies within something that should stay whole. */
function mustNotDivide(tree: FlatTree, at: number): boolean {
  const leaf = tree.leaves[leafIndexAt(tree, at)];
  if (leaf === undefined || leaf.start === at) return false;
  return isFragile(leaf) || leaf.ancestors.some(({ node }) => node.type === "tableRow");
}

/** The last border between graphemes at or before `max`; `max` itself when the grapheme there begins at or before `from`. */
function graphemeBorder(tree: FlatTree, from: number, max: number): number {
  const leaf = tree.leaves[leafIndexAt(tree, max)];
  const text = leaf === undefined ? null : leafText(leaf);
  if (leaf === undefined || text === null || leaf.start === max) return max;
  const wanted = max - leaf.start;
  if (wanted >= text.length) return max;
  const begin = Math.max(0, from - leaf.start, wanted - GRAPHEME_WINDOW_CHARS);
  const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
  let border = begin;
  for (const { index, segment } of segmenter.segment(text.slice(begin, wanted + GRAPHEME_WINDOW_CHARS))) {
    if (begin + index > wanted) break;
    border = begin + index;
    if (begin + index + segment.length > wanted) break;
  }
  const at = leaf.start + border;
  return at > from && border > begin ? at : snapToCodePoint(tree, max);
}

/** The position itself, or the one before when it lies between the two units of one character. */
export function snapToCodePoint(tree: FlatTree, at: number): number {
  const leaf = tree.leaves[leafIndexAt(tree, at)];
  const text = leaf === undefined ? null : leafText(leaf);
  if (leaf === undefined || text === null || at <= leaf.start) return at;
  return isSurrogatePair(text, at - leaf.start - 1) ? at - 1 : at;
}
