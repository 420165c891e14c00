import type { fromMarkdown } from "mdast-util-from-markdown";

import type {
  MarkdownBlock,
  MarkdownInline,
  MarkdownListItem,
  MarkdownRoot,
  MarkdownTableRow,
  MarkdownText,
} from "./markdown-nodes.ts";

// The parser's own types of its tree.
type Root = ReturnType<typeof fromMarkdown>;
type RootContent = Root["children"][number];
type Nodes = Root | RootContent;
type NodeOf<Type extends RootContent["type"]> = Extract<RootContent, { readonly type: Type }>;
type PhrasingContent = NodeOf<"paragraph">["children"][number];
type LinkLike = NodeOf<"link"> | NodeOf<"linkReference">;

/** Deeper nodes become the text in them: nobody writes them, and no platform shows them. */
const MAX_DEPTH = 24;

/** A longer info string is a line of prose behind a fence that was meant as a quote: it is kept as the first line. */
const MAX_LANG_CHARS = 64;

interface Reduction {
  readonly definitions: ReadonlyMap<string, NodeOf<"definition">>;
  readonly used: Set<string>;
}

/** Reduces the parser's tree to the nodes that renderers know. Nothing visible is lost. */
export function reduceTree(tree: Root): MarkdownRoot {
  const definitions = new Map<string, NodeOf<"definition">>();
  const used = new Set<string>();
  walk(tree, (node) => {
    if (node.type === "definition" && !definitions.has(node.identifier)) definitions.set(node.identifier, node);
    if (node.type === "linkReference" || node.type === "imageReference") used.add(node.identifier);
  });
  return { type: "root", children: blocksOf(tree.children, { definitions, used }, 0) };
}

/** Visits every node in their order, however deep. */
function walk(root: Nodes, see: (node: Nodes) => void): void {
  const stack: Nodes[] = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    see(node);
    if ("children" in node) stack.push(...node.children.toReversed());
  }
}

function textIn(node: Nodes): string {
  const texts: string[] = [];
  walk(node, (inner) => {
    if ("value" in inner) texts.push(inner.value);
    else if (inner.type === "image" || inner.type === "imageReference") texts.push(inner.alt ?? "");
    else if (inner.type === "break") texts.push("\n");
    else if (inner.type === "paragraph" && texts.length > 0) texts.push("\n");
  });
  return texts.join("");
}

function blocksOf(nodes: readonly RootContent[], reduction: Reduction, depth: number): MarkdownBlock[] {
  return nodes.flatMap((node) => blockOf(node, reduction, depth));
}

function paragraph(children: readonly MarkdownInline[]): MarkdownBlock[] {
  return children.length === 0 ? [] : [{ type: "paragraph", children }];
}

function blockOf(node: RootContent, reduction: Reduction, depth: number): readonly MarkdownBlock[] {
  if (depth > MAX_DEPTH) return paragraph(textNode(textIn(node)));
  switch (node.type) {
    case "paragraph":
      return paragraph(inlinesOf(node.children, reduction, depth));
    case "heading": {
      const children = inlinesOf(node.children, reduction, depth);
      return children.length === 0 ? [] : [{ type: "heading", depth: node.depth, children }];
    }
    case "blockquote": {
      const children = blocksOf(node.children, reduction, depth + 1);
      return children.length === 0 ? [] : [{ type: "blockquote", children }];
    }
    case "list": {
      const children = node.children.map((item) => itemOf(item, reduction, depth));
      const spread = node.spread === true || node.children.some((item) => item.spread === true);
      return [{ type: "list", ordered: node.ordered === true, start: node.start ?? 1, spread, children }];
    }
    case "code": {
      const info = [node.lang, node.meta]
        .filter((word) => word !== null && word !== undefined)
        .join(" ")
        .trimEnd();
      // A fence that holds nothing: what stands behind its marks is all there is to see.
      if (node.value === "" && info !== "") return [{ type: "code", lang: null, value: info }];
      return info.length > MAX_LANG_CHARS
        ? [{ type: "code", lang: null, value: `${info}\n${node.value}` }]
        : [{ type: "code", lang: node.lang ?? null, value: node.value }];
    }
    case "thematicBreak":
      return [{ type: "thematicBreak" }];
    case "table":
      return [tableOf(node, reduction, depth)];
    case "html":
      return paragraph(textNode(node.value));
    case "definition":
      // One that nothing refers to is text in brackets and a colon: "[note]: later".
      return reduction.used.has(node.identifier) ? [] : paragraph(textNode(definitionText(node)));
    case "footnoteDefinition": {
      const label = textNode(`[^${node.label ?? node.identifier}]: `);
      const [first, ...rest] = blocksOf(node.children, reduction, depth + 1);
      if (first?.type !== "paragraph") return [...paragraph(label), ...(first === undefined ? [] : [first]), ...rest];
      return [...paragraph(joinTexts([...label, ...first.children])), ...rest];
    }
    case "break":
    case "delete":
    case "emphasis":
    case "footnoteReference":
    case "image":
    case "imageReference":
    case "inlineCode":
    case "link":
    case "linkReference":
    case "listItem":
    case "strong":
    case "tableCell":
    case "tableRow":
    case "text":
    case "yaml":
      // Never where blocks are expected; a parser that put them there would lose nothing.
      return paragraph(textNode(textIn(node)));
  }
}

