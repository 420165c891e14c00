import { describe, expect, it } from "vitest";

import {
  buildInboundHistoryFromMap,
  buildPendingHistoryContextFromMap,
  clearHistoryEntries,
  clearHistoryEntriesIfEnabled,
  dispatchInboundReplyWithBase,
  recordInboundSessionAndDispatchReply,
  recordPendingHistoryEntry,
  recordPendingHistoryEntryIfEnabled,
} from "./compatibility.ts";
import { CURRENT_MESSAGE_MARKER, HISTORY_MARKER } from "./create-channel-history-window.ts";
import { createTurnKernel } from "./create-turn-kernel.ts";
import type { HistoryEntry } from "./history-window.ts";
import type { TurnKernel } from "./turn-kernel-api.ts";

const BOOM = new Error("boom");
const entry = (body: string): HistoryEntry => ({ sender: "Ann", body });

function mapOf(...bodies: readonly string[]): Map<string, HistoryEntry[]> {
  return new Map([["a", bodies.map(entry)]]);
}

describe("the old history helpers work on the caller's map", () => {
  it("record", () => {
    const historyMap = new Map<string, HistoryEntry[]>();
    expect(recordPendingHistoryEntry({ historyMap, historyKey: "a", entry: entry("1") })).toEqual([entry("1")]);
    expect(recordPendingHistoryEntry({ historyMap, historyKey: "a", limit: 1, entry: entry("2") })).toEqual([
      entry("2"),
    ]);
    expect(recordPendingHistoryEntry({ historyMap, historyKey: "b", limit: 0, entry: entry("3") })).toEqual([]);
    expect([...historyMap.keys()]).toEqual(["a"]);
  });

  it.each([
    { case: "an entry", limit: 5, given: entry("2"), kept: ["1", "2"] },
    { case: "nothing", limit: 5, given: null, kept: ["1"] },
    { case: "no entry", limit: 5, given: undefined, kept: ["1"] },
    { case: "history that is off", limit: 0, given: entry("2"), kept: ["1"] },
  ])("record if enabled: $case", ({ limit, given, kept }) => {
    const historyMap = mapOf("1");
    const entries = recordPendingHistoryEntryIfEnabled({ historyMap, historyKey: "a", limit, entry: given });
    expect(entries.map(({ body }) => body)).toEqual(kept);
    expect(historyMap.get("a")?.map(({ body }) => body)).toEqual(kept);
  });

  it("record if enabled says that a key nobody wrote to is empty", () => {
    const historyMap = new Map<string, HistoryEntry[]>();
    expect(recordPendingHistoryEntryIfEnabled({ historyMap, historyKey: "a", limit: 0, entry: entry("1") })).toEqual(
      [],
    );
  });

  it("build", () => {
    const params = { historyMap: mapOf("1", "2"), historyKey: "a", limit: 1 };
    expect(buildInboundHistoryFromMap(params)).toEqual([entry("2")]);
    expect(buildPendingHistoryContextFromMap({ ...params, currentMessage: "now" })).toBe(
      [HISTORY_MARKER, "Ann: 2", "", CURRENT_MESSAGE_MARKER, "now"].join("\n"),
    );
  });

  it("clear", () => {
    const historyMap = mapOf("1");
    clearHistoryEntriesIfEnabled({ historyMap, historyKey: "a", limit: 0 });
    expect(historyMap.has("a")).toBe(true);
    clearHistoryEntriesIfEnabled({ historyMap, historyKey: "a", limit: 1 });
    expect(historyMap.has("a")).toBe(false);
    historyMap.set("a", []);
    clearHistoryEntries({ historyMap, historyKey: "a" });
    expect(historyMap.has("a")).toBe(false);
  });
});

