import type { MessageReceipt } from "@turnwire/turn-kernel";
import type {
  ChannelCapabilities,
  OutboundPart,
  ReconcileResult,
  SendOutcome,
  TurnwireError,
} from "@turnwire/turn-ports";

/** Tries of one part after which nothing is tried any more. With the backoff below they span about a day. */
export const MAX_ATTEMPTS = 100;
/** A part that could not be sent for so long is given up, ms: an answer from yesterday answers nothing. */
export const MAX_AGE_MS = 86_400_000;
/** First pause after a passing failure, ms. */
const INITIAL_RETRY_MS = 1_000;
/** Longest pause, ms. */
const MAX_RETRY_MS = 5 * 60 * 1000;

/** What is known of a part when its call has ended. */
export interface SentPart {
  readonly part: OutboundPart;
  /** Tries so far, this one included. */
  readonly attempts: number;
  readonly ageMs: number;
  /** Time since the first try, ms. */
  readonly sinceFirstMs: number;
  readonly capabilities: Pick<ChannelCapabilities, "settlement" | "settlementWindowMs">;
  readonly onUnknownSend: "hold" | "resend";
  /** 0 to 1. */
  readonly random: number;
}

/** What follows a call. `settle` asks the platform first; all others are final for this try. */
export type AfterSend =
  | { readonly kind: "sent"; readonly receipt: MessageReceipt }
  | {
      readonly kind: "again";
      readonly delayMs: number;
      readonly part?: OutboundPart | undefined;
      readonly error: TurnwireError;
    }
  | { readonly kind: "settle"; readonly error: TurnwireError }
  | { readonly kind: "hold"; readonly error: TurnwireError }
  | { readonly kind: "rejected"; readonly error: TurnwireError }
  | { readonly kind: "given_up"; readonly error: TurnwireError };

/** Pause before the next try: doubling with jitter, never shorter than what the platform asked for. */
export function retryDelayMs(attempts: number, random: number, retryAfterMs: number = 0): number {
  const step = Math.min(MAX_RETRY_MS, INITIAL_RETRY_MS * 2 ** Math.min(attempts - 1, 16));
  return Math.max(retryAfterMs, step * (0.5 + random / 2));
}

function again(sent: SentPart, error: TurnwireError, retryAfterMs?: number): AfterSend {
  if (sent.attempts >= MAX_ATTEMPTS || sent.ageMs >= MAX_AGE_MS) return { kind: "given_up", error };
  return { kind: "again", delayMs: retryDelayMs(sent.attempts, sent.random, retryAfterMs), error };
}

/** Pure: what follows from how a call ended. */
export function decideAfterSend(sent: SentPart, outcome: SendOutcome): AfterSend {
  switch (outcome.kind) {
    case "sent":
      return { kind: "sent", receipt: outcome.receipt };
    case "retry":
      return again(sent, outcome.error, outcome.retryAfterMs);
    case "rejected":
      return outcome.fallback === undefined
        ? { kind: "rejected", error: outcome.error }
        : { kind: "again", delayMs: 0, part: outcome.fallback, error: outcome.error };
    case "unknown":
      return decideUnknown(sent, outcome.error);
  }
}

/** Nobody knows whether it was sent: by the means that the platform gives, in this order. */
function decideUnknown(sent: SentPart, error: TurnwireError): AfterSend {
  // Edits, deletes and drafts do the same when they are done twice.
  if (sent.part.op !== "send") return again(sent, error);
  const { settlement, settlementWindowMs } = sent.capabilities;
  if (settlement === "idempotent" && sent.sinceFirstMs < settlementWindowMs) return again(sent, error);
  if (settlement !== "none") return { kind: "settle", error };
  return sent.onUnknownSend === "resend" ? again(sent, error) : { kind: "hold", error };
}

/** Pure: what follows from reading back. */
export function decideAfterReconcile(sent: SentPart, result: ReconcileResult, error: TurnwireError): AfterSend {
  switch (result.kind) {
    case "sent":
      return { kind: "sent", receipt: result.receipt };
    case "absent":
      return again(sent, error);
    case "ambiguous":
      return { kind: "hold", error };
    case "unsupported":
      return sent.onUnknownSend === "resend" ? again(sent, error) : { kind: "hold", error };
  }
}
