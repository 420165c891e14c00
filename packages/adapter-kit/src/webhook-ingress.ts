import type {
  ChannelInbox,
  WebhookAdapter,
  WebhookContent,
  WebhookRequest,
  WebhookResponse,
} from "@turnwire/turn-ports";

import { createProofDesk } from "./webhook-proofs.ts";

declare const ingressProof: unique symbol;
declare const messagesProof: unique symbol;

/** Proof that a request passed its verifier. Holds the exact bytes; made by `verifyWebhook` alone, used up by `parseVerifiedWebhook`. */
export interface VerifiedWebhookIngress {
  readonly [ingressProof]: true;
}

/** Proof that what it holds was parsed from verified bytes. Made by `parseVerifiedWebhook` alone, used up by `dispatchVerifiedWebhook`. */
export interface VerifiedWebhookMessages {
  readonly [messagesProof]: true;
}

/** Why a request was refused: for logs and metrics, never for the answer, which is the same for all. */
export type WebhookRefusal =
  | "unregistered"
  | "blank_secret"
  | "method"
  | "oversized"
  | "unverified"
  | "verifier_failed";

/** A request that goes no further. */
export interface RefusedWebhook {
  readonly refused: WebhookRefusal;
}

/** The type of the raw event that stands for a verified body which the adapter could not parse; `envelope` throws on it, which makes it a dead letter. */
export const UNPARSED_WEBHOOK_EVENT = "webhook_unparsed";

/** A body that could not be parsed is kept for whoever looks into it, up to this many characters. */
const UNPARSED_BODY_CHARS = 16_384;

interface VerifiedRequest {
  readonly adapter: WebhookAdapter;
  readonly bytes: Uint8Array;
  readonly headers: WebhookRequest["headers"];
  readonly receivedAtMs: number;
}

// Handles and what they stand for live only in this module: that is what makes the order one of construction.
const ingresses = createProofDesk<VerifiedWebhookIngress, VerifiedRequest>("parsed");
const parsed = createProofDesk<VerifiedWebhookMessages, WebhookContent>("dispatched");

/**
 * The rules in their order; the first that holds refuses. Nothing of the body is looked at before the last one,
 * and there is no mode without a secret.
 */
export const WEBHOOK_REFUSAL_RULES: readonly {
  readonly reason: WebhookRefusal;
  readonly refuses: (adapter: WebhookAdapter, request: WebhookRequest) => boolean;
}[] = [
  { reason: "blank_secret", refuses: (adapter) => adapter.secret.trim() === "" },
  { reason: "method", refuses: (_, request) => request.method !== "POST" },
  { reason: "oversized", refuses: (adapter, request) => request.bytes.byteLength > adapter.bodyLimitBytes },
];

/**
 * First step: checks a request against the adapter of its route; null when no adapter is registered there.
 * Never throws: a verifier that does refuses. The bytes are copied before they are verified, so that nobody
 * can change them between verification and parse.
 */
export function verifyWebhook(
  adapter: WebhookAdapter | null,
  request: WebhookRequest,
  nowMs: number,
): VerifiedWebhookIngress | RefusedWebhook {
  if (adapter === null) return { refused: "unregistered" };
  const rule = WEBHOOK_REFUSAL_RULES.find(({ refuses }) => refuses(adapter, request));
  if (rule !== undefined) return { refused: rule.reason };
  const headers = Object.freeze({ ...request.headers });
  const bytes = new Uint8Array(request.bytes);
  try {
    // The verifier gets a copy of its own: what it does to it changes nothing.
    const isVerified = adapter.verify({ method: request.method, headers, bytes: new Uint8Array(bytes) }, nowMs);
    // An adapter in plain JavaScript may return a promise, which is truthy: only `true` opens.
    if ((isVerified as unknown) !== true) return { refused: "unverified" };
  } catch {
    return { refused: "verifier_failed" };
  }
  return ingresses.mint({ adapter, bytes, headers, receivedAtMs: nowMs });
}

/**
 * Second step: gives the verified bytes to the adapter's parser. A parser that throws makes a dead letter, not an
 * error answer: the platform would send the same body for ever.
 * @throws TurnwireError `webhook_proof_invalid`
 */
export function parseVerifiedWebhook(ingress: VerifiedWebhookIngress): VerifiedWebhookMessages {
  const { adapter, bytes, headers, receivedAtMs } = ingresses.take(ingress);
  try {
    return parsed.mint(adapter.parse(bytes, headers));
  } catch (error) {
    const payload = {
      body: new TextDecoder().decode(bytes).slice(0, UNPARSED_BODY_CHARS),
      error: error instanceof Error ? error.name : "unknown",
    };
    return parsed.mint({ kind: "accept", events: [{ type: UNPARSED_WEBHOOK_EVENT, payload, receivedAtMs }] });
  }
}

/**
 * Third step and the one way from a webhook into the inbox: resolves with the answer when the events are durable.
 * Challenges and pings are answered without the inbox.
 * @throws TurnwireError `webhook_proof_invalid`, and what `inbox.accept` throws: then the platform must not be acknowledged.
 */
export async function dispatchVerifiedWebhook(
  messages: VerifiedWebhookMessages,
  inbox: ChannelInbox,
): Promise<WebhookResponse> {
  // Taken before the first await: of two dispatches of one proof the second fails, however they interleave.
  const content = parsed.take(messages);
  switch (content.kind) {
    case "respond":
      return content.respond;
    case "ignore":
      return { status: 200 };
    case "accept":
      if (content.events.length > 0) await inbox.accept(content.events);
      return content.respond ?? { status: 200 };
  }
}
