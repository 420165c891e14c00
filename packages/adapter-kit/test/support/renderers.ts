import type { MarkdownBlock, MarkdownInline, MarkdownRoot } from "../../src/markdown/markdown-nodes.ts";
import { measureText } from "../../src/markdown/measure-text.ts";
import { plainText } from "../../src/markdown/plain-text.ts";

/** What the test renderers make: the tree as well, to look at. */
export interface TestRendered {
  readonly root: MarkdownRoot;
  readonly text: string;
  readonly length: number;
}

const escape = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

function inlineHtml(node: MarkdownInline): string {
  switch (node.type) {
    case "text":
      return escape(node.value);
    case "inlineCode":
      return `<code>${escape(node.value)}</code>`;
    case "break":
      return "\n";
    case "link":
      return `<a href="${escape(node.url)}">${node.children.map(inlineHtml).join("")}</a>`;
    case "emphasis":
    case "strong":
    case "delete":
      return `<${node.type}>${node.children.map(inlineHtml).join("")}</${node.type}>`;
  }
}

function blockHtml(node: MarkdownBlock): string {
  switch (node.type) {
    case "paragraph":
      return node.children.map(inlineHtml).join("");
    case "heading":
      return `<b>${node.children.map(inlineHtml).join("")}</b>`;
    case "blockquote":
      return `<blockquote>${node.children.map(blockHtml).join("\n\n")}</blockquote>`;
    case "code":
      return `<pre lang="${escape(node.lang ?? "")}">${escape(node.value)}</pre>`;
    case "thematicBreak":
      return "———";
    case "list":
      return node.children
        .map((item, index) => {
          const bullet = node.ordered ? `${node.start + index}. ` : "• ";
          return (item.continued ? "  " : bullet) + item.children.map(blockHtml).join("\n");
        })
        .join("\n");
    case "table":
      return node.children
        .map((row) => row.children.map((cell) => cell.children.map(inlineHtml).join("")).join(" | "))
        .join("\n");
  }
}

const html = (root: MarkdownRoot): string => root.children.map(blockHtml).join("\n\n");

/** Three ways to count that differ in everything that matters: markup free of charge, markup counted, bytes. */
export const TEST_RENDERERS: Readonly<Record<string, (root: MarkdownRoot) => TestRendered>> = {
  "code points without markup": (root) => ({
    root,
    text: html(root),
    length: measureText(plainText(root), "code_points"),
  }),
  "UTF-16 with markup": (root) => ({ root, text: html(root), length: measureText(html(root), "utf16") }),
  "UTF-8 bytes with markup": (root) => ({ root, text: html(root), length: measureText(html(root), "utf8_bytes") }),
};
