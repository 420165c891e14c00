import type { MessageReceipt } from "@turnwire/turn-kernel";
import { type OutboundPart, type ReconcileResult, type SendOutcome, TurnwireError } from "@turnwire/turn-ports";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  decideAfterReconcile,
  decideAfterSend,
  decideBeforeSend,
  MAX_AGE_MS,
  MAX_THROWN_TRIES,
  type PartFacts,
  retryDelayMs,
} from "./decide-delivery.ts";

const part: OutboundPart = { op: "send", kind: "text", index: 0, body: "*x", text: "x" };
const plain: OutboundPart = { ...part, body: "x" };
const receipt: MessageReceipt = { platformMessageIds: ["7"], parts: [], sentAt: 0 };
const error = new TurnwireError({ code: "test_fault", message: "A planned fault." });
const threw = new TurnwireError({ code: "send_threw", message: "It threw." });

const none = { settlement: "none", settlementWindowMs: 0 } as const;
const idempotent = { settlement: "idempotent", settlementWindowMs: 120_000 } as const;
const readBack = { settlement: "read_back", settlementWindowMs: 0 } as const;

const first: PartFacts = {
  part,
  attempts: 1,
  ageMs: 0,
  sinceFirstMs: 0,
  isDoubtful: false,
  isFallback: false,
  capabilities: none,
  onUnknownSend: "hold",
  random: 1,
};
const doubtful = { isDoubtful: true } as const;
const old = { ageMs: MAX_AGE_MS } as const;
const resend = { onUnknownSend: "resend" } as const;
const edit = { part: { ...part, op: "edit" } } as const;

describe("before a call", () => {
  const table: readonly (readonly [string, Partial<PartFacts>, string])[] = [
    ["nothing in doubt", {}, "call"],
    ["in doubt, no means to know, hold", doubtful, "hold"],
    ["in doubt, no means to know, resend", { ...doubtful, ...resend }, "call"],
    ["in doubt, an edit", { ...doubtful, ...edit }, "call"],
    ["in doubt, within the window", { ...doubtful, capabilities: idempotent, sinceFirstMs: 119_999 }, "call"],
    ["in doubt, after the window", { ...doubtful, capabilities: idempotent, sinceFirstMs: 120_000 }, "settle"],
    ["in doubt, clocks do not tell", { ...doubtful, capabilities: idempotent, sinceFirstMs: Infinity }, "settle"],
    ["in doubt, readable", { ...doubtful, capabilities: readBack }, "settle"],
    ["in doubt, readable, resend", { ...doubtful, ...resend, capabilities: readBack }, "settle"],
  ];
  it.each(table)("%s", (_name, changes, decision) => {
    expect(decideBeforeSend({ ...first, ...changes })).toBe(decision);
  });
});

describe("after a call", () => {
  const retry: SendOutcome = { kind: "retry", error };
  const unknown: SendOutcome = { kind: "unknown", error };
  const rejected: SendOutcome = { kind: "rejected", error };
  const withFallback: SendOutcome = { kind: "rejected", error, fallback: plain };
  const table: readonly (readonly [string, Partial<PartFacts>, SendOutcome, object])[] = [
    ["sent", {}, { kind: "sent", receipt }, { kind: "sent", receipt }],
    ["not sent", {}, retry, { kind: "again", as: "queued", delayMs: 1_000 }],
    ["not sent, third try", { attempts: 3 }, retry, { kind: "again", as: "queued", delayMs: 4_000 }],
    ["not sent, told to wait", {}, { ...retry, retryAfterMs: 480_000 }, { kind: "again", delayMs: 480_000 }],
    ["not sent, an older try in doubt", doubtful, retry, { kind: "again", as: "unknown" }],
    ["not sent for a day", old, retry, { kind: "given_up" }],
    ["not sent for a day, an older try in doubt", { ...old, ...doubtful }, retry, { kind: "hold" }],
    ["refused", {}, rejected, { kind: "rejected" }],
    ["refused, a plainer form", {}, withFallback, { kind: "again", as: "queued", delayMs: 0, part: plain }],
    ["refused, the plainer form too", { isFallback: true }, withFallback, { kind: "rejected" }],
    ["unknown, no means to know, hold", {}, unknown, { kind: "hold" }],
    ["unknown, no means to know, resend", resend, unknown, { kind: "again", as: "unknown" }],
    ["unknown, idempotent", { capabilities: idempotent }, unknown, { kind: "again", as: "unknown" }],
    ["unknown, window over", { capabilities: idempotent, sinceFirstMs: 120_000 }, unknown, { kind: "settle" }],
    ["unknown, readable", { capabilities: readBack }, unknown, { kind: "settle" }],
    ["unknown, an edit", edit, unknown, { kind: "again", as: "unknown" }],
    ["unknown for a day, an edit", { ...old, ...edit }, unknown, { kind: "given_up" }],
    ["threw, idempotent", { capabilities: idempotent }, { kind: "unknown", error: threw }, { kind: "again" }],
    [
      "threw too often",
      { capabilities: idempotent, attempts: MAX_THROWN_TRIES },
      { kind: "unknown", error: threw },
      { kind: "hold" },
    ],
  ];
  it.each(table)("%s", (_name, changes, outcome, decision) => {
    expect(decideAfterSend({ ...first, ...changes }, outcome)).toMatchObject(decision);
  });
});

describe("after reading back", () => {
  const table: readonly (readonly [
    string,
    Partial<PartFacts>,
    ReconcileResult | { readonly kind: "failed" },
    object,
  ])[] = [
    ["found", doubtful, { kind: "sent", receipt }, { kind: "sent", receipt }],
    ["not there", doubtful, { kind: "absent" }, { kind: "again", as: "queued" }],
    ["not there, too old", { ...doubtful, ...old }, { kind: "absent" }, { kind: "given_up" }],
    ["several could be it", doubtful, { kind: "ambiguous" }, { kind: "hold" }],
    ["not possible for now", doubtful, { kind: "failed" }, { kind: "again", as: "unknown" }],
    ["not possible for a day", { ...doubtful, ...old }, { kind: "failed" }, { kind: "hold" }],
    ["never possible, hold", doubtful, { kind: "unsupported" }, { kind: "hold" }],
    ["never possible, resend", { ...doubtful, ...resend }, { kind: "unsupported" }, { kind: "again", as: "unknown" }],
  ];
  it.each(table)("%s", (_name, changes, result, decision) => {
    expect(decideAfterReconcile({ ...first, ...changes }, result, error)).toMatchObject(decision);
  });
});

describe("the pause before a retry", () => {
  it("doubles up to five minutes, with between half and all of it", () => {
    expect([1, 2, 3, 8, 9, 10, 500].map((attempts) => retryDelayMs(attempts, 1))).toEqual([
      1_000, 2_000, 4_000, 128_000, 256_000, 300_000, 300_000,
    ]);
    expect(retryDelayMs(3, 0)).toBe(2_000);
  });

  it("is never shorter than what the platform asked for", () => {
    fc.assert(
      fc.property(
        fc.nat(1_000),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.nat(1_000_000),
        (attempts, random, ms) => {
          expect(retryDelayMs(attempts, random, ms)).toBeGreaterThanOrEqual(ms);
        },
      ),
    );
  });
});