describe("the old dispatch helpers", () => {
  const context = { CommandAuthorized: false, RawBody: "hi", SessionKey: "s" } as const;

  /** A kernel whose durable delivery must not be used. */
  function kernel(recorded: string[]): TurnKernel {
    return createTurnKernel({
      clock: { now: () => 1, monotonic: () => 1, setTimer: () => () => {} },
      ids: { next: () => "t" },
      reply: async (_context, sink) => {
        await sink.push({ text: "a" }, "block");
        await sink.push({ text: "b" }, "final");
      },
      recordInboundSession: ({ sessionKey }) => void recorded.push(sessionKey),
      durableDelivery: { deliver: async () => Promise.reject(BOOM), sendPart: async () => Promise.reject(BOOM) },
    });
  }

  it("record, then call the caller's deliver; never durable delivery, whatever the adapter asks for", async () => {
    const order: string[] = [];
    const result = await recordInboundSessionAndDispatchReply(kernel(order), {
      channel: "test",
      ctxPayload: context,
      delivery: {
        deliver: async ({ text }, { kind }) => Promise.resolve(void order.push(`${kind}:${text}`)),
        durable: { to: "elsewhere" },
      },
    });
    expect(order).toEqual(["s", "block:a", "final:b"]);
    expect(result.dispatched).toBe(true);
  });

  it("tell the caller's onError", async () => {
    const told: unknown[] = [];
    const failing = recordInboundSessionAndDispatchReply(kernel([]), {
      channel: "test",
      ctxPayload: context,
      delivery: { deliver: async () => Promise.reject(BOOM), onError: (error, info) => void told.push([error, info]) },
    });
    await expect(failing).rejects.toMatchObject({ code: "delivery_failed", cause: BOOM });
    expect(told).toEqual([[BOOM, { kind: "block" }]]);
  });

  it("give each payload to the caller's reply, in order", async () => {
    const order: unknown[] = [];
    await dispatchInboundReplyWithBase(kernel([]), {
      channel: "test",
      ctxPayload: context,
      reply: async ({ text }) => Promise.resolve(void order.push(text)),
    });
    expect(order).toEqual(["a", "b"]);
  });

  it("tell onReplyError", async () => {
    const told: unknown[] = [];
    const failing = dispatchInboundReplyWithBase(kernel([]), {
      channel: "test",
      ctxPayload: context,
      reply: async () => Promise.reject(BOOM),
      onReplyError: (error, info) => void told.push([error, info]),
    });
    await expect(failing).rejects.toMatchObject({ code: "delivery_failed" });
    expect(told).toEqual([[BOOM, { kind: "block" }]]);
  });
});

describe("the old entry points", () => {
  const delivered: string[] = [];
  const kernel = createTurnKernel({
    clock: { now: () => 1, monotonic: () => 1, setTimer: () => () => {} },
    ids: { next: () => "t" },
    reply: async ({ RawBody }, sink) => sink.push({ text: `echo ${RawBody}` }, "final"),
  });
  const delivery = {
    deliver: async ({ text }: { text?: string | undefined }) => Promise.resolve(void delivered.push(text ?? "")),
  };
  const person = {
    sender: { id: "a" },
    conversation: { kind: "direct", id: "a" },
    access: { dm: { decision: "allow", allowFrom: [] } },
  } as const;

  it("runResolved is run for a turn that is resolved already, from facts or from a context", async () => {
    const finalized: unknown[] = [];
    const facts = await kernel.runResolved({
      channel: "test",
      turn: { ...person, messageId: "m", message: { rawBody: "facts" }, delivery },
      onFinalize: (result) => void finalized.push(result.admission.kind),
    });
    const ctxPayload = { CommandAuthorized: false, RawBody: "context", MessageSid: "m" };
    const finished = await kernel.runResolved({ channel: "test", turn: { ...person, ctxPayload, delivery } });
    expect(delivered.splice(0)).toEqual(["echo facts", "echo context"]);
    expect([facts.ctxPayload?.MessageSid, finished.ctxPayload?.MessageSid, finalized]).toEqual([
      "m",
      "m",
      ["dispatch"],
    ]);
  });

  it("runResolved authorizes like run", async () => {
    const result = await kernel.runResolved({
      channel: "test",
      turn: { ...person, access: {}, message: { rawBody: "x" }, delivery },
    });
    expect(result).toMatchObject({ admission: { kind: "drop", reason: "access_facts_missing" }, dispatched: false });
  });

  it("dispatchAssembled is runAssembled", async () => {
    const ctxPayload = { CommandAuthorized: false, RawBody: "x" };
    expect(await kernel.dispatchAssembled({ channel: "test", ctxPayload, delivery })).toMatchObject({
      dispatched: true,
    });
    expect(delivered.splice(0)).toEqual(["echo x"]);
  });
});
