import { loadParser } from "./load-parser.ts";
import type { MarkdownRoot } from "./markdown-nodes.ts";
import { reduceTree } from "./reduce-tree.ts";
import { mayHoldMarkdown, plainRoot } from "./plain-root.ts";

/** Longer texts are taken as they stand: parsing takes 2 to 10 ms for 1,000 characters, and nothing else runs meanwhile. */
const MAX_PARSED_CHARS = 100_000;

/** Marks of emphasis in one paragraph; the parser's time grows with the square of their number (0.15 s at this one). */
const MAX_MARKS = 10_000;

/** A line that opens this many quotes or items is no prose; the parser's time grows with the square of their number. */
const DEEP_NESTING = /^(?:[ \t]*(?:[>*+-]|\d{1,9}[.)])){60}/m;

/**
 * Parses CommonMark with GitHub's tables, strikethrough (two tildes), task items and bare links.
 * Never throws; every text that has a visible character gives a tree that has one. Loads the parser only for texts that
 * may hold Markdown.
 */
export function parseMarkdown(text: string): MarkdownRoot {
  const source = text.includes("\r") ? text.replaceAll(/\r\n?/g, "\n") : text;
  if (!mayHoldMarkdown(source) || isTooCostly(source)) return plainRoot(source);
  const { fromMarkdown, gfm, gfmFromMarkdown } = loadParser();
  const tree = fromMarkdown(source, {
    // One tilde is "about" (~5 km) more often than it is a stroke.
    extensions: [gfm({ singleTilde: false })],
    mdastExtensions: [gfmFromMarkdown()],
  });
  const root = reduceTree(tree);
  return root.children.length === 0 ? plainRoot(source) : root;
}

function isTooCostly(text: string): boolean {
  if (text.length > MAX_PARSED_CHARS || DEEP_NESTING.test(text)) return true;
  let marks = 0;
  for (let index = 0; index < text.length; index += 1) {
    const char = text.charAt(index);
    if (char === "*" || char === "_" || char === "~") marks += 1;
    else if (char === "\n" && text.charAt(index + 1) === "\n") marks = 0;
    if (marks > MAX_MARKS) return true;
  }
  return false;
}
