import type { MessageReceipt } from "@turnwire/turn-kernel";
import type {
  ChannelCapabilities,
  OutboundPart,
  ReconcileResult,
  SendOutcome,
  TurnwireError,
} from "@turnwire/turn-ports";

/** A part that could not be sent for so long is given up, ms: an answer from yesterday answers nothing. */
export const MAX_AGE_MS = 86_400_000;
/** Tries of a part on which the channel throws, which is a fault of the channel: it would throw for ever, and hold up the chat. */
export const MAX_THROWN_TRIES = 5;
/** First pause after a passing failure, ms. */
const INITIAL_RETRY_MS = 1_000;
/** Longest pause of our own, ms: a platform that is back is noticed within minutes. */
const MAX_RETRY_MS = 5 * 60 * 1000;

/** What is known of a part when something is to be decided about it. */
export interface PartFacts {
  readonly part: OutboundPart;
  /** Calls begun so far. */
  readonly attempts: number;
  /** Since it was stored, ms. */
  readonly ageMs: number;
  /** Since the first call, ms; infinite when clocks do not tell. */
  readonly sinceFirstMs: number;
  /** A call was begun of which nobody knows whether it took effect, and nothing has settled it since. */
  readonly isDoubtful: boolean;
  /** It is the form to fall back on already. */
  readonly isFallback: boolean;
  readonly capabilities: Pick<ChannelCapabilities, "settlement" | "settlementWindowMs">;
  readonly onUnknownSend: "hold" | "resend";
  /** 0 to 1. */
  readonly random: number;
}

/** What is done with a part whose time has come. */
export type BeforeSend = "call" | "settle" | "hold";

/** What follows a call or a look at the platform. `settle` reads back first; all others end this try. */
export type AfterSend =
  | { readonly kind: "sent"; readonly receipt: MessageReceipt }
  | {
      readonly kind: "again";
      /** `unknown`: what was in doubt stays so, over a restart too, and is looked at before the next call. */
      readonly as: "queued" | "unknown";
      readonly delayMs: number;
      readonly part?: OutboundPart | undefined;
      readonly error: TurnwireError;
    }
  | { readonly kind: "settle" | "hold" | "rejected" | "given_up"; readonly error: TurnwireError };

/** Pause before the next try: doubling with jitter, never shorter than what the platform asked for. */
export function retryDelayMs(attempts: number, random: number, retryAfterMs: number = 0): number {
  const step = Math.min(MAX_RETRY_MS, INITIAL_RETRY_MS * 2 ** Math.min(Math.max(attempts - 1, 0), 16));
  return Math.max(retryAfterMs, step * (0.5 + random / 2));
}

/**
 * Pure: whether a call may be made now. A part without doubt is called. One in doubt goes by the means that the platform
 * gives, in this order: repeat what does the same twice, read back, ask the account's policy.
 */
export function decideBeforeSend(facts: PartFacts): BeforeSend {
  const { settlement, settlementWindowMs } = facts.capabilities;
  // Edits, deletes and drafts do the same when they are done twice.
  if (!facts.isDoubtful || facts.part.op !== "send") return "call";
  if (settlement === "idempotent" && facts.sinceFirstMs < settlementWindowMs) return "call";
  if (settlement !== "none") return "settle";
  return facts.onUnknownSend === "resend" ? "call" : "hold";
}

/** Pure: what follows from how a call ended. */
export function decideAfterSend(facts: PartFacts, outcome: SendOutcome): AfterSend {
  switch (outcome.kind) {
    case "sent":
      return { kind: "sent", receipt: outcome.receipt };
    case "retry":
      return again(facts, { error: outcome.error, retryAfterMs: outcome.retryAfterMs });
    case "rejected": {
      const { error, fallback } = outcome;
      // Once: a platform that refuses plain text as well will not take it the third time.
      if (fallback === undefined || facts.isFallback) return { kind: "rejected", error };
      return { kind: "again", as: facts.isDoubtful ? "unknown" : "queued", delayMs: 0, part: fallback, error };
    }
    case "unknown": {
      const doubtful = { ...facts, isDoubtful: true };
      const next = decideBeforeSend(doubtful);
      return next === "call" ? again(doubtful, outcome) : { kind: next, error: outcome.error };
    }
  }
}

/** Pure: what follows from reading back; `failed` when that was not possible for now. */
export function decideAfterReconcile(
  facts: PartFacts,
  result: ReconcileResult | { readonly kind: "failed" },
  error: TurnwireError,
): AfterSend {
  switch (result.kind) {
    case "sent":
      return { kind: "sent", receipt: result.receipt };
    case "absent":
      return again({ ...facts, isDoubtful: false }, { error });
    case "failed":
      return again({ ...facts, isDoubtful: true }, { error });
    case "ambiguous":
      return { kind: "hold", error };
    case "unsupported":
      return facts.onUnknownSend === "resend"
        ? again({ ...facts, isDoubtful: true }, { error })
        : { kind: "hold", error };
  }
}

function again(
  facts: PartFacts,
  { error, retryAfterMs }: { readonly error: TurnwireError; readonly retryAfterMs?: number | undefined },
): AfterSend {
  const { attempts, random, isDoubtful } = facts;
  const isOver = facts.ageMs >= MAX_AGE_MS || (error.code === "send_threw" && attempts >= MAX_THROWN_TRIES);
  // Of a message that may have arrived nobody says that it was given up: a person decides.
  if (isOver) return { kind: isDoubtful && facts.part.op === "send" ? "hold" : "given_up", error };
  return {
    kind: "again",
    as: isDoubtful ? "unknown" : "queued",
    delayMs: retryDelayMs(attempts, random, retryAfterMs),
    error,
  };
}
