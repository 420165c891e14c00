import type { JsonValue } from "./json-value.ts";

/** How a turn ended, as the next turns' model sees it. */
export type TurnOutcome = "completed" | "failed" | "timed_out" | "cancelled" | "interrupted";

/** Whether an assistant text reached the person. Never `delivered` when it did not. */
export type DeliveryState = "pending" | "delivered" | "suppressed" | "failed" | "unknown";

/** A piece of a transcript entry. */
export type TranscriptPart =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "media";
      readonly contentType: string;
      readonly path?: string | undefined;
      readonly url?: string | undefined;
    }
  | { readonly type: "tool-call"; readonly id: string; readonly name: string; readonly args: JsonValue }
  | {
      readonly type: "tool-result";
      readonly id: string;
      readonly content: JsonValue;
      readonly details?: JsonValue;
      readonly persistedDetailsTruncated?: boolean | undefined;
    };

/** One entry of a session's transcript. */
export interface TranscriptEntry {
  readonly role: "user" | "assistant" | "tool";
  readonly turnId: string;
  readonly parts: readonly TranscriptPart[];
  readonly atMs: number;
  readonly outcome?: TurnOutcome | undefined;
  readonly deliveryState?: DeliveryState | undefined;
}
