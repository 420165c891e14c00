import { createManualClock, type ManualClock } from "@turnwire/adapter-kit";
import {
  type Channel,
  type ChannelInbox,
  type InboundEnvelope,
  type InboxRow,
  type RawEvent,
  type TurnStore,
  TurnwireError,
} from "@turnwire/turn-ports";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import type { MessagesConfig } from "../src/config/messages-config.ts";
import { type ChannelInboxOptions, createChannelInbox } from "../src/inbox/create-channel-inbox.ts";
import { type AgentBinding, createAgentRouter } from "../src/routing/agent-router.ts";
import { createMemoryChannel } from "./support/memory-channel.ts";
import { MemoryPlatform, type SaidMessage } from "./support/memory-platform.ts";
import { createMemoryTelemetry } from "./support/memory-telemetry.ts";
import { createTestStore, type TestStore } from "./support/test-store.ts";

let clock: ManualClock = createManualClock();
let test: TestStore = createTestStore(clock);
const platform = new MemoryPlatform();

beforeEach(async () => {
  clock = createManualClock();
  test = createTestStore(clock);
  await test.store.open();
});
afterEach(async () => {
  await test.store.close();
  test.remove();
});

interface Given extends Partial<ChannelInboxOptions> {
  readonly envelope?: Channel["envelope"];
  readonly bindings?: readonly AgentBinding[];
  readonly debounce?: MessagesConfig["inbound"];
}

function openInbox(given: Given = {}): ChannelInbox {
  const { envelope, bindings = [], debounce = { debounceMs: 0, byChannel: {} }, ...options } = given;
  const base = createMemoryChannel(platform);
  return createChannelInbox({
    channel: envelope === undefined ? base : { ...base, envelope },
    store: test.store,
    router: createAgentRouter({
      agents: [{ id: "main", default: true, disabled: false }],
      bindings,
      dmScope: "per-peer",
    }),
    inbound: debounce,
    clock,
    telemetry: createMemoryTelemetry(),
    ...options,
  });
}

function event(text: string, more: Partial<SaidMessage> = {}): RawEvent {
  const message = platform.say({ text, ...more });
  return { type: "message", payload: JSON.parse(JSON.stringify(message)) as RawEvent["payload"], receivedAtMs: 1 };
}

async function rows(): Promise<readonly InboxRow[]> {
  return (await test.store.inbox.list({ limit: 100 })).toReversed();
}

describe("what an event becomes", () => {
  it("a row in the lane of its session, in one commit with cursor and state", async () => {
    const inbox = openInbox();
    const batch = [event("one"), event("two", { chat: "room", chatKind: "group", threadId: "7" })];
    const accepted = await inbox.accept(batch, { cursor: "42", state: [{ key: "k", value: 1 }] });
    expect(accepted.map(({ kind }) => kind)).toEqual(["accepted", "accepted"]);
    expect(test.transactions).toEqual([["accept"]]);
    expect((await rows()).map((row) => row.laneKey)).toEqual([
      "turn:agent:main:direct:dm",
      "turn:agent:main:memory:group:room:topic:7",
    ]);
    const state = test.store.channelState("memory", "default");
    expect([await state.cursor(), await state.get("k")]).toEqual(["42", 1]);
  });

  it("a row all the same where nobody owns the place, in a lane apart", async () => {
    const bindings = [{ agentId: "main", match: { channel: "elsewhere" } }];
    await openInbox({ bindings }).accept([event("hello")]);
    const [row] = await rows();
    expect(row).toMatchObject({ status: "waiting" });
    expect(row?.laneKey).toMatch(/^turn:none:/u);
  });

  it("a duplicate when it comes again, alone or within a batch", async () => {
    const inbox = openInbox();
    const same = event("hello");
    const kinds = async (events: readonly RawEvent[]): Promise<readonly string[]> =>
      (await inbox.accept(events)).map(({ kind }) => kind);
    expect(await kinds([same, same])).toEqual(["accepted", "duplicate"]);
    expect(await kinds([{ ...same, receivedAtMs: 99 }, event("next")])).toEqual(["duplicate", "accepted"]);
  });

  it("an idle poll moves the cursor, and nothing at all makes no commit", async () => {
    const inbox = openInbox();
    await inbox.accept([]);
    expect(test.transactions).toEqual([]);
    await inbox.accept([], { cursor: "43" });
    expect(await test.store.channelState("memory", "default").cursor()).toBe("43");
  });
});

