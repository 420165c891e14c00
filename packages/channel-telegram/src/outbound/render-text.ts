import { chunkMarkdown, parseMarkdown, tablesToCode } from "@turnwire/adapter-kit";
import type { JsonValue, OutboundPart } from "@turnwire/turn-ports";

import { formatText, MAX_ENTITIES, type FormattedText } from "./format-text.ts";
import { partOf, type TelegramPartBody } from "./part-body.ts";

/** A text as a message of its own, or as the new text of one. */
export function textPart(
  part: Pick<OutboundPart, "kind" | "index" | "text">,
  {
    chunk,
    editOf,
    quotes,
    markup,
  }: {
    readonly chunk: FormattedText;
    readonly editOf: string | undefined;
    readonly quotes: boolean;
    readonly markup: Readonly<Record<string, JsonValue>> | null;
  },
): OutboundPart {
  const params = { ...textParams(chunk), ...markup };
  const body = (method: string): TelegramPartBody => ({ method, params, quotes: quotes && editOf === undefined });
  return editOf === undefined
    ? partOf({ ...part, op: "send", body: body("sendMessage") })
    : partOf({ ...part, op: "edit", messageId: editOf, body: body("editMessageText") });
}

/** Markdown as texts that fit into messages of this length. */
export function chunkText(markdown: string, limit: number, maxChunks?: number): readonly FormattedText[] {
  const root = tablesToCode(parseMarkdown(markdown));
  const chunks = chunkMarkdown(root, {
    limit,
    maxChunks,
    render(part) {
      const formatted = formatText(part);
      const excess = formatted.entities.length - MAX_ENTITIES;
      // A message with more formatting than Telegram shows counts as too long, and is cut.
      return excess <= 0 ? formatted : { ...formatted, length: Math.max(formatted.length, limit + excess) };
    },
  });
  // Telegram refuses a message in which nothing is seen.
  return chunks.filter(({ text }) => text.trim() !== "");
}

function entitiesJson({ entities }: FormattedText): JsonValue {
  return entities.map(({ type, offset, length, url, language }) => ({
    type,
    offset,
    length,
    ...(url === undefined ? {} : { url }),
    ...(language === undefined ? {} : { language }),
  }));
}

/** How a text is given to a method that sends texts. */
export function textParams(chunk: FormattedText): Readonly<Record<string, JsonValue>> {
  return { text: chunk.text, ...(chunk.entities.length === 0 ? {} : { entities: entitiesJson(chunk) }) };
}

/** How a text is given to a method that sends files. */
export function captionParams(chunk: FormattedText): Readonly<Record<string, JsonValue>> {
  if (chunk.text === "") return {};
  return { caption: chunk.text, ...(chunk.entities.length === 0 ? {} : { caption_entities: entitiesJson(chunk) }) };
}
