import {
  measureText,
  type MarkdownBlock,
  type MarkdownInline,
  type MarkdownListItem,
  type MarkdownRoot,
  type RenderedMarkdown,
} from "@turnwire/adapter-kit";

/** Formatting of a stretch of a text, as the Bot API takes it. Offsets and lengths are UTF-16 units. */
export interface TextEntity {
  readonly type: "bold" | "italic" | "strikethrough" | "code" | "pre" | "text_link" | "blockquote";
  readonly offset: number;
  readonly length: number;
  readonly url?: string | undefined;
  readonly language?: string | undefined;
}

/** A text with its formatting beside it, and its length as Telegram counts it: in code points. */
export interface FormattedText extends RenderedMarkdown {
  readonly text: string;
  readonly entities: readonly TextEntity[];
}

/** Telegram shows the first 100 entities of a message (tdlib/td#820). */
export const MAX_ENTITIES = 100;

/** Addresses that Telegram takes for a link; any other is written out behind its text. */
const LINKABLE = /^(?:https?|tg):\/\/\S+$/i;

/**
 * Renders a tree as text and entities. Not as MarkdownV2 or HTML: nothing has to be escaped, so nothing can be escaped wrongly;
 * what is measured is what is sent, character by character; and the plain form of a refused part is the same text without the entities.
 */
export function formatText(root: MarkdownRoot): FormattedText {
  const writer = new EntityWriter();
  writer.blocks(root.children, "\n\n", 0);
  return writer.finish();
}

class EntityWriter {
  private text = "";
  private readonly entities: TextEntity[] = [];
  private quoteDepth = 0;
  private linkDepth = 0;

  blocks(nodes: readonly MarkdownBlock[], separator: string, indent: number): void {
    for (const [index, node] of nodes.entries()) {
      if (index > 0) this.text += separator;
      this.block(node, indent);
    }
  }

  finish(): FormattedText {
    const { text } = this;
    const literal = this.entities.filter(({ type }) => type === "code" || type === "pre");
    const entities = this.entities
      // Code takes no other mark; Telegram would drop one of the two.
      .flatMap((entity) => (MARKS.has(entity.type) ? without(entity, literal) : [entity]))
      // An outer one is closed after those in it, and comes before them.
      .toReversed()
      .toSorted((a, b) => a.offset - b.offset || b.length - a.length);
    return { text, entities, length: measureText(text, "code_points") };
  }

  private block(node: MarkdownBlock, indent: number): void {
    switch (node.type) {
      case "paragraph":
        this.inlines(node.children);
        return;
      case "heading":
        this.mark("bold", () => this.inlines(node.children));
        return;
      case "blockquote":
        this.quote(() => this.blocks(node.children, "\n\n", 0));
        return;
      case "list": {
        const separator = node.spread ? "\n\n" : "\n";
        for (const [index, item] of node.children.entries()) {
          if (index > 0) this.text += separator;
          this.item(item, node.ordered ? `${node.start + index}. ` : "• ", indent);
        }
        return;
      }
      case "code":
        this.mark("pre", () => (this.text += node.value), node.lang === null ? {} : { language: node.lang });
        return;
      case "thematicBreak":
        this.text += "———";
        return;
      case "table":
        // Tables come as code; one that is left is shown row by row.
        for (const [index, row] of node.children.entries()) {
          if (index > 0) this.text += "\n";
          for (const [column, cell] of row.children.entries()) {
            if (column > 0) this.text += " | ";
            this.inlines(cell.children);
          }
        }
    }
  }

  private item(item: MarkdownListItem, bullet: string, indent: number): void {
    const mark = item.checked === true ? "☑ " : "☐ ";
    const box = item.checked === null ? "" : mark;
    this.text += " ".repeat(indent) + (item.continued ? "" : bullet + box);
    for (const [index, node] of item.children.entries()) {
      if (index > 0) this.text += node.type === "list" || node.type === "code" ? "\n" : `\n${" ".repeat(indent + 2)}`;
      this.block(node, indent + 2);
    }
  }

  private inlines(nodes: readonly MarkdownInline[]): void {
    for (const node of nodes) this.inline(node);
  }

  private inline(node: MarkdownInline): void {
    switch (node.type) {
      case "text":
        this.text += node.value;
        return;
      case "break":
        this.text += "\n";
        return;
      case "inlineCode":
        // A link takes no code within it.
        if (this.linkDepth > 0) this.text += node.value;
        else this.mark("code", () => (this.text += node.value));
        return;
      case "emphasis":
        this.mark("italic", () => this.inlines(node.children));
        return;
      case "strong":
        this.mark("bold", () => this.inlines(node.children));
        return;
      case "delete":
        this.mark("strikethrough", () => this.inlines(node.children));
        return;
      case "link":
        this.link(node.url, node.children);
    }
  }

  private link(url: string, children: readonly MarkdownInline[]): void {
    const start = this.text.length;
    const isLinkable = LINKABLE.test(url);
    if (isLinkable) this.linkDepth += 1;
    this.inlines(children);
    if (isLinkable) this.linkDepth -= 1;
    const label = this.text.slice(start);
    // Telegram finds bare addresses by itself.
    if (label === url || label === url.replace(/^mailto:/i, "")) return;
    if (isLinkable) this.put({ type: "text_link", offset: start, length: this.text.length - start, url });
    else this.text += ` (${url})`;
  }

  /** Quotes do not nest. */
  private quote(write: () => void): void {
    this.quoteDepth += 1;
    if (this.quoteDepth > 1) write();
    else this.mark("blockquote", write);
    this.quoteDepth -= 1;
  }

  private mark(type: TextEntity["type"], write: () => void, extra: Pick<TextEntity, "language"> = {}): void {
    const start = this.text.length;
    write();
    this.put({ type, offset: start, length: this.text.length - start, ...extra });
  }

  private put(entity: TextEntity): void {
    const covered = this.text.slice(entity.offset, entity.offset + entity.length);
    // Telegram refuses an entity over nothing that is seen.
    if (covered.trim() !== "") this.entities.push(entity);
  }
}

const MARKS: ReadonlySet<string> = new Set(["bold", "italic", "strikethrough"]);

/** What is left of a mark outside of the others. Those are in order and do not overlap. */
function without(mark: TextEntity, others: readonly TextEntity[]): readonly TextEntity[] {
  const rest: TextEntity[] = [];
  const end = mark.offset + mark.length;
  let at = mark.offset;
  for (const { offset, length } of others) {
    if (offset + length <= at || offset >= end) continue;
    if (offset > at) rest.push({ ...mark, offset: at, length: offset - at });
    at = Math.max(at, offset + length);
  }
  if (at < end) rest.push({ ...mark, offset: at, length: end - at });
  return rest;
}
