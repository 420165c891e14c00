import { createSystemClock } from "@turnwire/adapter-kit";
import type { MessageReceipt } from "@turnwire/turn-kernel";
import {
  type Channel,
  type OutboundPart,
  type ReconcileResult,
  type SendOutcome,
  type SendSettlement,
  type TurnStore,
  TurnwireError,
} from "@turnwire/turn-ports";
import { afterEach, describe, expect, it, vi } from "vitest";

import { createOutbox, type Outbox } from "../src/outbox/create-outbox.ts";
import { createCountedIds } from "./support/count-ids.ts";
import { createMemoryChannel } from "./support/memory-channel.ts";
import { createMemoryTelemetry } from "./support/memory-telemetry.ts";
import { createMemoryLog } from "./support/silent-log.ts";
import { createTestStore, type TestStore } from "./support/test-store.ts";
import { MemoryPlatform } from "./support/memory-platform.ts";

const TARGET = { to: "dm", chatKind: "direct" } as const;
const clock = createSystemClock();

/** What a platform remembers of our sends, and how its next calls end. */
class ShownMessages {
  readonly texts: string[] = [];
  readonly byId = new Map<string, string>();
  readonly outcomes: ("ok" | "lost" | "not_sent" | "refused" | "refused_markup" | "wait")[] = [];
  calls = 0;
}

function receiptOf(id: string): MessageReceipt {
  return {
    platformMessageIds: [id],
    primaryPlatformMessageId: id,
    parts: [{ platformMessageId: id, kind: "text", index: 0 }],
    sentAt: 0,
  };
}

function channelOf(
  shown: ShownMessages,
  settlement: SendSettlement,
  onUnknownSend: "hold" | "resend" = "hold",
): Channel {
  const base = createMemoryChannel(new MemoryPlatform(), {
    account: { onUnknownSend },
    capabilities: { settlement, settlementWindowMs: 60_000 },
  });
  async function send(part: OutboundPart, _target: unknown, idempotencyId: string): Promise<SendOutcome> {
    shown.calls += 1;
    const error = new TurnwireError({ code: "test_fault", message: "A planned fault." });
    const outcome = shown.outcomes.shift() ?? "ok";
    if (outcome === "not_sent") return Promise.resolve({ kind: "retry", error });
    if (outcome === "wait") return Promise.resolve({ kind: "retry", error, retryAfterMs: 30 });
    if (outcome === "refused") return Promise.resolve({ kind: "rejected", error });
    if (outcome === "refused_markup")
      return Promise.resolve({
        kind: "rejected",
        error,
        fallback: { ...part, body: `plain ${part.text}`, text: `plain ${part.text}` },
      });
    const isKnown = settlement === "idempotent" && shown.byId.has(idempotencyId);
    if (!isKnown) {
      shown.byId.set(idempotencyId, part.text ?? "");
      shown.texts.push(part.text ?? "");
    }
    return Promise.resolve(
      outcome === "lost" ? { kind: "unknown", error } : { kind: "sent", receipt: receiptOf(idempotencyId) },
    );
  }
  async function reconcile(_part: OutboundPart, _target: unknown, id: string): Promise<ReconcileResult> {
    if (settlement === "none") return Promise.resolve({ kind: "unsupported" });
    return Promise.resolve(shown.byId.has(id) ? { kind: "sent", receipt: receiptOf(id) } : { kind: "absent" });
  }
  return { ...base, send, reconcile };
}

const cleanups: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

interface Setup {
  readonly outbox: Outbox;
  readonly shown: ShownMessages;
  readonly test: TestStore;
  readonly store: TurnStore;
}

async function open(
  settlement: SendSettlement,
  options: {
    readonly shown?: ShownMessages;
    readonly test?: TestStore;
    readonly store?: (test: TestStore) => TurnStore;
    readonly onUnknownSend?: "hold" | "resend";
    readonly name?: string;
  } = {},
): Promise<Setup> {
  const shown = options.shown ?? new ShownMessages();
  const test = options.test ?? createTestStore(clock);
  await test.store.open();
  const store = options.store?.(test) ?? test.store;
  const channel = channelOf(shown, settlement, options.onUnknownSend);
  const outbox = createOutbox({
    store,
    channel: () => channel,
    clock,
    ids: createCountedIds(options.name ?? "o"),
    log: createMemoryLog(),
    telemetry: createMemoryTelemetry(),
    owner: options.name ?? "o",
    random: () => 0,
  });
  outbox.start();
  cleanups.push(async () => {
    await outbox.close().catch(() => {});
    await test.store.close().catch(() => {});
    test.remove();
  });
  return { outbox, shown, test, store };
}

const parts = (...texts: readonly string[]): OutboundPart[] =>
  texts.map((text, index) => ({ op: "send", kind: "text", index, body: text, text }));

async function send(outbox: Outbox, ...texts: readonly string[]): ReturnType<Outbox["send"]> {
  return outbox.send({
    channel: "memory",
    accountId: "default",
    target: TARGET,
    parts: parts(...texts),
    purpose: "final",
  });
}

async function settled(store: TurnStore): Promise<void> {
  await vi.waitFor(
    async () => {
      const { queued, sending } = await store.outbox.counts();
      expect(queued + sending).toBe(0);
    },
    { timeout: 10_000, interval: 5 },
  );
}

