import { chunkMarkdown, parseMarkdown, tablesToCode } from "@turnwire/adapter-kit";
import type { ReplyPayload, ReplyPresentation } from "@turnwire/turn-kernel";
import type { JsonValue, OutboundPart, RenderOptions } from "@turnwire/turn-ports";

import { telegramCapabilities } from "../capabilities.ts";
import { formatText, MAX_ENTITIES, type FormattedText } from "./format-text.ts";
import { partOf, type TelegramPartBody } from "./part-body.ts";
import { renderMedia } from "./render-media.ts";

/** `callback_data`: 1-64 bytes. */
const MAX_BUTTON_BYTES = 64;

/** What of the account's config rendering depends on. */
export interface RenderAccount {
  readonly replyToMode: "off" | "first" | "all";
}

/** One payload into the calls that it takes. Pure. */
export function render(payload: ReplyPayload, options: RenderOptions, account: RenderAccount): readonly OutboundPart[] {
  return options.mode === "draft" ? renderDraft(payload, options) : renderFinal(payload, options, account);
}

/** One part, cut at the limit; a fence that is still open counts as closed at the end. */
function renderDraft(payload: ReplyPayload, { editOf, draftId }: RenderOptions): readonly OutboundPart[] {
  const [chunk] = chunksOf(payload.text ?? "", telegramCapabilities.textLimit, 1);
  if (chunk === undefined) return [];
  const shown = { kind: "preview", index: 0, text: chunk.text } as const;
  if (draftId !== undefined) {
    // The button under a draft is one tap on /stop: Telegram tells of it as `stopped_message_generation`.
    const params = { draft_id: draftId, ...textParams(chunk), can_stop: true };
    return [partOf({ ...shown, op: "draft", body: { method: "sendMessageDraft", params, quotes: false } })];
  }
  return [textPart(shown, { chunk, editOf, quotes: true, markup: null })];
}

function renderFinal(
  payload: ReplyPayload,
  { editOf }: RenderOptions,
  { replyToMode }: RenderAccount,
): readonly OutboundPart[] {
  const { markup, spelledOut } = renderPresentation(payload.presentation);
  const text = [payload.text ?? "", ...spelledOut].filter((part) => part !== "").join("\n\n");
  const media = mediaOf(payload);
  const parts: OutboundPart[] = [];
  const add = (part: OutboundPart): void => {
    parts.push(part);
  };
  const quotes = (): boolean => parts.length === 0 || replyToMode === "all";

  // A message with text cannot become one with a file, so an edit keeps the text for itself.
  const caption = media.length > 0 && editOf === undefined ? captionOf(text) : null;
  const chunks = caption === null ? chunksOf(text, telegramCapabilities.textLimit) : [];
  for (const [index, chunk] of chunks.entries()) {
    const isLast = index === chunks.length - 1;
    add(
      textPart(
        { kind: "text", index: parts.length, text: chunk.text },
        { chunk, editOf: index === 0 ? editOf : undefined, quotes: quotes(), markup: isLast ? markup : null },
      ),
    );
  }
  if (editOf !== undefined && chunks.length === 0 && media.length > 0) {
    add({ op: "delete", kind: "text", index: 0, messageId: editOf, body: null });
  }
  for (const [index, address] of media.entries()) {
    const isFirst = index === 0;
    const { kind, body } = renderMedia(address, {
      asVoice: payload.audioAsVoice === true,
      hidden: payload.sensitiveMedia === true,
      caption: isFirst && caption !== null ? { text: caption.text, params: captionParams(caption) } : null,
    });
    // Buttons stand under the text, or, where there is none, under the first file.
    const params = isFirst && chunks.length === 0 ? { ...body.params, ...markup } : body.params;
    add(
      partOf({
        op: "send",
        kind,
        index: parts.length,
        ...(isFirst && caption !== null ? { text: caption.text } : {}),
        body: { ...body, params, quotes: quotes() },
      }),
    );
  }
  return parts;
}

function textPart(
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

function chunksOf(markdown: string, limit: number, maxChunks?: number): readonly FormattedText[] {
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

/** The text as a caption; null when it is too long for one. */
function captionOf(text: string): FormattedText | null {
  const chunks = chunksOf(text, telegramCapabilities.captionLimit, 2);
  if (chunks.length > 1) return null;
  return chunks[0] ?? { text: "", entities: [], length: 0 };
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

function textParams(chunk: FormattedText): Readonly<Record<string, JsonValue>> {
  return { text: chunk.text, ...(chunk.entities.length === 0 ? {} : { entities: entitiesJson(chunk) }) };
}

function captionParams(chunk: FormattedText): Readonly<Record<string, JsonValue>> {
  if (chunk.text === "") return {};
  return { caption: chunk.text, ...(chunk.entities.length === 0 ? {} : { caption_entities: entitiesJson(chunk) }) };
}

function mediaOf({ mediaUrl, mediaUrls }: ReplyPayload): readonly string[] {
  return [...new Set([...(mediaUrl === undefined ? [] : [mediaUrl]), ...(mediaUrls ?? [])])];
}

/** Buttons and selects as an inline keyboard; what does not fit into a button is spelled out as text. */
export function renderPresentation(presentation: ReplyPresentation | undefined): {
  readonly markup: Readonly<Record<string, JsonValue>> | null;
  readonly spelledOut: readonly string[];
} {
  const choices = (presentation?.select?.options ?? []).map((option) => [option]);
  const spelledOut: string[] = [];
  const rows = [...(presentation?.buttons ?? []), ...choices].map((row) =>
    row.flatMap((button): readonly JsonValue[] => {
      if ("url" in button && button.url !== undefined) return [{ text: button.label, url: button.url }];
      const data = button.value ?? button.label;
      if (Buffer.byteLength(data) <= MAX_BUTTON_BYTES) return [{ text: button.label, callback_data: data }];
      spelledOut.push(`- ${button.label}`);
      return [];
    }),
  );
  const keyboard = rows.filter((row) => row.length > 0);
  return {
    markup: keyboard.length === 0 ? null : { reply_markup: { inline_keyboard: keyboard } },
    spelledOut: spelledOut.length === 0 ? [] : [spelledOut.join("\n")],
  };
}
