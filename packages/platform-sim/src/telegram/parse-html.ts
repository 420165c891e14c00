import { badRequest } from "./bot-api-error.ts";
import { byteOffset, type FormattedText, type MessageEntity } from "./message-entity.ts";

const TYPES: Readonly<Record<string, string>> = {
  b: "bold",
  strong: "bold",
  i: "italic",
  em: "italic",
  u: "underline",
  ins: "underline",
  s: "strikethrough",
  strike: "strikethrough",
  del: "strikethrough",
  "tg-spoiler": "spoiler",
  code: "code",
  pre: "pre",
  a: "text_link",
  span: "spoiler",
  blockquote: "blockquote",
  "tg-emoji": "custom_emoji",
};

const NAMED: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"' };

interface OpenTag {
  readonly name: string;
  readonly at: number;
  readonly offset: number;
  readonly attributes: Readonly<Record<string, string>>;
}

function decodeReference(body: string): string | null {
  const named = NAMED[body];
  if (named !== undefined) return named;
  const numeric = /^#(?:x([0-9a-fA-F]{1,6})|(\d{1,7}))$/.exec(body);
  if (numeric === null) return null;
  const code = numeric[1] === undefined ? Number(numeric[2]) : Number.parseInt(numeric[1], 16);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : null;
}

function attributesOf(source: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [, name = "", double, single, bare] of source.matchAll(
    /([a-zA-Z-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g,
  )) {
    const value = double ?? single ?? bare ?? "";
    attributes[name.toLowerCase()] = value.replaceAll(
      /&([^;\s]{1,8});/g,
      (whole, body: string) => decodeReference(body) ?? whole,
    );
  }
  return attributes;
}

function entityOf(tag: OpenTag, length: number): MessageEntity | null {
  const base = { offset: tag.offset, length };
  switch (tag.name) {
    case "a": {
      const url = tag.attributes["href"] ?? "";
      return url === "" ? null : { type: "text_link", ...base, url };
    }
    case "tg-emoji":
      return { type: "custom_emoji", ...base, custom_emoji_id: tag.attributes["emoji-id"] ?? "" };
    case "blockquote":
      return { type: "expandable" in tag.attributes ? "expandable_blockquote" : "blockquote", ...base };
    default:
      return { type: TYPES[tag.name] ?? tag.name, ...base };
  }
}

/** Parses `parse_mode: "HTML"`, with the server's complaints. */
export function parseHtml(source: string): FormattedText {
  const fail = (text: string, at: number): Error =>
    badRequest(`can't parse entities: ${text.replace("%", String(byteOffset(source, at)))}`);
  const entities: MessageEntity[] = [];
  const open: OpenTag[] = [];
  let text = "";
  let index = 0;
  while (index < source.length) {
    const char = source[index];
    if (char === "&") {
      const end = source.indexOf(";", index);
      const decoded = end > index && end - index <= 10 ? decodeReference(source.slice(index + 1, end)) : null;
      text += decoded ?? "&";
      index = decoded === null ? index + 1 : end + 1;
      continue;
    }
    if (char !== "<") {
      text += char;
      index += 1;
      continue;
    }
    const at = index;
    const end = source.indexOf(">", at);
    const closing = /^<\/([a-zA-Z-]*)\s*>/.exec(source.slice(at));
    if (closing !== null) {
      const name = closing[1]?.toLowerCase() ?? "";
      const tag = open.pop();
      if (tag === undefined) throw fail("Unexpected end tag at byte offset %", at);
      if (name !== tag.name)
        throw fail(`Unmatched end tag at byte offset %, expected "</${tag.name}>", found "</${name}>"`, at);
      index = at + closing[0].length;
      close(tag);
      continue;
    }
    const opening = /^<([a-zA-Z-]+)/.exec(source.slice(at));
    if (opening === null)
      throw fail(`Unsupported start tag "${/^<([^\s>]*)/.exec(source.slice(at))?.[1] ?? ""}" at byte offset %`, at);
    const name = opening[1]?.toLowerCase() ?? "";
    if (TYPES[name] === undefined) throw fail(`Unsupported start tag "${name}" at byte offset %`, at);
    if (end < 0) throw fail("Unclosed start tag at byte offset %", at);
    const attributes = attributesOf(source.slice(at + opening[0].length, end));
    if (name === "span" && attributes["class"] !== "tg-spoiler")
      throw fail('Tag "span" must have class "tg-spoiler" at byte offset %', at);
    open.push({ name, at, offset: text.length, attributes });
    index = end + 1;
  }
  const unclosed = open.at(-1);
  if (unclosed !== undefined)
    throw fail(`Can't find end tag corresponding to start tag "${unclosed.name}"`, unclosed.at);
  return { text, entities: entities.toSorted((a, b) => a.offset - b.offset || b.length - a.length) };

  function close(tag: OpenTag): void {
    const length = text.length - tag.offset;
    if (length === 0) return;
    const language =
      tag.name === "code" && open.at(-1)?.name === "pre"
        ? /^language-(.+)$/.exec(tag.attributes["class"] ?? "")?.[1]
        : undefined;
    if (tag.name === "pre") {
      // `<pre><code class="language-x">` is one span that knows its language.
      const inner = entities.findIndex(
        (entity) => entity.type === "code" && entity.offset === tag.offset && entity.length === length,
      );
      const known = inner < 0 ? undefined : entities[inner]?.language;
      if (inner >= 0) entities.splice(inner, 1);
      entities.push({ type: "pre", offset: tag.offset, length, ...(known === undefined ? {} : { language: known }) });
      return;
    }
    const entity = entityOf(tag, length);
    if (entity !== null) entities.push(language === undefined ? entity : { ...entity, language });
  }
}
