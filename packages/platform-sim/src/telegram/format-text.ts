import { badRequest } from "./bot-api-error.ts";
import { automaticEntities, codePoints, type FormattedText, givenEntities, trimFormatted } from "./message-entity.ts";
import { parseHtml } from "./parse-html.ts";
import { parseMarkdown } from "./parse-markdown.ts";
import { parseMarkdownV2 } from "./parse-markdown-v2.ts";

/** Longest text and caption, in code points after entities are parsed. */
export const TEXT_LIMIT = 4096;
export const CAPTION_LIMIT = 1024;

function parse(text: string, mode: string | undefined, entities: unknown): FormattedText {
  switch (mode?.toLowerCase()) {
    case undefined:
    case "":
      return { text, entities: givenEntities(text, entities) };
    case "html":
      return parseHtml(text);
    case "markdownv2":
      return parseMarkdownV2(text);
    case "markdown":
      return parseMarkdown(text);
    default:
      throw badRequest("unsupported parse_mode");
  }
}

/** A text as the server keeps it: parsed, trimmed, measured. `what` words the complaint about its length. */
export function formatText(given: {
  readonly text: string;
  readonly parseMode?: string | undefined;
  readonly entities?: unknown;
  readonly limit: number;
  readonly what: "text" | "caption";
}): FormattedText {
  const formatted = trimFormatted(parse(given.text, given.parseMode, given.entities));
  if (codePoints(formatted.text) > given.limit)
    throw badRequest(given.what === "text" ? "message is too long" : "message caption is too long");
  const automatic = automaticEntities(formatted.text, formatted.entities);
  return {
    text: formatted.text,
    entities: [...formatted.entities, ...automatic].toSorted((a, b) => a.offset - b.offset || b.length - a.length),
  };
}
