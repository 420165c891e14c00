import type { ChannelInbox, RawEvent, WebhookAdapter, WebhookRequest } from "@turnwire/turn-ports";
import { describe, expect, it } from "vitest";

import { equalSecrets } from "./equal-secrets.ts";
import { hmacSha256Hex } from "./hmac-sha256-hex.ts";
import { isFreshTimestamp } from "./is-fresh-timestamp.ts";
import {
  dispatchVerifiedWebhook,
  parseVerifiedWebhook,
  UNPARSED_WEBHOOK_EVENT,
  type VerifiedWebhookIngress,
  type VerifiedWebhookMessages,
  verifyWebhook,
  WEBHOOK_REFUSAL_RULES,
} from "./webhook-ingress.ts";

const NOW_MS = Date.UTC(2026, 5, 1);
const SECRET = "s3cret-of-the-account";
const BODY = '{"id":"e1","text":"hello"}';

/** A signed webhook in the manner of the platforms, which writes down the order of what happens. */
function signedWebhook(order: string[] = [], overrides: Partial<WebhookAdapter> = {}): WebhookAdapter {
  const adapter: WebhookAdapter = {
    path: "/webhooks/acme/default",
    secret: SECRET,
    bodyLimitBytes: 1000,
    verify({ headers, bytes }, nowMs) {
      order.push("verify");
      const timestamp = headers["x-timestamp"];
      const signature = hmacSha256Hex(SECRET, `${timestamp ?? ""}:`, bytes);
      return isFreshTimestamp(timestamp, nowMs) && equalSecrets(headers["x-signature"], signature);
    },
    parse(bytes) {
      order.push("parse");
      const payload = JSON.parse(new TextDecoder().decode(bytes)) as { id: string; text: string };
      return { kind: "accept", events: [{ type: "message", payload, receivedAtMs: NOW_MS }] };
    },
  };
  return { ...adapter, ...overrides };
}

function signedRequest(body = BODY, atMs = NOW_MS): WebhookRequest {
  const timestamp = String(atMs / 1000);
  const bytes = new TextEncoder().encode(body);
  return {
    method: "POST",
    headers: { "x-timestamp": timestamp, "x-signature": hmacSha256Hex(SECRET, `${timestamp}:`, bytes) },
    bytes,
  };
}

/** Remembers events by their id, as the inbox's primary key does. */
function memoryInbox(order: string[] = []): ChannelInbox & { readonly stored: readonly RawEvent[] } {
  const stored: RawEvent[] = [];
  const known = new Set<string>();
  return {
    stored,
    accept: (events) => {
      order.push("accept");
      return Promise.resolve(
        events.map((event) => {
          const key = JSON.stringify(event.payload);
          if (known.has(key)) return { kind: "duplicate" as const };
          known.add(key);
          return { kind: "accepted" as const, inboxId: stored.push(event) };
        }),
      );
    },
  };
}

function verified(adapter: WebhookAdapter, request: WebhookRequest = signedRequest()): VerifiedWebhookIngress {
  const ingress = verifyWebhook(adapter, request, NOW_MS);
  if ("refused" in ingress) throw new Error(`refused: ${ingress.refused}`);
  return ingress;
}

