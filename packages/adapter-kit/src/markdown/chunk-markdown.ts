import { chooseBreak, isBreakable, snapToCodePoint } from "./break-points.ts";
import { expandLinks } from "./expand-links.ts";
import { type FlatTree, flattenTree, leafIndexAt, leafText } from "./flatten-tree.ts";
import { largestFit } from "./largest-fit.ts";
import type { MarkdownRoot } from "./markdown-nodes.ts";
import { parseMarkdown } from "./parse-markdown.ts";
import { plainTextBetween } from "./plain-text.ts";
import { sliceTree } from "./slice-tree.ts";

/** The least that a renderer tells of what it made: its length in the unit that the platform's limit is in. */
export interface RenderedMarkdown {
  readonly length: number;
}

/** How to cut. */
export interface ChunkMarkdownOptions<Rendered extends RenderedMarkdown> {
  /** Longest rendered length of one chunk. */
  readonly limit: number;
  /** Makes the platform's form of a tree. Pure: it is called on several candidates for each chunk. */
  readonly render: (root: MarkdownRoot) => Rendered;
  /** Stop after this many chunks; default: all of them. A draft asks for one. */
  readonly maxChunks?: number | undefined;
}

/** A chunk is at least this full before a worse kind of break is taken to fill it more. */
const PREFERRED_FILL = 0.5;

/**
 * Cuts Markdown into as few messages as fit a platform's limit, measured on what the platform will get.
 * Breaks at paragraphs, else lines, sentences, spaces, and only when a word is too long within it; a code block, a list,
 * a quote and a mark that are cut are closed and opened again. Nothing but white space at the breaks is left out.
 * One code point that is longer than the limit by itself is sent all the same. No visible text gives no chunk.
 */
export function chunkMarkdown<Rendered extends RenderedMarkdown>(
  markdown: string | MarkdownRoot,
  options: ChunkMarkdownOptions<Rendered>,
): readonly Rendered[] {
  const { limit, render, maxChunks = Number.POSITIVE_INFINITY } = options;
  const root = typeof markdown === "string" ? parseMarkdown(markdown) : markdown;
  if (root.children.length === 0) return [];
  const whole = render(root);
  if (whole.length <= limit) return [whole];

  const tree = flattenTree(expandLinks(root, (link) => render(link).length > limit));
  const chunks: Rendered[] = [];
  let from = skipForward(tree, 0, 0);
  while (from < tree.length && chunks.length < maxChunks) {
    const chunk = nextChunk(tree, from, limit, render) ?? plainChunk(tree, from, limit, render);
    if (chunk.rendered !== null) chunks.push(chunk.rendered);
    from = skipForward(tree, from, chunk.end);
  }
  return chunks;
}

interface Chunk<Rendered> {
  readonly rendered: Rendered | null;
  readonly end: number;
}

type Render<Rendered> = (root: MarkdownRoot) => Rendered;

/** The chunk that begins at `from`; null when not even its first character fits with all its marks around it. */
function nextChunk<Rendered extends RenderedMarkdown>(
  tree: FlatTree,
  from: number,
  limit: number,
  render: Render<Rendered>,
): Chunk<Rendered> | null {
  const renderTo = (end: number): Rendered => render(sliceTree(tree, from, trimBack(tree, from, end)));
  let max = largestFit({
    from,
    end: tree.length,
    limit,
    measure: (end) => renderTo(end).length,
    snap: (at) => snapToCodePoint(tree, at),
  });
  while (max > from) {
    const preferred = from + Math.ceil((max - from) * PREFERRED_FILL);
    const end = max === tree.length ? max : chooseBreak(tree, from, preferred, max);
    const rendered = renderTo(end);
    if (rendered.length <= limit) return { rendered, end };
    // A shorter part can be rendered longer, by a hair: then go on below it.
    max = snapToCodePoint(tree, Math.min(end, max) - 1);
  }
  return null;
}

/** The text at `from` without any mark, up to the end of its leaf: for marks that leave no room, and limits below all sense. */
function plainChunk<Rendered extends RenderedMarkdown>(
  tree: FlatTree,
  from: number,
  limit: number,
  render: Render<Rendered>,
): Chunk<Rendered> {
  const leaf = tree.leaves[leafIndexAt(tree, from)];
  const leafEnd = leaf === undefined ? tree.length : leaf.start + leaf.length;
  const renderTo = (end: number): Rendered =>
    render({
      type: "root",
      children: [{ type: "paragraph", children: [{ type: "text", value: plainTextBetween(tree, from, end) }] }],
    });
  if (leaf === undefined || leafText(leaf) === null) return { rendered: null, end: leafEnd };
  const max = largestFit({
    from,
    end: leafEnd,
    limit,
    measure: (end) => renderTo(end).length,
    snap: (at) => snapToCodePoint(tree, at),
  });
  const oneMore = snapToCodePoint(tree, from + 1) > from ? from + 1 : from + 2;
  const end = max > from ? chooseBreak(tree, from, max, max) : Math.min(oneMore, leafEnd);
  return { rendered: renderTo(end), end };
}

/** `end` without the white space before it: a message does not end in one. Code keeps its own. */
function trimBack(tree: FlatTree, from: number, end: number): number {
  let at = end;
  while (at > from) {
    const leaf = tree.leaves[leafIndexAt(tree, at - 1)];
    if (leaf === undefined || leaf.node.type === "code") return at;
    if (leaf.node.type !== "break" && !isBreakable(leafText(leaf)?.charAt(at - 1 - leaf.start) ?? "")) return at;
    at -= 1;
  }
  // Nothing but white space: it is left to the renderer.
  return end;
}

/** Where the next chunk begins: behind the white space at the break. Of code only the line break there is dropped. */
function skipForward(tree: FlatTree, from: number, end: number): number {
  let at = end;
  while (at < tree.length) {
    const leaf = tree.leaves[leafIndexAt(tree, at)];
    if (leaf === undefined) return at;
    if (leaf.node.type === "code") {
      const isLineEnd =
        at > Math.max(from, leaf.start) && at === end && leafText(leaf)?.charAt(at - leaf.start) === "\n";
      return isLineEnd ? at + 1 : at;
    }
    if (leaf.node.type !== "break" && !isBreakable(leafText(leaf)?.charAt(at - leaf.start) ?? "")) return at;
    at += 1;
  }
  return at;
}
