import { isSilentReply } from "@turnwire/adapter-kit";
import type { AgentEvent } from "@turnwire/turn-ports";

/** What a run has said so far. */
export interface RunAnswer {
  readonly text: string;
  readonly reasoning: string;
  readonly media: readonly {
    readonly contentType: string;
    readonly source: string;
    readonly caption?: string | undefined;
  }[];
  readonly toolCalls: number;
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number; readonly costUsd: number };
}

/** Nothing said yet. */
export const EMPTY_ANSWER: RunAnswer = {
  text: "",
  reasoning: "",
  media: [],
  toolCalls: 0,
  usage: { inputTokens: 0, outputTokens: 0, costUsd: 0 },
};

/** The answer with one more event. Pure. */
export function withEvent(answer: RunAnswer, event: AgentEvent): RunAnswer {
  switch (event.type) {
    case "text-delta":
      return { ...answer, text: answer.text + event.text };
    case "reasoning-delta":
      return { ...answer, reasoning: answer.reasoning + event.text };
    case "media": {
      const source = event.path ?? event.url;
      if (source === undefined) return answer;
      const { contentType, caption } = event;
      return { ...answer, media: [...answer.media, { contentType, source, caption }] };
    }
    case "tool-start":
      return { ...answer, toolCalls: answer.toolCalls + 1 };
    case "usage": {
      const { inputTokens, outputTokens, costUsd } = answer.usage;
      return {
        ...answer,
        usage: {
          inputTokens: inputTokens + event.inputTokens,
          outputTokens: outputTokens + event.outputTokens,
          costUsd: costUsd + (event.costUsd ?? 0),
        },
      };
    }
    case "tool-end":
    case "done":
      return answer;
  }
}

/** What is to be shown of a finished answer. */
export type FinalAnswer =
  | { readonly kind: "show"; readonly text: string; readonly mediaUrls: readonly string[] }
  /** Silence was chosen. */
  | { readonly kind: "silent" }
  /** There is nothing, and nobody chose that. */
  | { readonly kind: "empty" };

/** Decides what a finished answer shows. The silent token counts only as the whole text; with media it is stripped. */
export function decideFinalAnswer(answer: RunAnswer): FinalAnswer {
  const isSilent = isSilentReply(answer.text);
  const captions = answer.media.flatMap((item) => item.caption ?? []);
  const text = isSilent ? "" : [answer.text, ...captions].filter((part) => part.trim() !== "").join("\n\n");
  const mediaUrls = answer.media.map((item) => item.source);
  if (text !== "" || mediaUrls.length > 0) return { kind: "show", text, mediaUrls };
  return isSilent ? { kind: "silent" } : { kind: "empty" };
}
