import { plainText } from "./plain-text.ts";
import type { MarkdownBlock, MarkdownCode, MarkdownListItem, MarkdownRoot, MarkdownTable } from "./markdown-nodes.ts";

/** Characters that fill two columns of a fixed-width font: ideographs, kana, hangul, full-width forms, emoji. */
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/u;

/** For platforms without tables: each table becomes a code block with aligned columns. */
export function tablesToCode(root: MarkdownRoot): MarkdownRoot {
  return { type: "root", children: root.children.map(block) };
}

function block(node: MarkdownBlock): MarkdownBlock {
  switch (node.type) {
    case "table":
      return tableToCode(node);
    case "blockquote":
      return { ...node, children: node.children.map(block) };
    case "list":
      return {
        ...node,
        children: node.children.map((item): MarkdownListItem => ({ ...item, children: item.children.map(block) })),
      };
    case "paragraph":
    case "heading":
    case "code":
    case "thematicBreak":
      return node;
  }
}

function tableToCode(table: MarkdownTable): MarkdownCode {
  const rows = table.children.map((row) => row.children.map((cell) => cellText(cell.children)));
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, text] of row.entries()) widths[column] = Math.max(widths[column] ?? 1, widthOf(text));
  }
  const lines = rows.map((row) =>
    widths
      .map((width, column) => pad(row[column] ?? "", width, table.align[column] ?? null))
      .join(" | ")
      .trimEnd(),
  );
  if (table.children[0]?.header === true) lines.splice(1, 0, widths.map((width) => "-".repeat(width)).join("-|-"));
  return { type: "code", lang: null, value: lines.join("\n") };
}

function cellText(children: MarkdownTable["children"][number]["children"][number]["children"]): string {
  return plainText({ type: "root", children: [{ type: "paragraph", children }] }).replaceAll(/\s+/g, " ");
}

function widthOf(text: string): number {
  const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}

function pad(text: string, width: number, align: MarkdownTable["align"][number]): string {
  const room = width - widthOf(text);
  if (align === "right") return " ".repeat(room) + text;
  const left = align === "center" ? Math.floor(room / 2) : 0;
  return " ".repeat(left) + text + " ".repeat(room - left);
}
