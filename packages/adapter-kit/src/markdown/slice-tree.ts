import { type Ancestor, type FlatTree, type Leaf, leafIndexAt } from "./flatten-tree.ts";
import type { MarkdownNode, MarkdownParent, MarkdownRoot } from "./markdown-nodes.ts";

/** A copy of a parent that still gets children. */
interface OpenCopy {
  readonly ancestor: Ancestor;
  /** Position of its first child in the original. */
  readonly firstChild: number;
  readonly children: MarkdownNode[];
}

/**
 * The part of a tree between two positions, as a tree of its own: everything that was open is opened again and closed,
 * numbers of lists go on, an item or a table that began before is marked as continued.
 * Takes time in proportion to the part, not to the tree.
 */
export function sliceTree(tree: FlatTree, from: number, to: number): MarkdownRoot {
  const top: MarkdownNode[] = [];
  const open: OpenCopy[] = [];
  const close = (depth: number): void => {
    while (open.length > depth) {
      const copy = open.pop();
      if (copy !== undefined) (open.at(-1)?.children ?? top).push(copyOf(copy, from));
    }
  };
  for (let index = leafIndexAt(tree, from); index < tree.leaves.length; index += 1) {
    const leaf = tree.leaves[index];
    if (leaf === undefined || leaf.start >= to) break;
    let shared = 0;
    while (shared < open.length && open[shared]?.ancestor.node === leaf.ancestors[shared]?.node) shared += 1;
    close(shared);
    for (const [offset, ancestor] of leaf.ancestors.slice(shared).entries()) {
      const firstChild = (leaf.ancestors[shared + offset + 1] ?? leaf).index;
      open.push({ ancestor, firstChild, children: [] });
    }
    (open.at(-1)?.children ?? top).push(partOf(leaf, from, to));
  }
  close(0);
  return (top[0] as MarkdownRoot | undefined) ?? { type: "root", children: [] };
}

function partOf(leaf: Leaf, from: number, to: number): MarkdownNode {
  const { node, start, length } = leaf;
  if (!("value" in node) || (from <= start && to >= start + length)) return node;
  return { ...node, value: node.value.slice(Math.max(0, from - start), to - start) };
}

/** The copy with its children. They are parts of the original's own children, in their order: the type is the original's. */
function copyOf({ ancestor, firstChild, children }: OpenCopy, from: number): MarkdownParent {
  const { node, start } = ancestor;
  if (node.type === "list") return { ...node, start: node.start + firstChild, children } as MarkdownParent;
  if (node.type === "listItem") {
    return { ...node, continued: node.continued || start < from, children } as MarkdownParent;
  }
  return { ...node, children } as MarkdownParent;
}