describe("webhook ingress", () => {
  it("goes verify → parse → accept, and answers when the event is stored", async () => {
    const order: string[] = [];
    const inbox = memoryInbox(order);
    const messages = parseVerifiedWebhook(verified(signedWebhook(order)));
    await expect(dispatchVerifiedWebhook(messages, inbox)).resolves.toEqual({ status: 200 });
    expect(order).toEqual(["verify", "parse", "accept"]);
    expect(inbox.stored).toEqual([{ type: "message", payload: { id: "e1", text: "hello" }, receivedAtMs: NOW_MS }]);
  });

  it("lists its rules", () => {
    expect(WEBHOOK_REFUSAL_RULES.map(({ reason }) => reason)).toEqual(["blank_secret", "method", "oversized"]);
  });

  const good = signedRequest();
  const signature = good.headers["x-signature"] ?? "";
  const withSignature = (value: string | undefined): WebhookRequest => ({
    ...good,
    headers: { ...good.headers, "x-signature": value },
  });
  const refusals: readonly {
    readonly name: string;
    readonly refused: string;
    readonly request?: WebhookRequest;
    readonly adapter?: Partial<WebhookAdapter>;
  }[] = [
    { name: "an empty secret", refused: "blank_secret", adapter: { secret: "" } },
    { name: "a blank secret", refused: "blank_secret", adapter: { secret: " \t\n" } },
    { name: "another method", refused: "method", request: { ...good, method: "GET" } },
    { name: "a body over the limit", refused: "oversized", request: signedRequest("x".repeat(1001)) },
    { name: "no headers", refused: "unverified", request: { ...good, headers: {} } },
    { name: "no signature", refused: "unverified", request: withSignature(undefined) },
    { name: "an empty signature", refused: "unverified", request: withSignature("") },
    { name: "a short signature", refused: "unverified", request: withSignature(signature.slice(0, -1)) },
    { name: "a long signature", refused: "unverified", request: withSignature(`${signature}0`) },
    { name: "a doubled signature", refused: "unverified", request: withSignature(`${signature}, ${signature}`) },
    { name: "a signature that is no hex", refused: "unverified", request: withSignature("z".repeat(64)) },
    { name: "a signature that is not ASCII", refused: "unverified", request: withSignature("ü".repeat(64)) },
    { name: "a signature with a lone surrogate", refused: "unverified", request: withSignature("\uD800".repeat(64)) },
    { name: "a forged signature", refused: "unverified", request: withSignature(hmacSha256Hex("other", "1:", BODY)) },
    {
      name: "a signature over another body",
      refused: "unverified",
      request: { ...signedRequest("{}"), bytes: good.bytes },
    },
    { name: "a stale request", refused: "unverified", request: signedRequest(BODY, NOW_MS - 301_000) },
    { name: "an early request", refused: "unverified", request: signedRequest(BODY, NOW_MS + 301_000) },
    {
      name: "a timestamp that is none",
      refused: "unverified",
      request: { ...good, headers: { ...good.headers, "x-timestamp": "1e9" } },
    },
    {
      name: "a verifier that throws",
      refused: "verifier_failed",
      adapter: {
        verify: () => {
          throw new RangeError("Input buffers must have the same byte length");
        },
      },
    },
    {
      name: "a verifier that returns a promise",
      refused: "unverified",
      adapter: { verify: () => Promise.resolve(false) as unknown as boolean },
    },
  ];

  it.each(refusals)("refuses $name, and parses nothing", ({ refused, request, adapter }) => {
    const order: string[] = [];
    const webhook = signedWebhook(order, adapter);
    expect(verifyWebhook(webhook, request ?? good, NOW_MS)).toEqual({ refused });
    expect(order).not.toContain("parse");
    // A refusal is no proof.
    expect(() => parseVerifiedWebhook({ refused } as unknown as VerifiedWebhookIngress)).toThrow(/once/);
  });

  it("refuses a route that nobody registered", () => {
    expect(verifyWebhook(null, good, NOW_MS)).toEqual({ refused: "unregistered" });
  });

  it("takes a request up to the limits of time and size", () => {
    expect(verifyWebhook(signedWebhook(), signedRequest(BODY, NOW_MS - 300_000), NOW_MS)).not.toHaveProperty("refused");
    expect(verifyWebhook(signedWebhook(), signedRequest(BODY, NOW_MS + 300_000), NOW_MS)).not.toHaveProperty("refused");
    expect(verifyWebhook(signedWebhook(), signedRequest("x".repeat(1000)), NOW_MS)).not.toHaveProperty("refused");
  });

  it("stores a request that is replayed within its freshness once, and acknowledges both", async () => {
    const inbox = memoryInbox();
    for (let delivery = 0; delivery < 2; delivery += 1) {
      const messages = parseVerifiedWebhook(verified(signedWebhook()));
      await expect(dispatchVerifiedWebhook(messages, inbox)).resolves.toEqual({ status: 200 });
    }
    expect(inbox.stored).toHaveLength(1);
  });
});

