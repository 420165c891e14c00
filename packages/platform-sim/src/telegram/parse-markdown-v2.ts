import { badRequest } from "./bot-api-error.ts";
import { byteOffset, type FormattedText, type MessageEntity } from "./message-entity.ts";

const RESERVED = new Set("_*[]()~`>#+-=|{}.!");

const NAMES: Readonly<Record<string, string>> = {
  "*": "Bold",
  _: "Italic",
  __: "Underline",
  "~": "Strikethrough",
  "||": "Spoiler",
  "`": "Code",
  "```": "Pre",
  "[": "TextUrl",
  "![": "CustomEmoji",
};
const TYPES: Readonly<Record<string, string>> = {
  "*": "bold",
  _: "italic",
  __: "underline",
  "~": "strikethrough",
  "||": "spoiler",
};

interface OpenSpan {
  readonly mark: string;
  readonly at: number;
  readonly offset: number;
}

/** Parses `parse_mode: "MarkdownV2"`, with the server's complaints. */
export function parseMarkdownV2(source: string): FormattedText {
  const entities: MessageEntity[] = [];
  const open: OpenSpan[] = [];
  let text = "";
  let index = 0;
  let quoteOffset: number | null = null;
  const fail = (message: string): Error => badRequest(`can't parse entities: ${message}`);
  const unclosed = (mark: string, at: number): Error =>
    fail(`Can't find end of ${NAMES[mark]} entity at byte offset ${byteOffset(source, at)}`);
  const isLineStart = (): boolean => index === 0 || source[index - 1] === "\n";

  function add(type: string, offset: number, extra: Partial<MessageEntity> = {}): void {
    if (text.length > offset) entities.push({ type, offset, length: text.length - offset, ...extra });
  }

  function endQuote(): void {
    if (quoteOffset === null) return;
    const isExpandable = text.endsWith("||");
    add(isExpandable ? "expandable_blockquote" : "blockquote", quoteOffset);
    quoteOffset = null;
  }

  /** Code and pre: nothing inside counts but the backslash before a backtick or a backslash. */
  function verbatim(mark: "`" | "```"): void {
    const at = index;
    index += mark.length;
    let language = "";
    if (mark === "```") {
      const line = /^([^\n`\\\s]+)\n/.exec(source.slice(index));
      language = line?.[1] ?? "";
      index += line?.[0].length ?? 0;
      if (line === null && source[index] === "\n") index += 1;
    }
    const offset = text.length;
    while (!source.startsWith(mark, index)) {
      if (index >= source.length) throw unclosed(mark, at);
      if (source[index] === "\\" && index + 1 < source.length) index += 1;
      text += source[index];
      index += 1;
    }
    index += mark.length;
    add(mark === "`" ? "code" : "pre", offset, language === "" ? {} : { language });
  }

  function endLink(span: OpenSpan): void {
    index += 1;
    if (source[index] !== "(") {
      // Without an address it is a mention of the text itself, which the server leaves as text.
      if (span.mark === "![") throw fail(`Custom emoji entity must contain a tg://emoji URL`);
      return;
    }
    let url = "";
    index += 1;
    while (source[index] !== ")") {
      if (index >= source.length) throw fail(`Can't find end of a URL at byte offset ${byteOffset(source, span.at)}`);
      if (source[index] === "\\" && index + 1 < source.length) index += 1;
      url += source[index];
      index += 1;
    }
    index += 1;
    if (span.mark === "![") add("custom_emoji", span.offset, { custom_emoji_id: /id=(\d+)/.exec(url)?.[1] ?? "" });
    else if (url !== "") add("text_link", span.offset, { url });
  }

  function markAt(): string | null {
    if (source.startsWith("__", index)) {
      // `___` closes or opens underline first, except where an italic is innermost.
      return open.at(-1)?.mark === "_" && source[index + 2] === "_" ? "_" : "__";
    }
    if (source.startsWith("||", index)) return "||";
    const char = source[index] ?? "";
    return "*_~".includes(char) ? char : null;
  }

  while (index < source.length) {
    const char = source[index] ?? "";
    if ((char === "\\" && RESERVED.has(source[index + 1] ?? "")) || (char === "\\" && source[index + 1] === "\\")) {
      text += source[index + 1];
      index += 2;
      continue;
    }
    if (isLineStart() && (char === ">" || source.startsWith("**>", index))) {
      if (char !== ">") endQuote();
      quoteOffset ??= text.length;
      index += char === ">" ? 1 : 3;
      continue;
    }
    if (char === "\n" && quoteOffset !== null && source[index + 1] !== ">") endQuote();
    if (source.startsWith("```", index)) {
      verbatim("```");
      continue;
    }
    if (char === "`") {
      verbatim("`");
      continue;
    }
    if (char === "[" || source.startsWith("![", index)) {
      const mark = char === "[" ? "[" : "![";
      open.push({ mark, at: index, offset: text.length });
      index += mark.length;
      continue;
    }
    if (char === "]") {
      const span = open.at(-1);
      if (span?.mark === "[" || span?.mark === "![") {
        open.pop();
        endLink(span);
        continue;
      }
    }
    const mark = markAt();
    if (
      mark === "||" &&
      quoteOffset !== null &&
      (source[index + 2] === "\n" || index + 2 >= source.length) &&
      open.at(-1)?.mark !== "||"
    ) {
      // At the end of a quote it makes the quote expandable.
      add("expandable_blockquote", quoteOffset);
      quoteOffset = null;
      index += 2;
      continue;
    }
    if (mark !== null) {
      const span = open.at(-1);
      index += mark.length;
      if (span?.mark === mark) {
        open.pop();
        add(TYPES[mark] ?? mark, span.offset);
      } else open.push({ mark, at: index - mark.length, offset: text.length });
      continue;
    }
    if (RESERVED.has(char)) throw fail(`Character '${char}' is reserved and must be escaped with the preceding '\\'`);
    text += char;
    index += 1;
  }
  const left = open.at(-1);
  if (left !== undefined) throw unclosed(left.mark, left.at);
  endQuote();
  return { text, entities: entities.toSorted((a, b) => a.offset - b.offset || b.length - a.length) };
}