describe("the outbox", () => {
  it("sends the parts of payloads in order and tells their receipts", async () => {
    const { outbox, shown } = await open("none");
    const reports = await Promise.all([send(outbox, "a1", "a2"), send(outbox, "b1"), send(outbox, "c1", "c2", "c3")]);
    expect(shown.texts).toEqual(["a1", "a2", "b1", "c1", "c2", "c3"]);
    expect(reports.map((report) => report.parts.map((part) => part.status))).toEqual([
      ["sent", "sent"],
      ["sent"],
      ["sent", "sent", "sent"],
    ]);
    expect(reports[2]?.receipt?.platformMessageIds).toHaveLength(3);
  });

  it("goes on at the part that failed, and repeats none of those before", async () => {
    const { outbox, shown, store } = await open("none");
    shown.outcomes.push("ok", "not_sent", "wait");
    await send(outbox, "1", "2", "3");
    await settled(store);
    expect(shown.texts).toEqual(["1", "2", "3"]);
    expect(shown.calls).toBe(5);
  });

  it("takes the plainer form of a refused part once", async () => {
    const { outbox, shown } = await open("none");
    shown.outcomes.push("refused_markup");
    await send(outbox, "*x");
    expect(shown.texts).toEqual(["plain *x"]);
  });

  it("sends nothing of a payload behind a part that is refused for good; the next payload goes on", async () => {
    const { outbox, shown } = await open("none");
    shown.outcomes.push("ok", "refused");
    const [first, second] = await Promise.all([send(outbox, "1", "2", "3"), send(outbox, "next")]);
    expect(first.parts.map((part) => part.status)).toEqual(["sent", "rejected", "superseded"]);
    expect(second.parts.map((part) => part.status)).toEqual(["sent"]);
    expect(shown.texts).toEqual(["1", "next"]);
  });

  it.each([
    { settlement: "idempotent", onUnknownSend: "hold", seen: ["x"], status: "sent" },
    { settlement: "read_back", onUnknownSend: "hold", seen: ["x"], status: "sent" },
    { settlement: "none", onUnknownSend: "resend", seen: ["x", "x"], status: "sent" },
  ] as const)(
    "settles a lost answer where the platform is $settlement and the policy $onUnknownSend",
    async ({ settlement, onUnknownSend, seen, status }) => {
      const { outbox, shown, store } = await open(settlement, { onUnknownSend });
      shown.outcomes.push("lost");
      const { parts: reports } = await send(outbox, "x");
      await settled(store);
      expect(shown.texts).toEqual(seen);
      expect(reports.map((part) => part.status)).toEqual([status]);
    },
  );

  it("holds a lost answer that nobody can settle, tells the person, and sends it again when asked, once", async () => {
    const { outbox, shown, store } = await open("none");
    shown.outcomes.push("lost");
    const {
      parts: [held],
    } = await send(outbox, "x");
    await settled(store);
    expect(held?.status).toBe("unknown");
    expect(shown.texts).toEqual(["x", expect.stringContaining("may be missing")]);
    await Promise.all([outbox.resend(held?.id ?? ""), outbox.resend(held?.id ?? "")]);
    await settled(store);
    await vi.waitFor(async () => expect((await store.outbox.get(held?.id ?? ""))?.status).toBe("sent"));
    expect(shown.texts.filter((text) => text === "x")).toHaveLength(2);
  });

  it("loses nothing while the store is away for a moment", async () => {
    let failures = 0;
    const { outbox, shown, store } = await open("none", {
      store: (test) =>
        new Proxy(test.store, {
          get(target, name) {
            const value: unknown = Reflect.get(target, name, target);
            if (name !== "commit") return value;
            return async (...args: Parameters<TurnStore["commit"]>) => {
              // The second commit is the receipt of a part that has been sent.
              failures += 1;
              if (failures === 2) throw new TurnwireError({ code: "store_unavailable", message: "Away." });
              return target.commit(...args);
            };
          },
        }),
    });
    await send(outbox, "x");
    await settled(store);
    expect(shown.texts).toEqual(["x"]);
  });
});

describe("a process that dies after any of its commits", () => {
  /** The store takes `count` commits, then the process is dead. */
  function dyingAfter(count: number): (test: TestStore) => TurnStore {
    return (test) => {
      let left = count;
      return new Proxy(test.store, {
        get(target, name) {
          const value: unknown = Reflect.get(target, name, target);
          if (name !== "commit") return value;
          return async (...args: Parameters<TurnStore["commit"]>) => {
            if (left === 0) return new Promise<never>(() => {});
            left -= 1;
            return target.commit(...args);
          };
        },
      });
    };
  }

  it.each(
    (["none", "idempotent", "read_back"] as const).flatMap((settlement) =>
      [1, 2, 3, 4, 5].map((commits) => ({ settlement, commits })),
    ),
  )("$settlement, $commits commits: nothing lost, nothing doubled", async ({ settlement, commits }) => {
    const shown = new ShownMessages();
    const first = await open(settlement, { shown, store: dyingAfter(commits), name: "first" });
    shown.outcomes.push("ok", "lost", "ok");
    void send(first.outbox, "1", "2", "3").catch(() => {});
    // Dead when nothing moves any more: the commit that never returns has been asked for.
    await vi.waitFor(async () => {
      const before = shown.calls;
      await new Promise((resolve) => {
        setTimeout(resolve, 20);
      });
      expect(shown.calls).toBe(before);
    });
    await first.test.crash();
    shown.outcomes.length = 0;
    const again = await open(settlement, { shown, test: first.test.reopen(), name: "second" });
    await settled(again.store);
    const own = shown.texts.filter((text) => !text.includes("may be missing"));
    const { unknown } = await again.store.outbox.counts();
    if (settlement === "none") {
      expect(own.filter((text, index) => own.indexOf(text) !== index)).toEqual([]);
      // Each part is seen, or held with a notice.
      expect(new Set(own).size + unknown).toBeGreaterThanOrEqual(3);
      expect(shown.texts.length - own.length).toBe(unknown);
    } else {
      expect(own).toEqual(["1", "2", "3"]);
      expect(unknown).toBe(0);
    }
  });
});
