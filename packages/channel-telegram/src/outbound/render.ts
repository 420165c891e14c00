import type { ReplyPayload, ReplyPresentation } from "@turnwire/turn-kernel";
import type { JsonValue, OutboundPart, RenderOptions } from "@turnwire/turn-ports";

import { telegramCapabilities } from "../capabilities.ts";
import { renderDraft } from "./draft.ts";
import type { FormattedText } from "./format-text.ts";
import { partOf } from "./part-body.ts";
import { renderMedia } from "./render-media.ts";
import { captionParams, chunkText, textPart } from "./render-text.ts";

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
  const chunks = caption === null ? chunkText(text, telegramCapabilities.textLimit) : [];
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

/** The text as a caption; null when it is too long for one. */
function captionOf(text: string): FormattedText | null {
  const chunks = chunkText(text, telegramCapabilities.captionLimit, 2);
  if (chunks.length > 1) return null;
  return chunks[0] ?? { text: "", entities: [], length: 0 };
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