function definitionText({ label, identifier, url, title }: NodeOf<"definition">): string {
  const quoted = title === null || title === undefined ? "" : ` "${title}"`;
  return `[${label ?? identifier}]: ${url}${quoted}`;
}

function itemOf(node: NodeOf<"listItem">, reduction: Reduction, depth: number): MarkdownListItem {
  return {
    type: "listItem",
    checked: node.checked ?? null,
    continued: false,
    children: blocksOf(node.children, reduction, depth + 1),
  };
}

function tableOf(node: NodeOf<"table">, reduction: Reduction, depth: number): MarkdownBlock {
  const children = node.children.map((row, index): MarkdownTableRow => ({
    type: "tableRow",
    header: index === 0,
    children: row.children.map((cell) => ({
      type: "tableCell",
      children: inlinesOf(cell.children, reduction, depth + 1),
    })),
  }));
  return { type: "table", align: node.align ?? [], children };
}

function textNode(value: string): MarkdownText[] {
  return value === "" ? [] : [{ type: "text", value }];
}

function inlinesOf(nodes: readonly PhrasingContent[], reduction: Reduction, depth: number): readonly MarkdownInline[] {
  return joinTexts(nodes.flatMap((node) => inlineOf(node, reduction, depth + 1)));
}

function joinTexts(nodes: readonly MarkdownInline[]): readonly MarkdownInline[] {
  const joined: MarkdownInline[] = [];
  let texts: string[] = [];
  const close = (): void => {
    joined.push(...textNode(texts.join("")));
    texts = [];
  };
  for (const node of nodes) {
    if (node.type === "text") texts.push(node.value);
    else {
      close();
      joined.push(node);
    }
  }
  close();
  return joined;
}

function inlineOf(node: PhrasingContent, reduction: Reduction, depth: number): readonly MarkdownInline[] {
  if (depth > MAX_DEPTH) return textNode(textIn(node));
  switch (node.type) {
    case "text":
      return textNode(node.value);
    case "inlineCode":
      return node.value === "" ? [] : [{ type: "inlineCode", value: node.value }];
    case "break":
      return [{ type: "break" }];
    case "html":
      return /^<br\s*\/?>$/i.test(node.value) ? [{ type: "break" }] : textNode(node.value);
    case "emphasis":
    case "strong":
    case "delete": {
      const children = inlinesOf(node.children, reduction, depth);
      return children.length === 0 ? [] : [{ type: node.type, children }];
    }
    case "link":
      return linkOf(node.url, linkText(node, reduction, depth));
    case "linkReference": {
      const url = reduction.definitions.get(node.identifier)?.url;
      const children = linkText(node, reduction, depth);
      return url === undefined ? children : linkOf(url, children);
    }
    case "image":
      return linkOf(node.url, textNode(node.alt ?? ""));
    case "imageReference": {
      const url = reduction.definitions.get(node.identifier)?.url;
      return url === undefined ? textNode(node.alt ?? "") : linkOf(url, textNode(node.alt ?? ""));
    }
    case "footnoteReference":
      return textNode(`[^${node.label ?? node.identifier}]`);
  }
}

/** What a link shows. An image in it is its description: links do not nest. */
function linkText(node: LinkLike, reduction: Reduction, depth: number): readonly MarkdownInline[] {
  const reduced = node.children.map((child): PhrasingContent => {
    const isImage = child.type === "image" || child.type === "imageReference";
    return isImage ? { type: "text", value: child.alt ?? "" } : child;
  });
  return withoutLinks(inlinesOf(reduced, reduction, depth));
}

function withoutLinks(nodes: readonly MarkdownInline[]): readonly MarkdownInline[] {
  return nodes.flatMap((node): readonly MarkdownInline[] => {
    if (node.type === "link") return node.children;
    if ("children" in node) return [{ ...node, children: withoutLinks(node.children) }];
    return [node];
  });
}

function linkOf(url: string, children: readonly MarkdownInline[]): readonly MarkdownInline[] {
  if (url === "") return children;
  return [{ type: "link", url, children: children.length === 0 ? textNode(url) : children }];
}
