import { createManualClock, type ManualClock } from "@turnwire/adapter-kit";
import { type AccountStatus, type Channel, type LeaseStore, type TurnStore, TurnwireError } from "@turnwire/turn-ports";
import { afterEach, describe, expect, it } from "vitest";

import { createChannelInbox } from "../src/inbox/create-channel-inbox.ts";
import { createAgentRouter } from "../src/routing/agent-router.ts";
import type { AccountHealth } from "../src/supervision/account-health.ts";
import { createListenerSupervisor, type ListenerSupervisor } from "../src/supervision/listener-supervisor.ts";
import { createCountedIds } from "./support/count-ids.ts";
import { createMemoryTelemetry } from "./support/memory-telemetry.ts";
import { createScriptedListener, healthyRun, untilAborted } from "./support/scripted-listener.ts";
import { createMemoryLog } from "./support/silent-log.ts";
import { createTestStore, type TestStore } from "./support/test-store.ts";

const router = createAgentRouter({
  agents: [{ id: "main", default: true, disabled: false }],
  bindings: [],
  dmScope: "main",
});

interface Node {
  readonly supervisor: ListenerSupervisor;
  /** Statuses in the order in which they were told, each change once. */
  readonly statuses: readonly AccountStatus[];
  readonly log: ReturnType<typeof createMemoryLog>;
  readonly clock: ManualClock;
}

const stores: TestStore[] = [];
const nodes: Node[] = [];
let clock: ManualClock = createManualClock();

afterEach(async () => {
  for (const { supervisor, clock: own } of nodes.splice(0)) {
    const stopped = supervisor.stop();
    await go(1_000);
    await own.advance(20_000);
    await stopped;
  }
  for (const test of stores.splice(0)) {
    await test.store.close();
    test.remove();
  }
});

async function openStore(): Promise<TestStore> {
  clock = createManualClock();
  const test = createTestStore(clock);
  stores.push(test);
  await test.store.open();
  return test;
}

function startNode(store: TurnStore, channel: Channel, owner = "a", own: ManualClock = clock): Node {
  const statuses: AccountStatus[] = [];
  const log = createMemoryLog();
  const supervisor = createListenerSupervisor({
    channel,
    store,
    clock: own,
    ids: createCountedIds(),
    log,
    owner,
    openInbox: (lease) =>
      createChannelInbox({
        channel,
        store,
        router,
        inbound: { debounceMs: 0, byChannel: {} },
        clock: own,
        telemetry: createMemoryTelemetry(),
        lease,
      }),
    onHealth(health: AccountHealth) {
      if (statuses.at(-1) !== health.status) statuses.push(health.status);
    },
    random: () => 1,
  });
  const node = { supervisor, statuses, log, clock: own };
  nodes.push(node);
  supervisor.start();
  return node;
}

/** Lets time pass in steps short enough for the store's thread to answer between timers. */
async function go(ms: number, stepMs = 250): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) {
    await clock.advance(Math.min(stepMs, ms - passed));
    await stores[0]?.store.ping().catch(() => {});
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}

const refuse = (code: string): TurnwireError => new TurnwireError({ code, message: `The platform says ${code}.` });
const said = (updateId: number, text = "hi") => ({
  type: "message",
  receivedAtMs: 0,
  payload: {
    updateId,
    messageId: `m${updateId}`,
    chat: "dm",
    chatKind: "direct",
    from: "ann",
    text,
    mentionsBot: false,
  },
});

describe("health", () => {
  it("comes from exchanges alone: ok once connected, degraded by a failed one, ok by the next", async () => {
    const { store } = await openStore();
    const channel = createScriptedListener({
      run:
        () =>
        async ({ signal }) =>
          untilAborted(signal),
    });
    const { supervisor } = startNode(store, channel);
    await go(60_000);
    expect(supervisor.health().status).toBe("starting");
    const [context] = channel.contexts;
    context?.health.connected();
    expect(supervisor.health()).toMatchObject({ status: "ok", lastExchangeMs: clock.now() });
    context?.health.exchangeFailed(refuse("502"));
    expect(supervisor.health()).toMatchObject({ status: "degraded", lastError: "The platform says 502." });
    await go(1_000);
    context?.health.exchangeOk();
    expect(supervisor.health()).toMatchObject({ status: "ok", lastError: undefined, sinceMs: clock.now() });
    context?.health.conflict("Somebody else polls with this token.");
    expect(supervisor.health()).toMatchObject({
      status: "degraded",
      lastError: "Somebody else polls with this token.",
    });
  });

  it("is stopped for an account that is switched off, without a single call", async () => {
    const { store } = await openStore();
    const channel = createScriptedListener({ run: () => healthyRun, enabled: false });
    const { supervisor } = startNode(store, channel);
    await go(5_000);
    expect(supervisor.health().status).toBe("stopped");
    expect(channel.contexts).toEqual([]);
  });

  it("is not told by a listener that was left behind", async () => {
    const { store } = await openStore();
    const channel = createScriptedListener({
      run: (index) => (index === 0 ? async () => new Promise(() => {}) : healthyRun),
    });
    const { supervisor, log } = startNode(store, channel);
    await go(1_000);
    const restarted = supervisor.restart();
    await go(11_000);
    await restarted;
    await go(1_000);
    expect(supervisor.health().status).toBe("ok");
    channel.contexts[0]?.health.conflict("An old conflict.");
    expect(supervisor.health().status).toBe("ok");
    await expect(channel.contexts[0]?.inbox.accept([said(1)])).rejects.toMatchObject({ code: "lease_lost" });
    expect(log.problems.map((problem) => problem.message)).toEqual([
      "The listener does not stop when it is told to; it is left behind",
    ]);
  });
});

