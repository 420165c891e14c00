import type { ReplyPayload } from "@turnwire/turn-kernel";
import type { OutboundPart, RenderOptions } from "@turnwire/turn-ports";

import { telegramCapabilities } from "../capabilities.ts";
import { partOf } from "./part-body.ts";
import { chunkText, textParams, textPart } from "./render-text.ts";

/** One part, cut at the limit; a fence that is still open counts as closed at the end. */
export function renderDraft(payload: ReplyPayload, { editOf, draftId }: RenderOptions): readonly OutboundPart[] {
  const [chunk] = chunkText(payload.text ?? "", telegramCapabilities.textLimit, 1);
  if (chunk === undefined) return [];
  const shown = { kind: "preview", index: 0, text: chunk.text } as const;
  if (draftId !== undefined) {
    // The button under a draft is one tap on /stop: Telegram tells of it as `stopped_message_generation`.
    const params = { draft_id: draftId, ...textParams(chunk), can_stop: true };
    return [partOf({ ...shown, op: "draft", body: { method: "sendMessageDraft", params, quotes: false } })];
  }
  return [textPart(shown, { chunk, editOf, quotes: true, markup: null })];
}
