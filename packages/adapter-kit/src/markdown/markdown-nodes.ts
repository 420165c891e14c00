/**
 * The tree that renderers get: CommonMark with tables, strikethrough, task items and bare links, reduced to what a chat
 * message can hold. References are resolved, images are links, HTML is the text it was written as.
 */
export interface MarkdownRoot {
  readonly type: "root";
  readonly children: readonly MarkdownBlock[];
}

/** A piece of text. Line breaks in it are spaces for a reader, and may be kept. */
export interface MarkdownText {
  readonly type: "text";
  readonly value: string;
}

/** Code within a line. */
export interface MarkdownInlineCode {
  readonly type: "inlineCode";
  readonly value: string;
}

/** A line break that must be seen. */
export interface MarkdownBreak {
  readonly type: "break";
}

/** `*emphasis*`, `**strong**` or `~~delete~~`. */
export interface MarkdownMark {
  readonly type: "emphasis" | "strong" | "delete";
  readonly children: readonly MarkdownInline[];
}

/** A link; never within another one. */
export interface MarkdownLink {
  readonly type: "link";
  readonly url: string;
  readonly children: readonly MarkdownInline[];
}

/** What stands within a line. */
export type MarkdownInline = MarkdownText | MarkdownInlineCode | MarkdownBreak | MarkdownMark | MarkdownLink;

/** A paragraph. */
export interface MarkdownParagraph {
  readonly type: "paragraph";
  readonly children: readonly MarkdownInline[];
}

/** A heading. */
export interface MarkdownHeading {
  readonly type: "heading";
  readonly depth: 1 | 2 | 3 | 4 | 5 | 6;
  readonly children: readonly MarkdownInline[];
}

/** A block quote. */
export interface MarkdownBlockquote {
  readonly type: "blockquote";
  readonly children: readonly MarkdownBlock[];
}

/** A list. In an ordered one the n-th item, from 0, has the number `start + n`, whether `continued` or not. */
export interface MarkdownList {
  readonly type: "list";
  readonly ordered: boolean;
  readonly start: number;
  /** Its items are set apart by blank lines. */
  readonly spread: boolean;
  readonly children: readonly MarkdownListItem[];
}

/** An item of a list. */
export interface MarkdownListItem {
  readonly type: "listItem";
  /** Of a task: done or not; null for other items. */
  readonly checked: boolean | null;
  /** The rest of an item that began in the chunk before: no bullet, number or box. */
  readonly continued: boolean;
  readonly children: readonly MarkdownBlock[];
}

/** A code block. `value` has no line break at its end. */
export interface MarkdownCode {
  readonly type: "code";
  readonly lang: string | null;
  readonly value: string;
}

/** A rule across. */
export interface MarkdownThematicBreak {
  readonly type: "thematicBreak";
}

/** A table. `align` is by column. */
export interface MarkdownTable {
  readonly type: "table";
  readonly align: readonly ("left" | "right" | "center" | null)[];
  readonly children: readonly MarkdownTableRow[];
}

/** A row of a table. In a chunk that goes on with a table no row is the header. */
export interface MarkdownTableRow {
  readonly type: "tableRow";
  readonly header: boolean;
  readonly children: readonly MarkdownTableCell[];
}

/** A cell of a table. */
export interface MarkdownTableCell {
  readonly type: "tableCell";
  readonly children: readonly MarkdownInline[];
}

/** What stands below one another. */
export type MarkdownBlock =
  | MarkdownParagraph
  | MarkdownHeading
  | MarkdownBlockquote
  | MarkdownList
  | MarkdownCode
  | MarkdownThematicBreak
  | MarkdownTable;

/** Any node of the tree. */
export type MarkdownNode =
  | MarkdownRoot
  | MarkdownBlock
  | MarkdownListItem
  | MarkdownTableRow
  | MarkdownTableCell
  | MarkdownInline;

/** A node that has children. */
export type MarkdownParent = Extract<MarkdownNode, { readonly children: readonly unknown[] }>;
