import { createSystemClock } from "@turnwire/adapter-kit";
import type { InboxInsert, InboxRow, TurnStore } from "@turnwire/turn-ports";
import { afterEach, describe, expect, it, vi } from "vitest";

import { MESSAGES_DEFAULTS } from "../src/config/messages-config.ts";
import { createLaneDriver, type LaneDriver } from "../src/lanes/lane-driver.ts";
import { startLaneWorker } from "../src/lanes/lane-worker.ts";
import { createRunPermits, type RunPermits } from "../src/lanes/run-permits.ts";
import type { PassEnd, PassRequest, TurnPasses } from "../src/lanes/turn-pass.ts";
import type { QueueSettings } from "../src/queue/lane-policy.ts";
import { createCountedIds } from "./support/count-ids.ts";
import { createMemoryLog } from "./support/silent-log.ts";
import { createMemoryTelemetry } from "./support/memory-telemetry.ts";
import { createTestStore, type TestStore } from "./support/test-store.ts";

const clock = createSystemClock();
const followup: QueueSettings = { ...MESSAGES_DEFAULTS.queue, mode: "followup", debounceMs: 0 };

/** A lane set-up over the real store. What a turn does is the test's: `run` stands where the agent would. */
interface Rig {
  readonly store: TurnStore;
  readonly driver: LaneDriver;
  /** Texts in the order in which their runs began. */
  readonly began: readonly string[];
  readonly requests: readonly PassRequest[];
  readonly permits: RunPermits;
  say(lane: string, text: string, changes?: Partial<InboxInsert>): Promise<void>;
  settled(): Promise<void>;
}

interface RigOptions {
  readonly run: (text: string, request: PassRequest) => Promise<PassEnd>;
  readonly settings?: QueueSettings;
  readonly maxRuns?: number;
  readonly test?: TestStore;
}

const clean: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const step of clean.splice(0).toReversed()) await step();
});

async function setUp({
  run,
  settings = followup,
  maxRuns = 8,
  test = createTestStore(clock),
}: RigOptions): Promise<Rig> {
  const { store } = test;
  const log = createMemoryLog();
  const telemetry = createMemoryTelemetry();
  const ids = createCountedIds(`p${clean.length}`);
  const permits = createRunPermits(maxRuns);
  const began: string[] = [];
  const requests: PassRequest[] = [];
  const passes: TurnPasses = {
    async run(request) {
      const text = textOf(request.rows);
      request.begin();
      if (request.last.kind === "control") request.lane.passBy();
      else {
        const steer = { messageId: request.last.messageId, body: text, senderLabel: "ann" };
        const answer = await request.lane.arrive({ steer, line: `ann: ${text}` });
        if (answer.kind === "deferred") return { kind: "deferred", mode: answer.mode };
      }
      began.push(text);
      requests.push(request);
      return run(text, request);
    },
    giveUp: () => Promise.resolve(),
  };
  await store.open();
  const driver = createLaneDriver({
    store,
    clock,
    log,
    telemetry,
    owner: ids.next(),
    pollMs: 1_000,
    startWorker: (laneKey, fence) =>
      startLaneWorker({
        laneKey,
        fence,
        store,
        clock,
        ids,
        log,
        permits,
        passes,
        maxAttempts: 3,
        queueSettings: () => settings,
        isDebounced: () => false,
        rereadMs: 1_000,
        onDropped: () => undefined,
      }),
  });
  driver.start();
  let serial = 0;
  clean.push(async () => {
    await driver.drain(0);
    await store.close();
    test.remove();
  });
  return {
    store,
    driver,
    began,
    requests,
    permits,
    async say(lane, text, changes = {}) {
      serial += 1;
      const row: InboxInsert = {
        laneKey: `turn:${lane}`,
        dedupeKey: `${lane}:${text}:${serial}`,
        turnKey: `${lane}:${text}:${serial}`,
        messageId: `m${serial}`,
        change: "new",
        routePeer: { kind: "direct", id: lane },
        senderId: "ann",
        replyTarget: lane,
        kind: "text",
        raw: { type: "message", payload: text, receivedAtMs: 0 },
        ...changes,
      };
      await store.accept({ channel: "sim", accountId: "default", rows: [row] });
    },
    async settled() {
      await vi.waitFor(async () => expect((await store.inbox.counts()).waiting).toBe(0), {
        timeout: 10_000,
        interval: 10,
      });
    },
  };
}

