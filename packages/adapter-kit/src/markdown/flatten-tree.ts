import type { MarkdownNode, MarkdownParent, MarkdownRoot } from "./markdown-nodes.ts";

/** A parent on the way from the root to a leaf. */
export interface Ancestor {
  readonly node: MarkdownParent;
  /** Position among its parent's children. */
  readonly index: number;
  /** Where its first leaf starts. */
  readonly start: number;
}

/** A leaf of the tree, or a parent without children. */
export interface Leaf {
  readonly node: MarkdownNode;
  readonly index: number;
  readonly ancestors: readonly Ancestor[];
  /** Where it starts on the line of all leaves. */
  readonly start: number;
  /** Its text's length, or 1 for what cannot be divided. */
  readonly length: number;
}

/** The tree as a line of leaves: positions on it are where a chunk can begin or end. */
export interface FlatTree {
  readonly leaves: readonly Leaf[];
  readonly length: number;
}

/** The text of a leaf that may be divided; null for the others. */
export function leafText({ node }: Leaf): string | null {
  return "value" in node && node.value !== "" ? node.value : null;
}

/** Lays the leaves out in their order. Takes time in proportion to the tree. */
export function flattenTree(root: MarkdownRoot): FlatTree {
  const leaves: Leaf[] = [];
  let at = 0;
  const visit = (node: MarkdownNode, index: number, ancestors: readonly Ancestor[]): void => {
    if ("children" in node && node.children.length > 0) {
      const path = [...ancestors, { node, index, start: at }];
      for (const [position, child] of node.children.entries()) visit(child, position, path);
      return;
    }
    const length = "value" in node ? Math.max(1, node.value.length) : 1;
    leaves.push({ node, index, ancestors, start: at, length });
    at += length;
  };
  if (root.children.length > 0) visit(root, 0, []);
  return { leaves, length: at };
}

/** Index of the leaf that holds position `at`. */
export function leafIndexAt({ leaves }: FlatTree, at: number): number {
  let low = 0;
  let high = leaves.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((leaves[middle]?.start ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The closest parent that two neighbouring leaves have in common. */
export function commonParent(left: Leaf, right: Leaf): MarkdownParent | undefined {
  let common: MarkdownParent | undefined;
  for (const [depth, ancestor] of left.ancestors.entries()) {
    if (right.ancestors[depth]?.node !== ancestor.node) break;
    common = ancestor.node;
  }
  return common;
}