describe("an event that cannot be understood", () => {
  const shapes: readonly (readonly [string, (raw: RawEvent) => InboundEnvelope, RegExp])[] = [
    [
      "its envelope throws",
      () => {
        throw new TypeError("cannot read x of undefined");
      },
      /event_unreadable: cannot read x/u,
    ],
    [
      "its envelope throws a code",
      () => {
        throw new TurnwireError({ code: "memory_update_unreadable", message: "No chat." });
      },
      /memory_update_unreadable: No chat\./u,
    ],
    ["its envelope has no id", (raw) => ({ ...plain(raw), dedupeKey: "" }), /no dedupeKey/u],
    ["its envelope has no sender", (raw) => without(plain(raw), "senderId"), /no senderId/u],
    ["its envelope has no peer", (raw) => without(plain(raw), "routePeer"), /no routePeer/u],
  ];
  const plain = (raw: RawEvent): InboundEnvelope => createMemoryChannel(platform).envelope(raw);

  it.each(shapes)(
    "%s: a dead letter with its reason; the others of its batch and the cursor go on",
    async (_n, bad, reason) => {
      const broken = event("broken");
      const inbox = openInbox({ envelope: (raw) => (raw === broken ? bad(raw) : plain(raw)) });
      const accepted = await inbox.accept([event("one"), broken, event("three")], { cursor: "9" });
      expect(accepted.map(({ kind }) => kind)).toEqual(["accepted", "dead", "accepted"]);
      const dead = (await rows())[1];
      expect(dead).toMatchObject({ status: "dead", raw: { payload: broken.payload } });
      expect(dead?.reason).toMatch(reason);
      expect(await test.store.channelState("memory", "default").cursor()).toBe("9");
    },
  );

  it("is known when it comes again", async () => {
    const inbox = openInbox({
      envelope: () => {
        throw new TypeError("no");
      },
    });
    const broken = event("broken");
    expect(await inbox.accept([broken])).toMatchObject([{ kind: "dead" }]);
    expect(await inbox.accept([{ ...broken, receivedAtMs: 5 }])).toEqual([{ kind: "duplicate" }]);
  });
});

describe("refusals", () => {
  it("while the store is away: nothing is stored, and the cursor stays", async () => {
    const cause = new TurnwireError({ code: "store_unavailable", message: "Away." });
    const away: TurnStore = new Proxy(test.store, {
      get: (target, name) =>
        name === "accept" ? async () => Promise.reject(cause) : (Reflect.get(target, name, target) as unknown),
    });
    await expect(openInbox({ store: away }).accept([event("x")], { cursor: "1" })).rejects.toMatchObject({
      code: "inbox_unavailable",
      retryAfterMs: 5_000,
      cause,
    });
    expect(await rows()).toEqual([]);
    expect(await test.store.channelState("memory", "default").cursor()).toBeNull();
  });

  it("of a listener whose lease is another's by now", async () => {
    const { leases } = test.store;
    const mine = await leases.acquire("memory:default", "a", 1_000);
    if (mine.kind !== "held") throw new Error("The lease should be free.");
    await clock.advance(2_000);
    await leases.acquire("memory:default", "b", 1_000);
    await expect(openInbox({ lease: mine.fence }).accept([event("x")])).rejects.toMatchObject({ code: "lease_lost" });
    expect(await rows()).toEqual([]);
  });

  it("of an account with too many waiting events, until some are done", async () => {
    const inbox = openInbox({ maxWaitingRows: 2 });
    await inbox.accept([event("1"), event("2")]);
    await clock.advance(2_000);
    const third = event("3");
    await expect(inbox.accept([third])).rejects.toMatchObject({ code: "inbox_full", retryAfterMs: 5_000 });
    const [first] = await rows();
    await test.store.commit([], [{ op: "inbox.end", ids: [first?.id ?? 0], ending: "done" }]);
    expect(await inbox.accept([third])).toMatchObject([{ kind: "accepted" }]);
  });
});

describe("debounce", () => {
  const debounce = { debounceMs: 0, byChannel: { memory: 700 } };

  it("lets quick texts of one person wait for each other, and nobody else", async () => {
    const inbox = openInbox({ debounce });
    await inbox.accept([event("a")]);
    await clock.advance(500);
    await inbox.accept([event("b"), event("c", { from: "bob", chat: "bob" })]);
    expect((await rows()).map((row) => row.notBeforeMs - clock.now())).toEqual([700, 700, 700]);
  });

  it("lets a command pass by", async () => {
    const inbox = openInbox({ debounce });
    await inbox.accept([event("a"), event("/stop")]);
    const [text, stop] = await rows();
    expect(text?.notBeforeMs).toBeGreaterThan(clock.now());
    expect(stop?.notBeforeMs).toBeLessThanOrEqual(clock.now());
  });
});

function without<Key extends keyof InboundEnvelope>(envelope: InboundEnvelope, key: Key): InboundEnvelope {
  const { [key]: _left, ...rest } = envelope;
  // As a channel written in JavaScript does.
  return rest as unknown as InboundEnvelope;
}