function textOf(rows: readonly InboxRow[]): string {
  return rows.map((row) => JSON.stringify(row.raw.payload).slice(1, -1)).join("+");
}

/** Work that the test lets go on when it likes. */
function createHold(): { readonly held: Map<string, (end: PassEnd) => void>; readonly run: RigOptions["run"] } {
  const held = new Map<string, (end: PassEnd) => void>();
  return {
    held,
    run: (text, { scope }) =>
      new Promise((resolve) => {
        held.set(text, resolve);
        scope.signal.addEventListener("abort", () => resolve({ kind: "aborted" }), { once: true });
      }),
  };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

const done: PassEnd = { kind: "done" };
const until = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 5_000, interval: 5 });

describe("lanes over the real store", () => {
  it("run one turn at a time, in order of arrival", async () => {
    let active = 0;
    let most = 0;
    const rig = await setUp({
      async run() {
        active += 1;
        most = Math.max(most, active);
        await Promise.resolve();
        active -= 1;
        return done;
      },
    });
    for (const text of ["a", "b", "c", "d", "e"]) await rig.say("one", text);
    await rig.settled();
    expect(rig.began).toEqual(["a", "b", "c", "d", "e"]);
    expect(most).toBe(1);
    expect(await rig.store.inbox.counts()).toMatchObject({ accepted: 5, done: 5, dead: 0 });
  });

  it("go on beside a lane that hangs", async () => {
    const { held, run } = createHold();
    const rig = await setUp({ run: (text, request) => (text === "hang" ? run(text, request) : Promise.resolve(done)) });
    await rig.say("stuck", "hang");
    await until(() => expect(held.has("hang")).toBe(true));
    for (const text of ["a", "b"]) await rig.say("free", text);
    await until(() => expect(rig.began).toEqual(["hang", "a", "b"]));
    held.get("hang")?.(done);
    await rig.settled();
  });

  it("no lane starves another: a slot is taken when a head is ready, in turn", async () => {
    const { held, run } = createHold();
    const rig = await setUp({ run, maxRuns: 2 });
    await rig.say("other", "x");
    await until(() => expect(held.has("x")).toBe(true));
    for (let index = 0; index < 10; index += 1) await rig.say("busy", `a${index}`);
    await until(() => expect(held.has("a0")).toBe(true));
    await rig.say("late", "b");
    await until(() => expect(rig.permits.waiting).toBe(1));
    held.get("a0")?.(done);
    await until(() => expect(held.has("b")).toBe(true));
    expect(rig.began).toEqual(["x", "a0", "b"]);
  });

  it("control rows pass although every slot is taken, and stop reaches running and waiting work", async () => {
    const { held, run } = createHold();
    let stopped = -1;
    const rig = await setUp({
      maxRuns: 1,
      async run(text, request) {
        if (text !== "/stop") return run(text, request);
        const { senderId, id } = request.last;
        const target = { channel: "sim", accountId: "default", replyTarget: "one", direct: true };
        stopped = await request.lane.stop({ senderId, target, beforeRowId: id });
        return done;
      },
    });
    await rig.say("one", "a");
    await until(() => expect(held.has("a")).toBe(true));
    await rig.say("one", "b");
    await rig.say("one", "c");
    await rig.say("one", "/stop", { kind: "control", command: "stop" });
    await rig.settled();
    expect(stopped).toBe(3);
    expect(rig.began).toEqual(["a", "/stop"]);
    expect(await rig.store.inbox.counts()).toMatchObject({ handled: 3, done: 1 });
    await rig.say("one", "d");
    await until(() => expect(held.has("d")).toBe(true));
    held.get("d")?.(done);
    await rig.settled();
  });

  it("steer: a run takes what arrived, and both rows end with it", async () => {
    const { held, run } = createHold();
    const rig = await setUp({ run, settings: { ...followup, mode: "steer" } });
    await rig.say("one", "a");
    await until(() => expect(held.has("a")).toBe(true));
    await rig.say("one", "b");
    await vi.waitFor(async () => expect((await rig.store.inbox.get(2))?.deferredAs).toBe("steer"));
    const taken = await rig.requests[0]?.lane.takeSteer();
    expect(taken?.map((message) => message.body)).toEqual(["b"]);
    held.get("a")?.(done);
    await rig.settled();
    expect(rig.began).toEqual(["a"]);
    expect(await rig.store.inbox.get(2)).toMatchObject({ status: "done", mergedInto: rig.requests[0]?.turnId });
  });

  it("collect: what waits becomes one turn", async () => {
    const { held, run } = createHold();
    const rig = await setUp({ run, settings: { ...followup, mode: "collect" } });
    await rig.say("one", "a");
    await until(() => expect(held.has("a")).toBe(true));
    for (const text of ["b", "c", "d"]) await rig.say("one", text);
    await vi.waitFor(async () => expect((await rig.store.inbox.get(4))?.deferredAs).toBe("collect"));
    held.get("a")?.(done);
    await until(() => expect(held.has("b+c+d")).toBe(true));
    held.get("b+c+d")?.(done);
    await rig.settled();
    const rows = await Promise.all([2, 3, 4].map((id) => rig.store.inbox.get(id)));
    expect(rows.map((row) => row?.mergedInto ?? "own")).toEqual([
      rig.requests[1]?.turnId,
      rig.requests[1]?.turnId,
      "own",
    ]);
  });

  it("interrupt: the running turn ends interrupted and the new one runs", async () => {
    const { held, run } = createHold();
    const rig = await setUp({ run, settings: { ...followup, mode: "interrupt" } });
    await rig.say("one", "a");
    await until(() => expect(held.has("a")).toBe(true));
    await rig.say("one", "b");
    await until(() => expect(held.has("b")).toBe(true));
    held.get("b")?.(done);
    await rig.settled();
    expect(await rig.store.inbox.get(1)).toMatchObject({ status: "done", reason: "interrupted" });
  });

  it("moves on after every ending: a throw does not hold up those behind it", async () => {
    const rig = await setUp({
      run(text, request) {
        if (text === "bad") return Promise.resolve({ kind: "dead", reason: "broken" });
        return Promise.resolve(text === "flaky" && request.attempt === 0 ? { kind: "failed", reason: "away" } : done);
      },
    });
    for (const text of ["bad", "flaky", "good"]) await rig.say("one", text);
    await rig.settled();
    expect(rig.began.filter((text) => text === "flaky")).toHaveLength(2);
    expect(rig.began).toContain("good");
    expect(await rig.store.inbox.counts()).toMatchObject({ done: 2, dead: 1 });
    const [first, second] = rig.requests.filter((request) => textOf(request.rows) === "flaky");
    expect(second?.turnId).toBe(first?.turnId);
    expect(second).toMatchObject({ attempt: 1, resumed: true });
  });

  it("misses no message that lands around the end of the turn before", async () => {
    const rig = await setUp({ run: () => Promise.resolve(done), maxRuns: 64 });
    const lanes = Array.from({ length: 150 }, (_, index) => `lane${index}`);
    await Promise.all(
      lanes.map(async (lane, index) => {
        await rig.say(lane, "first");
        for (let turn = 0; turn < index % 20; turn += 1) await nextTurn();
        await rig.say(lane, "second");
      }),
    );
    await rig.settled();
    expect(await rig.store.inbox.counts()).toMatchObject({ accepted: 300, done: 300 });
  });

  it("a turn that was cut off runs again as the same turn, before those that waited, in order", async () => {
    const { held, run } = createHold();
    const first = createTestStore(clock);
    const before = await setUp({ run, test: first });
    await before.say("one", "a");
    await until(() => expect(held.has("a")).toBe(true));
    for (const text of ["b", "c", "d"]) await before.say("one", text);
    await vi.waitFor(async () => expect((await before.store.inbox.get(4))?.deferredAs).toBe("followup"));
    // The run had committed something: that is what a turn with a visible part has done.
    await before.requests[0]?.step.flush();
    await before.driver.drain(0);
    await before.store.close();

    const after = await setUp({ run: () => Promise.resolve(done), test: first.reopen() });
    await after.settled();
    expect(after.began).toEqual(["a", "b", "c", "d"]);
    expect(after.requests[0]).toMatchObject({ turnId: before.requests[0]?.turnId, attempt: 1, resumed: true });
    expect(await after.store.inbox.counts()).toMatchObject({ accepted: 4, done: 4 });
  });
});
