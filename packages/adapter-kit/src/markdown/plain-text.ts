import { commonParent, type FlatTree, flattenTree, type Leaf, leafIndexAt, leafText } from "./flatten-tree.ts";
import type { MarkdownParent, MarkdownRoot } from "./markdown-nodes.ts";

/** What stands between neighbouring leaves, by the parent that they share. Always white space. */
const SEPARATORS: Readonly<Record<MarkdownParent["type"], string>> = {
  root: "\n\n",
  blockquote: "\n\n",
  listItem: "\n",
  list: "\n",
  table: "\n",
  tableRow: "\t",
  tableCell: "",
  paragraph: "",
  heading: "",
  emphasis: "",
  strong: "",
  delete: "",
  link: "",
};

/**
 * The visible text without markup: what a person reads, for matching on read-back, previews and the fallback.
 * Bullets, numbers and addresses of links are not in it.
 */
export function plainText(root: MarkdownRoot): string {
  const tree = flattenTree(root);
  return plainTextBetween(tree, 0, tree.length);
}

/** The visible text between two positions of a flattened tree. */
export function plainTextBetween(tree: FlatTree, from: number, to: number): string {
  const pieces: string[] = [];
  let before: Leaf | undefined;
  for (let index = leafIndexAt(tree, from); index < tree.leaves.length; index += 1) {
    const leaf = tree.leaves[index];
    if (leaf === undefined || leaf.start >= to) break;
    const parent = before === undefined ? undefined : commonParent(before, leaf);
    if (parent !== undefined) pieces.push(SEPARATORS[parent.type]);
    pieces.push(
      leaf.node.type === "break"
        ? "\n"
        : (leafText(leaf)?.slice(Math.max(0, from - leaf.start), Math.max(0, to - leaf.start)) ?? ""),
    );
    before = leaf;
  }
  return pieces.join("");
}
