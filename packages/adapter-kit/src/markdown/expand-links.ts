import type { MarkdownBlock, MarkdownInline, MarkdownLink, MarkdownListItem, MarkdownRoot } from "./markdown-nodes.ts";

/** Addresses up to this length never fill a message. */
const SHORT_URL_CHARS = 200;

/**
 * Writes out links whose address alone is too long for a message of the platform: the text, and the address behind it
 * in brackets, which can be cut like any text. `isTooLong` is asked about a message that holds nothing but the link.
 */
export function expandLinks(root: MarkdownRoot, isTooLong: (link: MarkdownRoot) => boolean): MarkdownRoot {
  const asMessage = (link: MarkdownLink): MarkdownRoot => ({
    type: "root",
    children: [{ type: "paragraph", children: [{ ...link, children: [{ type: "text", value: "x" }] }] }],
  });

  function inlines(nodes: readonly MarkdownInline[]): readonly MarkdownInline[] {
    return nodes.flatMap((node): readonly MarkdownInline[] => {
      if (node.type === "link") {
        if (node.url.length <= SHORT_URL_CHARS || !isTooLong(asMessage(node))) return [node];
        return [...node.children, { type: "text", value: ` (${node.url})` }];
      }
      return "children" in node ? [{ ...node, children: inlines(node.children) }] : [node];
    });
  }

  function block(node: MarkdownBlock): MarkdownBlock {
    switch (node.type) {
      case "paragraph":
      case "heading":
        return { ...node, children: inlines(node.children) };
      case "blockquote":
        return { ...node, children: node.children.map(block) };
      case "list":
        return {
          ...node,
          children: node.children.map((item): MarkdownListItem => ({ ...item, children: item.children.map(block) })),
        };
      case "table":
        return {
          ...node,
          children: node.children.map((row) => ({
            ...row,
            children: row.children.map((cell) => ({ ...cell, children: inlines(cell.children) })),
          })),
        };
      case "code":
      case "thematicBreak":
        return node;
    }
  }
  return { type: "root", children: root.children.map(block) };
}