describe("webhook proofs", () => {
  const proofInvalid = expect.objectContaining({ code: "webhook_proof_invalid" });
  const codeOf = (act: () => unknown): unknown => {
    try {
      act();
    } catch (error) {
      return error;
    }
    return undefined;
  };

  it("can be parsed once", () => {
    const ingress = verified(signedWebhook());
    parseVerifiedWebhook(ingress);
    expect(codeOf(() => parseVerifiedWebhook(ingress))).toEqual(proofInvalid);
  });

  it("can be dispatched once, also when two dispatches are started together", async () => {
    const inbox = memoryInbox();
    const messages = parseVerifiedWebhook(verified(signedWebhook()));
    const results = await Promise.allSettled([
      dispatchVerifiedWebhook(messages, inbox),
      dispatchVerifiedWebhook(messages, inbox),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    expect(results[1]).toMatchObject({ reason: proofInvalid });
    expect(inbox.stored).toHaveLength(1);
  });

  it("is used up by a dispatch that the store refuses: the platform sends the event again", async () => {
    const messages = parseVerifiedWebhook(verified(signedWebhook()));
    const down: ChannelInbox = { accept: () => Promise.reject(new Error("store down")) };
    await expect(dispatchVerifiedWebhook(messages, down)).rejects.toThrow("store down");
    await expect(dispatchVerifiedWebhook(messages, memoryInbox())).rejects.toEqual(proofInvalid);
  });

  const copies: readonly { readonly name: string; readonly copy: (proof: object) => object }[] = [
    { name: "a spread", copy: (proof) => ({ ...proof }) },
    { name: "a structured clone", copy: (proof) => structuredClone(proof) },
    { name: "an heir", copy: (proof) => Object.create(proof) as object },
    { name: "a proxy", copy: (proof) => new Proxy(proof, {}) },
    { name: "a look-alike", copy: () => Object.freeze(Object.create(null) as object) },
  ];

  it.each(copies)("cannot be copied: $name is none", async ({ copy }) => {
    const ingress = verified(signedWebhook());
    expect(codeOf(() => parseVerifiedWebhook(copy(ingress) as VerifiedWebhookIngress))).toEqual(proofInvalid);
    const messages = parseVerifiedWebhook(ingress);
    const copied = copy(messages) as VerifiedWebhookMessages;
    await expect(dispatchVerifiedWebhook(copied, memoryInbox())).rejects.toEqual(proofInvalid);
  });

  it("is not taken at another step", async () => {
    const ingress = verified(signedWebhook());
    const skipped = ingress as unknown as VerifiedWebhookMessages;
    await expect(dispatchVerifiedWebhook(skipped, memoryInbox())).rejects.toEqual(proofInvalid);
  });

  it("shows nothing and cannot be changed", () => {
    const ingress = verified(signedWebhook());
    expect(Reflect.ownKeys(ingress)).toEqual([]);
    expect(Object.isFrozen(ingress)).toBe(true);
    expect(Object.getPrototypeOf(ingress)).toBeNull();
  });

  it("is bound to the bytes that were verified, whatever happens to the buffer afterwards", async () => {
    const request = signedRequest();
    const seen: string[] = [];
    const adapter = signedWebhook([], {
      parse: (bytes) => {
        seen.push(new TextDecoder().decode(bytes));
        return { kind: "ignore" };
      },
    });
    const ingress = verified(adapter, request);
    request.bytes.fill(0x20);
    await dispatchVerifiedWebhook(parseVerifiedWebhook(ingress), memoryInbox());
    expect(seen).toEqual([BODY]);
  });
});

describe("what a verified body can be", () => {
  const deferred = { status: 200, headers: { "content-type": "application/json" }, body: '{"type":5}' };

  it.each([
    { name: "a challenge", content: { kind: "respond", respond: deferred } as const, answer: deferred, accepts: 0 },
    { name: "nothing of ours", content: { kind: "ignore" } as const, answer: { status: 200 }, accepts: 0 },
    { name: "no event at all", content: { kind: "accept", events: [] } as const, answer: { status: 200 }, accepts: 0 },
    {
      name: "an event with an answer of its own",
      content: { kind: "accept", events: [{ type: "m", payload: 1, receivedAtMs: 0 }], respond: deferred } as const,
      answer: deferred,
      accepts: 1,
    },
  ])("$name", async ({ content, answer, accepts }) => {
    const order: string[] = [];
    const messages = parseVerifiedWebhook(verified(signedWebhook([], { parse: () => content })));
    await expect(dispatchVerifiedWebhook(messages, memoryInbox(order))).resolves.toEqual(answer);
    expect(order).toHaveLength(accepts);
  });

  it("a body that the parser throws on is stored, to become a dead letter", async () => {
    const inbox = memoryInbox();
    const messages = parseVerifiedWebhook(verified(signedWebhook(), signedRequest("{not json")));
    await expect(dispatchVerifiedWebhook(messages, inbox)).resolves.toEqual({ status: 200 });
    expect(inbox.stored).toEqual([
      { type: UNPARSED_WEBHOOK_EVENT, payload: { body: "{not json", error: "SyntaxError" }, receivedAtMs: NOW_MS },
    ]);
  });
});
