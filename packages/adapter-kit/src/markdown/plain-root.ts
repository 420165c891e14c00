import type { MarkdownRoot } from "./markdown-nodes.ts";

/**
 * What can mean something to a Markdown parser: a character with a meaning anywhere, the start of a bare link, or a line
 * that begins or ends in a way that makes a block or a hard break. Too much is harmless; too little would be a fault.
 */
const SIGNIFICANT = /[\\`*_~#<>[\]&|@\0]|:\/\/|www\.|^(?:[ \t:=+-]|\d{1,9}[.)])|[ \t]$/im;

/** True when parsing may find more in a text than paragraphs. */
export function mayHoldMarkdown(text: string): boolean {
  return SIGNIFICANT.test(text);
}

/** The text as it stands, in paragraphs; nothing in it is Markdown. */
export function plainRoot(text: string): MarkdownRoot {
  const paragraphs = text.replaceAll(/\r\n?/g, "\n").split(/\n(?:[ \t]*\n)+/);
  return {
    type: "root",
    children: paragraphs
      .map((paragraph) => paragraph.replaceAll(/^[ \t\n]+|[ \t\n]+$/g, ""))
      .filter((paragraph) => paragraph !== "")
      .map((value) => ({ type: "paragraph", children: [{ type: "text", value }] })),
  };
}
