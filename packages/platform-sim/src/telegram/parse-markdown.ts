import { badRequest } from "./bot-api-error.ts";
import { byteOffset, type FormattedText, type MessageEntity } from "./message-entity.ts";

const TYPES: Readonly<Record<string, string>> = { "*": "bold", _: "italic", "`": "code" };

/** Parses the legacy `parse_mode: "Markdown"`: no nesting, an unclosed mark is an error. */
export function parseMarkdown(source: string): FormattedText {
  const entities: MessageEntity[] = [];
  let text = "";
  let index = 0;
  const unclosed = (at: number): Error =>
    badRequest(`can't parse entities: Can't find end of the entity starting at byte offset ${byteOffset(source, at)}`);
  while (index < source.length) {
    const char = source[index] ?? "";
    if (char === "\\" && "_*`[".includes(source[index + 1] ?? "x")) {
      text += source[index + 1];
      index += 2;
      continue;
    }
    const mark = source.startsWith("```", index) ? "```" : char;
    const type = mark === "```" ? "pre" : TYPES[mark];
    if (type !== undefined) {
      const end = source.indexOf(mark, index + mark.length);
      if (end < 0) throw unclosed(index);
      const inner = source.slice(index + mark.length, end);
      if (inner !== "") entities.push({ type, offset: text.length, length: inner.length });
      text += inner;
      index = end + mark.length;
      continue;
    }
    if (char === "[") {
      const link = /^\[([^\]]*)\]\(([^)]*)\)/.exec(source.slice(index));
      if (link === null) {
        if (!source.includes("]", index)) throw unclosed(index);
      } else {
        const [whole, label = "", url = ""] = link;
        if (label !== "" && url !== "")
          entities.push({ type: "text_link", offset: text.length, length: label.length, url });
        text += label;
        index += whole.length;
        continue;
      }
    }
    text += char;
    index += 1;
  }
  return { text, entities };
}