describe("restarts", () => {
  it("end at once for a bad token: failed, with what to do, until somebody acts", async () => {
    const { store } = await openStore();
    let token = "bad";
    const channel = createScriptedListener({
      run: () => (token === "bad" ? async () => Promise.reject(refuse("401")) : healthyRun),
      classifyError: () => ({ kind: "fatal", hint: "Put the bot's token into channels.memory.token." }),
    });
    const { supervisor, statuses } = startNode(store, channel);
    await go(600_000, 10_000);
    expect(channel.contexts).toHaveLength(1);
    expect(statuses).not.toContain("ok");
    expect(supervisor.health()).toMatchObject({
      status: "failed",
      lastError: "Put the bot's token into channels.memory.token.",
    });
    token = "good";
    await supervisor.restart();
    await go(1_000);
    expect(supervisor.health().status).toBe("ok");
  });

  it("back off while the platform answers 502 twenty times, and recover", async () => {
    const { store } = await openStore();
    const startedAtMs: number[] = [];
    const channel = createScriptedListener({
      run: (index) => async (context) => {
        startedAtMs.push(clock.monotonic());
        if (index < 20) throw refuse("502");
        await healthyRun(context);
      },
    });
    const { supervisor } = startNode(store, channel);
    await go(20 * 60_000, 500);
    const pauses = startedAtMs.slice(1).map((atMs, index) => Math.round((atMs - (startedAtMs[index] ?? 0)) / 1_000));
    expect(pauses.slice(0, 8)).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
    expect(channel.contexts).toHaveLength(21);
    expect(supervisor.health()).toMatchObject({ status: "ok", restarts: 20 });
  });

  it("make few calls a minute while somebody else uses the token", async () => {
    const { store } = await openStore();
    const channel = createScriptedListener({
      run:
        () =>
        async ({ health }) => {
          health.conflict("Somebody else polls with this token; stop it, or give this account its own.");
          throw refuse("409");
        },
    });
    const { supervisor, statuses } = startNode(store, channel);
    await go(60_000);
    expect(channel.contexts.length).toBeLessThanOrEqual(7);
    const before = channel.contexts.length;
    await go(600_000, 1_000);
    expect(channel.contexts.length - before).toBeLessThanOrEqual(11);
    expect(statuses).toEqual(["degraded"]);
    expect(supervisor.health().lastError).toBe("The platform says 409.");
  });

  it("begin with short pauses again after a stable run, and wait as long as the platform asks", async () => {
    const { store } = await openStore();
    const startedAtMs: number[] = [];
    const channel = createScriptedListener({
      run: (index) => async (context) => {
        startedAtMs.push(clock.monotonic());
        if (index === 3) {
          context.health.connected();
          await new Promise<void>((resolve) => {
            clock.setTimer(resolve, 6_000);
          });
        }
        throw refuse(index === 4 ? "429" : "502");
      },
      classifyError: (error) =>
        TurnwireError.isInstance(error, "429") ? { kind: "retry", afterMs: 30_000 } : { kind: "retry" },
    });
    startNode(store, channel);
    await go(90_000);
    const pauses = startedAtMs.slice(1).map((atMs, index) => Math.round((atMs - (startedAtMs[index] ?? 0)) / 1_000));
    expect(pauses.slice(0, 5)).toEqual([1, 2, 4, 6 + 1, 30]);
  });

  it("follow when a listener ends by itself, and health says so meanwhile", async () => {
    const { store } = await openStore();
    const channel = createScriptedListener({
      run: (index) => (index === 0 ? async ({ health }) => health.connected() : healthyRun),
    });
    const { supervisor, statuses } = startNode(store, channel);
    await go(5_000);
    expect(statuses).toEqual(["ok", "degraded", "ok"]);
    expect(supervisor.health().restarts).toBe(1);
  });

  it("do not touch other accounts", async () => {
    const { store } = await openStore();
    const stuck = startNode(store, createScriptedListener({ run: () => async () => new Promise(() => {}) }));
    const well = startNode(store, createScriptedListener({ run: () => healthyRun }));
    await go(2_000);
    expect([stuck, well].map(({ supervisor }) => supervisor.health().status)).toEqual(["starting", "ok"]);
  });
});

describe("a listener that must be single", () => {
  const single = { singleListener: true } as const;

  it("runs on one node; the other stands by visibly, and takes over when the first stops", async () => {
    const { store } = await openStore();
    const first = createScriptedListener({ run: () => healthyRun, ...single });
    const second = createScriptedListener({ run: () => healthyRun, ...single });
    const a = startNode(store, first, "a");
    await go(500);
    const b = startNode(store, second, "b");
    await go(30_000);
    expect([a, b].map(({ supervisor }) => supervisor.health().status)).toEqual(["ok", "standby"]);
    expect(second.contexts).toEqual([]);
    await a.supervisor.stop();
    await go(2_000);
    expect([a, b].map(({ supervisor }) => supervisor.health().status)).toEqual(["stopped", "ok"]);
    expect(b.statuses).toEqual(["standby", "starting", "ok"]);
  });

  it("lets go before its lease ends when it cannot renew it, and is taken over within a term", async () => {
    const { store } = await openStore();
    const first = createScriptedListener({ run: () => healthyRun, ...single });
    const second = createScriptedListener({ run: () => healthyRun, ...single });
    let isCut = false;
    const a = startNode(
      withLeases(store, (leases) => ({
        acquire: async (...args) => (isCut ? Promise.reject(refuse("store_unavailable")) : leases.acquire(...args)),
        renew: async (...args) => (isCut ? Promise.reject(refuse("store_unavailable")) : leases.renew(...args)),
        release: async (fence) => (isCut ? Promise.reject(refuse("store_unavailable")) : leases.release(fence)),
      })),
      first,
      "a",
    );
    await go(500);
    const b = startNode(store, second, "b");
    await go(20_000);
    isCut = true;
    const cutAtMs = clock.monotonic();
    let letGoAtMs = 0;
    first.contexts[0]?.signal.addEventListener("abort", () => {
      letGoAtMs = clock.monotonic();
    });
    await go(12_000);
    expect(a.supervisor.health().status).toBe("degraded");
    expect(b.supervisor.health().status).toBe("ok");
    expect(letGoAtMs - cutAtMs).toBeGreaterThan(5_000);
    expect(letGoAtMs - cutAtMs).toBeLessThanOrEqual(8_500);
    // It had let go for longer than a call takes when the other began.
    expect(second.contexts).toHaveLength(1);
    isCut = false;
    await go(2_000);
    expect(a.supervisor.health().status).toBe("standby");
  });

  it("stops at once when another has its lease, and what it still brings is refused", async () => {
    const { store } = await openStore();
    const first = createScriptedListener({ run: () => healthyRun, ...single });
    const frozen = withLeases(store, (leases) => ({ ...leases, renew: async () => Promise.resolve(false) }));
    const a = startNode(frozen, first, "a");
    await go(500);
    const [context] = first.contexts;
    expect(await context?.inbox.accept([said(1)], { cursor: "1" })).toMatchObject([{ kind: "accepted" }]);
    await go(2_500);
    expect(context?.signal.aborted).toBe(true);
    await expect(context?.inbox.accept([said(2)], { cursor: "2" })).rejects.toMatchObject({ code: "lease_lost" });
    expect(await store.channelState("memory", "default").cursor()).toBe("1");
    await go(500);
    expect(a.supervisor.health().restarts).toBeGreaterThan(0);
  });

  it("is fenced by the store when it was frozen past its lease, and stands by when it wakes", async () => {
    const { store } = await openStore();
    const first = createScriptedListener({ run: () => healthyRun, ...single });
    const second = createScriptedListener({ run: () => healthyRun, ...single });
    // A clock of its own, which stands still while the process is frozen.
    const frozenClock = createManualClock();
    const a = startNode(store, first, "a", frozenClock);
    await go(500);
    const b = startNode(store, second, "b");
    await go(12_000);
    expect(b.supervisor.health().status).toBe("ok");
    const [context] = first.contexts;
    // Awake, before any of its timers has fired: what it brings is not stored, and its cursor does not move.
    await expect(context?.inbox.accept([said(1)], { cursor: "1" })).rejects.toMatchObject({ code: "lease_lost" });
    expect(await store.channelState("memory", "default").cursor()).toBeNull();
    await frozenClock.advance(15_000);
    await go(1_000);
    expect(context?.signal.aborted).toBe(true);
    await frozenClock.advance(100);
    await go(1_000);
    expect([a, b].map(({ supervisor }) => supervisor.health().status)).toEqual(["standby", "ok"]);
    expect(first.contexts).toHaveLength(1);
  });

  it("keeps its lease over jumps of the wall clock", async () => {
    const { store } = await openStore();
    const channel = createScriptedListener({ run: () => healthyRun, ...single });
    const { supervisor } = startNode(store, channel);
    await go(5_000);
    for (const ms of [3_600_000, -7_200_000]) {
      clock.jump(ms);
      await go(15_000);
    }
    expect(supervisor.health()).toMatchObject({ status: "ok", restarts: 0 });
    expect(channel.contexts).toHaveLength(1);
  });
});

function withLeases(store: TurnStore, change: (leases: LeaseStore) => LeaseStore): TurnStore {
  const leases = change({
    acquire: async (...args) => store.leases.acquire(...args),
    renew: async (...args) => store.leases.renew(...args),
    release: async (fence) => store.leases.release(fence),
  });
  return new Proxy(store, {
    get(target, name) {
      if (name === "leases") return leases;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}
