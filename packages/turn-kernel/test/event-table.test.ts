import { describe, expect, it } from "vitest";

import type { ResolvedAssembledTurn } from "../src/assembled-channel-turn.ts";
import type { ChannelTurnAdapter } from "../src/channel-turn-adapter.ts";
import type { ChannelTurnResult } from "../src/channel-turn-result.ts";
import { createChannelHistoryWindow } from "../src/create-channel-history-window.ts";
import { createTurnKernel } from "../src/create-turn-kernel.ts";
import type { HistoryEntry } from "../src/history-window.ts";
import type { KernelPorts } from "../src/kernel-ports.ts";
import { TURN_STAGES } from "../src/turn-stage.ts";

const BOOM = new Error("boom");
const boom = (): never => {
  throw BOOM;
};

interface Seen {
  readonly events: string[];
  readonly finalized: ChannelTurnResult[];
  readonly delivered: string[];
  readonly recorded: string[];
}

interface Run extends Seen {
  readonly result: ChannelTurnResult | null;
  readonly thrown: unknown;
}

const TURN: Omit<ResolvedAssembledTurn, "delivery"> = {
  sender: { id: "ann" },
  conversation: { kind: "direct", id: "ann" },
  access: { dm: { decision: "allow", allowFrom: [] } },
  route: { agentId: "main", routeSessionKey: "s" },
  reply: { to: "ann" },
  message: { rawBody: "hi" },
};

async function run(
  change: (
    seen: Seen,
    turn: ResolvedAssembledTurn,
  ) => Partial<ChannelTurnAdapter<string>> & { readonly turn?: Partial<ResolvedAssembledTurn> | object },
  ports: Partial<KernelPorts> = {},
  options: { readonly resumed?: boolean } = {},
): Promise<Run> {
  const seen: Seen = { events: [], finalized: [], delivered: [], recorded: [] };
  let ids = 0;
  const kernel = createTurnKernel({
    clock: { now: () => 1, monotonic: () => 1, setTimer: () => () => {} },
    ids: { next: () => String((ids += 1)) },
    reply: async (context, sink) => sink.push({ text: `echo ${context.RawBody}` }, "final"),
    recordInboundSession: ({ sessionKey }) => void seen.recorded.push(sessionKey),
    freezeFacts: true,
    ...ports,
  });
  const turn: ResolvedAssembledTurn = {
    ...TURN,
    delivery: {
      async deliver(payload) {
        seen.delivered.push(payload.text ?? "");
        return Promise.resolve({ messageIds: ["1"] });
      },
    },
  };
  const { turn: changed, ...adapter } = change(seen, turn);
  let result: ChannelTurnResult | null = null;
  let thrown: unknown = null;
  try {
    result = await kernel.run({
      channel: "test",
      raw: "hi",
      log: ({ stage, event, reason }) =>
        void seen.events.push(reason === undefined ? `${stage}:${event}` : `${stage}:${event}(${reason})`),
      adapter: {
        ingest: (raw) => ({ id: "m1", rawText: raw }),
        resolveTurn: () => ({ ...turn, ...changed }),
        onFinalize: (outcome) => void seen.finalized.push(outcome),
        ...adapter,
      },
      ...options,
    });
  } catch (error) {
    thrown = error;
  }
  return { ...seen, result, thrown };
}

/** Expected events of a turn that passes every stage up to one, whose last event is given. */
function upTo(stage: string, last: string, skipped: readonly string[] = ["classify", "preflight"]): string[] {
  const events: string[] = [];
  for (const name of TURN_STAGES) {
    if (name === "finalize") break;
    events.push(`${name}:start`);
    if (name === stage) {
      events.push(last);
      break;
    }
    events.push(`${name}:${skipped.includes(name) ? "skipped" : "done"}`);
  }
  return [...events, "finalize:start", "finalize:done"];
}

describe("every stage and outcome: events, onFinalize, result", () => {
  it.each<{
    readonly case: string;
    readonly change: Parameters<typeof run>[0];
    readonly ports?: Partial<KernelPorts>;
    readonly resumed?: boolean;
    readonly events: readonly string[];
    readonly admission: string;
    readonly dispatched: boolean;
    readonly delivered?: number;
    readonly throws?: boolean;
  }>([
    {
      case: "a plain turn",
      change: () => ({}),
      events: upTo("dispatch", "dispatch:done"),
      admission: "dispatch",
      dispatched: true,
      delivered: 1,
    },
    {
      case: "all callbacks",
      change: () => ({ classify: () => ({ kind: "message", canStartAgentTurn: true }), preflight: () => ({}) }),
      events: upTo("dispatch", "dispatch:done", []),
      admission: "dispatch",
      dispatched: true,
      delivered: 1,
    },
    {
      case: "ingest null",
      change: () => ({ ingest: () => null }),
      events: upTo("ingest", "ingest:drop(ingest_null)"),
      admission: "drop",
      dispatched: false,
    },
    {
      case: "ingest throws",
      change: () => ({ ingest: boom }),
      events: upTo("ingest", "ingest:error"),
      admission: "dispatch",
      dispatched: false,
      throws: true,
    },
    {
      case: "classify: no turn",
      change: () => ({ classify: () => ({ kind: "reaction", canStartAgentTurn: false }) }),
      events: upTo("classify", "classify:handled(event:reaction)", []),
      admission: "handled",
      dispatched: false,
    },
    {
      case: "classify throws",
      change: () => ({ classify: boom }),
      events: upTo("classify", "classify:error", []),
      admission: "dispatch",
      dispatched: false,
      throws: true,
    },
    {
      case: "ack throws",
      change: () => ({
        classify: () => ({ kind: "message", canStartAgentTurn: true, requiresImmediateAck: true }),
        ack: boom,
      }),
      events: upTo("classify", "classify:error", []),
      admission: "dispatch",
      dispatched: false,
      throws: true,
    },
    {
      case: "preflight drops",
      change: () => ({ preflight: () => ({ kind: "drop", reason: "dedupe" }) }),
      events: upTo("preflight", "preflight:drop(dedupe)", ["classify"]),
      admission: "drop",
      dispatched: false,
    },
    {
      case: "preflight drops by facts",
      change: () => ({ preflight: () => ({ admission: { kind: "drop", reason: "dedupe" } }) }),
      events: upTo("preflight", "preflight:drop(dedupe)", ["classify"]),
      admission: "drop",
      dispatched: false,
    },
    {
      case: "preflight handles",
      change: () => ({ preflight: () => ({ admission: { kind: "handled", reason: "button" } }) }),
      events: upTo("preflight", "preflight:handled(button)", ["classify"]),
      admission: "handled",
      dispatched: false,
    },
    {
      case: "preflight observes",
      change: () => ({ preflight: () => ({ kind: "observeOnly" }) }),
      events: upTo("dispatch", "dispatch:done", ["classify"]),
      admission: "observeOnly",
      dispatched: true,
      delivered: 0,
    },
    {
      case: "preflight throws",
      change: () => ({ preflight: boom }),
      events: upTo("preflight", "preflight:error", ["classify"]),
      admission: "dispatch",
      dispatched: false,
      throws: true,
    },
    {
      case: "resolve drops",
      change: () => ({ turn: { admission: { kind: "drop", reason: "no_owner" } } }),
      events: upTo("resolve", "resolve:drop(no_owner)"),
      admission: "drop",
      dispatched: false,
    },
    {
      case: "resolve handles",
      change: () => ({ turn: { admission: { kind: "handled", reason: "local" } } }),
      events: upTo("resolve", "resolve:handled(local)"),
      admission: "handled",
      dispatched: false,
    },
    {
      case: "resolve observes",
      change: () => ({ turn: { admission: { kind: "observeOnly" } } }),
      events: upTo("dispatch", "dispatch:done"),
      admission: "observeOnly",
      dispatched: true,
      delivered: 0,
    },
    {
      case: "resolve throws",
      change: () => ({ resolveTurn: boom }),
      events: upTo("resolve", "resolve:error"),
      admission: "dispatch",
      dispatched: false,
      throws: true,
    },
    {
      case: "authorize drops",
      change: () => ({ turn: { access: { dm: { decision: "deny", allowFrom: [] } } } }),
      events: upTo("authorize", "authorize:drop(dm_denied)"),
      admission: "drop",
      dispatched: false,
    },
    {
      case: "authorize handles",
      change: () => ({ turn: { access: { dm: { decision: "pairing", allowFrom: [] } } } }),
      events: upTo("authorize", "authorize:handled(pairing_required)"),
      admission: "handled",
      dispatched: false,
    },
    {
      case: "a fact that throws when authorize reads it",
      change: () => ({
        turn: {
          access: {
            dm: {
              allowFrom: [],
              get decision() {
                return boom();
              },
            },
          },
        },
      }),
      // Freezing would read it before.
      ports: { freezeFacts: false },
      events: upTo("authorize", "authorize:error"),
      admission: "dispatch",
      dispatched: false,
      throws: true,
    },
    {
      case: "a fact that throws when assemble reads it",
      change: () => ({
        turn: {
          message: {
            rawBody: "hi",
            get bodyForAgent() {
              return boom();
            },
          },
        },
      }),
      ports: { freezeFacts: false },
      events: upTo("assemble", "assemble:error"),
      admission: "dispatch",
      dispatched: false,
      throws: true,
    },
    {
      case: "nobody records",
      change: () => ({}),
      ports: { recordInboundSession: undefined },
      events: upTo("dispatch", "dispatch:done", ["classify", "preflight", "record"]),
      admission: "dispatch",
      dispatched: true,
      delivered: 1,
    },
    {
      case: "a recorder that rejects, and a hook that throws too",
      change: () => ({
        turn: { recordInboundSession: async () => Promise.reject(BOOM), onPreDispatchFailure: () => boom() },
      }),
      events: [
        ...upTo("record", "record:warning(pre_dispatch_failure_hook_failed)").slice(0, -2),
        "record:error",
        "finalize:start",
        "finalize:done",
      ],
      admission: "dispatch",
      dispatched: false,
      throws: true,
    },
    {
      case: "metadata that could not be written",
      change: () => ({
        turn: {
          recordInboundSession: ({ onRecordError }: { onRecordError: (error: unknown) => void }) => onRecordError(BOOM),
        },
      }),
      events: upTo("dispatch", "dispatch:done").flatMap((event) =>
        event === "record:done" ? ["record:warning(record_failed)", event] : [event],
      ),
      admission: "dispatch",
      dispatched: true,
      delivered: 1,
    },
    {
      case: "a session task that fails",
      change: () => ({
        turn: {
          recordInboundSession: ({
            trackSessionMetaTask,
          }: {
            trackSessionMetaTask: (task: Promise<unknown>) => void;
          }) => trackSessionMetaTask(Promise.reject(BOOM)),
        },
      }),
      events: upTo("dispatch", "dispatch:done").flatMap((event) =>
        event === "dispatch:start" ? [event, "dispatch:warning(session_meta_task_failed)"] : [event],
      ),
      admission: "dispatch",
      dispatched: true,
      delivered: 1,
    },
    {
      case: "record throws",
      change: () => ({ turn: { recordInboundSession: boom } }),
      events: upTo("record", "record:error"),
      admission: "dispatch",
      dispatched: false,
      throws: true,
    },
    {
      case: "deferred",
      change: () => ({}),
      ports: { beforeDispatch: () => ({ kind: "deferred", mode: "collect" }) },
      events: upTo("dispatch", "dispatch:skipped(deferred:collect)"),
      admission: "dispatch",
      dispatched: false,
    },
    {
      case: "the queue decision throws",
      change: () => ({}),
      ports: { beforeDispatch: boom },
      events: upTo("dispatch", "dispatch:error"),
      admission: "dispatch",
      dispatched: false,
      throws: true,
    },
    {
      case: "dispatch throws",
      change: () => ({}),
      ports: { reply: boom },
      events: upTo("dispatch", "dispatch:error"),
      admission: "dispatch",
      dispatched: true,
      throws: true,
    },
    {
      case: "a prepared turn",
      change: () => ({ turn: { delivery: undefined, runDispatch: async () => Promise.resolve(null) } }),
      events: upTo("dispatch", "dispatch:done"),
      admission: "dispatch",
      dispatched: true,
      delivered: 0,
    },
    {
      case: "a prepared turn that throws",
      change: () => ({ turn: { delivery: undefined, runDispatch: async () => Promise.reject(BOOM) } }),
      events: upTo("dispatch", "dispatch:error"),
      admission: "dispatch",
      dispatched: true,
      throws: true,
    },
    {
      case: "a prepared turn that is deferred",
      change: () => ({ turn: { delivery: undefined, runDispatch: boom } }),
      ports: { beforeDispatch: async () => Promise.resolve({ kind: "deferred", mode: "steer" }) },
      events: upTo("dispatch", "dispatch:skipped(deferred:steer)"),
      admission: "dispatch",
      dispatched: false,
    },
    {
      case: "a prepared turn that cannot observe",
      change: () => ({ turn: { delivery: undefined, runDispatch: boom, admission: { kind: "observeOnly" } } }),
      events: upTo("dispatch", "dispatch:skipped(observe_only_unsupported)"),
      admission: "observeOnly",
      dispatched: false,
    },
    {
      case: "a prepared turn that can",
      change: () => ({
        turn: {
          delivery: undefined,
          supportsObserveOnly: true,
          runDispatch: async () => Promise.resolve(null),
          admission: { kind: "observeOnly" },
        },
      }),
      events: upTo("dispatch", "dispatch:done"),
      admission: "observeOnly",
      dispatched: true,
      delivered: 0,
    },
  ])("$case", async ({ change, ports, events, admission, dispatched, delivered = 0, throws = false }) => {
    const outcome = await run(change, ports);
    expect(outcome.events).toEqual(events);
    expect(outcome.finalized).toHaveLength(1);
    expect(outcome.finalized[0]).toMatchObject({ admission: { kind: admission }, dispatched });
    expect(outcome.delivered).toHaveLength(delivered);
    expect(outcome.thrown).toBe(throws ? BOOM : null);
    if (throws) expect(outcome.finalized[0]).toMatchObject({ error: BOOM, failedStage: events.at(-3)?.split(":")[0] });
    else expect(outcome.result).toEqual(outcome.finalized[0]);
  });

  it("finalize that throws is logged and changes nothing", async () => {
    const outcome = await run(() => ({ onFinalize: boom }));
    expect(outcome.events.slice(-2)).toEqual(["finalize:start", "finalize:error"]);
    expect(outcome).toMatchObject({ thrown: null, result: { dispatched: true }, delivered: ["echo hi"] });
  });

  it("acknowledges once, before preflight, and not again on the resumed pass", async () => {
    const order: string[] = [];
    const change: Parameters<typeof run>[0] = () => ({
      classify: () => ({ kind: "message", canStartAgentTurn: true, requiresImmediateAck: true }),
      ack: async () => Promise.resolve(void order.push("ack")),
      preflight: () => {
        order.push("preflight");
        return {};
      },
    });
    await run(change);
    await run(change, {}, { resumed: true });
    expect(order).toEqual(["ack", "preflight", "preflight"]);
  });

  it("releases what an adapter started, once, newest first, however the turn ends; a release that fails is told", async () => {
    for (const end of ["done", "thrown", "dropped"] as const) {
      const released: string[] = [];
      const outcome = await run(() => ({
        preflight: (_input, _eventClass, { scope }) => {
          scope.onRelease(() => void released.push("first"));
          scope.onRelease(() => void released.push("second"));
          scope.onRelease(boom);
          return end === "dropped" ? { kind: "drop" } : {};
        },
        ...(end === "thrown" ? { resolveTurn: boom } : {}),
      }));
      expect(released).toEqual(["second", "first"]);
      expect(outcome.events.at(-1)).toBe("finalize:warning(release_failed)");
      expect(outcome.thrown).toBe(end === "thrown" ? BOOM : null);
    }
  });

  it("takes the bodies that ingest cleaned where no later stage gives one", async () => {
    const ingest = (): object => ({ id: "m1", rawText: "@bot /hi", textForAgent: "hi there", textForCommands: "/hi" });
    const change =
      (turn: object): Parameters<typeof run>[0] =>
      () => ({ ingest: ingest as never, turn });
    const bare = await run(change({ message: { rawBody: "@bot /hi" } }));
    expect(bare.result?.ctxPayload).toMatchObject({
      BodyForAgent: "hi there",
      CommandBody: "/hi",
      RawBody: "@bot /hi",
    });
    const own = await run(change({ message: { rawBody: "r", bodyForAgent: "a", commandBody: "c" } }));
    expect(own.result?.ctxPayload).toMatchObject({ BodyForAgent: "a", CommandBody: "c", RawBody: "r" });
  });

  it.each([
    ["in development and tests", true],
    ["elsewhere", false],
  ])("facts are frozen at the adapter's border %s: %s", async (_where, freezeFacts) => {
    const input = { id: "m1", rawText: "hi" };
    const facts = { sender: { name: "Ann" } };
    const turn = { route: { agentId: "main", routeSessionKey: "s" } };
    await run(() => ({ ingest: () => input, preflight: () => facts, turn }), { freezeFacts });
    expect([input, facts, facts.sender, turn.route].map((value) => Object.isFrozen(value))).toEqual(
      Array.from({ length: 4 }, () => freezeFacts),
    );
  });

  it.each([
    ["the turn", { accountId: "turn", route: { agentId: "m", routeSessionKey: "s", accountId: "route" } }, "turn"],
    ["else its route", { route: { agentId: "m", routeSessionKey: "s", accountId: "route" } }, "route"],
  ])("an event's account is that of %s", async (_case, turn, accountId) => {
    const accounts: unknown[] = [];
    await run(() => ({ turn }), { log: (event) => void accounts.push(event.accountId) });
    expect(accounts.at(-1)).toBe(accountId);
    expect(accounts[0]).toBeUndefined();
  });

  it.each([
    [{ route: { agentId: "m", routeSessionKey: "route" }, routeSessionKey: "turn" }, "route", "m"],
    [{ route: undefined, routeSessionKey: "turn", agentId: "own" }, "turn", "own"],
  ])("session and agent come from the route, else from the turn: %j", async (turn, key, agentId) => {
    const seen: unknown[] = [];
    const beforeDispatch: KernelPorts["beforeDispatch"] = (at) => {
      seen.push(at.routeSessionKey, at.agentId);
      return { kind: "run" };
    };
    const outcome = await run(() => ({ turn }), { beforeDispatch });
    expect(seen).toEqual([key, agentId]);
    expect(outcome.result?.routeSessionKey).toBe(key);
  });

  it("history that cannot be written is a warning", async () => {
    const history = { ...createChannelHistoryWindow(), recordWithMedia: async () => Promise.reject(BOOM) };
    const outcome = await run(
      () => ({
        preflight: () => ({ admission: { kind: "drop", recordHistory: true }, history: { key: "k", limit: 1 } }),
      }),
      { history },
    );
    expect(outcome.events).toContain("preflight:warning(history_not_recorded)");
    expect(outcome).toMatchObject({ thrown: null, result: { admission: { kind: "drop" } } });
  });

  it("a finalize that rejects is logged and changes nothing", async () => {
    const outcome = await run(() => ({ onFinalize: async () => Promise.reject(BOOM) }));
    expect(outcome.events.slice(-2)).toEqual(["finalize:start", "finalize:error"]);
    expect(outcome.thrown).toBeNull();
  });

  it("errors are in their events", async () => {
    for (const change of [
      { resolveTurn: boom },
      { onFinalize: boom },
      { onFinalize: async () => Promise.reject(BOOM) },
    ]) {
      const errors: unknown[] = [];
      await run(() => change, { log: ({ event, error }) => void (event === "error" && errors.push(error)) });
      expect(errors).toEqual([BOOM]);
    }
  });

  it("a log that throws changes nothing", async () => {
    const outcome = await run(() => ({}), { log: boom });
    expect(outcome).toMatchObject({ thrown: null, delivered: ["echo hi"] });
  });

  it("tells which pass it was: a first pass that runs, one that is deferred, a resumed one", async () => {
    const passes = [
      await run(() => ({})),
      await run(() => ({}), { beforeDispatch: () => ({ kind: "deferred", mode: "steer" }) }),
      await run(() => ({}), {}, { resumed: true }),
    ];
    expect(passes.map(({ result }) => [result?.pass, result?.dispatchResult?.deferredToActiveRun])).toEqual([
      ["run", undefined],
      ["admission", "steer"],
      ["run", undefined],
    ]);
  });

  it("records under the persisted, else the dispatch, else the route key", async () => {
    const keys = [{}, { dispatchSessionKey: "d" }, { dispatchSessionKey: "d", persistedSessionKey: "p" }];
    const recorded = await Promise.all(
      keys.map(
        async (more) =>
          (await run(() => ({ turn: { route: { agentId: "main", routeSessionKey: "s", ...more } } }))).recorded[0],
      ),
    );
    expect(recorded).toEqual(["s", "d", "p"]);
  });

  it("tells onPreDispatchFailure of a recorder that throws, and waits for session tasks before finalize", async () => {
    const told: unknown[] = [];
    await run(() => ({
      turn: { recordInboundSession: boom, onPreDispatchFailure: (error: unknown) => void told.push(error) },
    }));
    expect(told).toEqual([BOOM]);
    let isDone = false;
    const outcome = await run(() => ({
      onFinalize: () => void told.push(isDone),
      turn: {
        recordInboundSession: ({
          trackSessionMetaTask,
        }: {
          trackSessionMetaTask?: (task: Promise<unknown>) => void;
        }) => {
          const task = new Promise<void>((resolve) => {
            setImmediate(resolve);
          });
          trackSessionMetaTask?.(task.then(() => (isDone = true)));
        },
      },
    }));
    expect(outcome.thrown).toBeNull();
    expect(told.at(-1)).toBe(true);
  });

  it("remembers a dropped group message once, with its sender, and not on the resumed pass", async () => {
    const historyMap = new Map<string, HistoryEntry[]>();
    const ports = { history: createChannelHistoryWindow({ historyMap }) };
    const change: Parameters<typeof run>[0] = () => ({
      turn: {
        sender: { id: "u1", name: "Ann" },
        conversation: { kind: "group", id: "g" },
        access: {
          group: { policy: "open", routeAllowed: true, senderAllowed: true, allowFrom: [], requireMention: true },
          mentions: { canDetectMention: true, wasMentioned: false },
        },
        history: { key: "g", limit: 5 },
      },
    });
    await run(change, ports);
    await run(change, ports, { resumed: true });
    expect(historyMap.get("g")).toEqual([
      { sender: "Ann", body: "hi", messageId: "m1", senderId: "u1", senderAllowed: true },
    ]);
  });

  it("takes preflight's facts where resolve gives none, field by field", async () => {
    const outcome = await run(() => ({
      preflight: () => ({
        access: { mentions: { canDetectMention: true, wasMentioned: true } },
        sender: { name: "from preflight", username: "p" },
      }),
      turn: { sender: { id: "ann", name: "from resolve" } },
    }));
    expect(outcome.result?.ctxPayload).toMatchObject({
      WasMentioned: true,
      SenderName: "from resolve",
      SenderUsername: "p",
    });
  });

  it.each([
    {
      case: "ingest without id",
      change: () => ({ ingest: () => ({ rawText: "x" }) }),
      says: /ingest returned "id" as undefined; expected a string/,
    },
    {
      case: "ingest of a number",
      change: () => ({ ingest: () => 5 }),
      says: /ingest returned number; expected a NormalizedTurnInput or null/,
    },
    {
      case: "classify of an unknown kind",
      change: () => ({ classify: () => ({ kind: "x", canStartAgentTurn: true }) }),
      says: /classify returned "kind" as string; expected one of message/,
    },
    {
      case: "preflight of an unknown admission",
      change: () => ({ preflight: () => ({ kind: "x" }) }),
      says: /preflight returned "admission.kind"/,
    },
    {
      case: "a turn without delivery",
      change: () => ({ turn: { delivery: undefined } }),
      says: /resolveTurn returned "delivery" as undefined/,
    },
    {
      case: "a turn with facts and a context",
      change: () => ({ turn: { ctxPayload: { CommandAuthorized: false } } }),
      says: /resolveTurn returned "ctxPayload"/,
    },
    {
      case: "a turn with neither",
      change: () => ({ turn: { message: undefined } }),
      says: /resolveTurn returned "message"/,
    },
  ])("$case: an error that names callback, field and expectation; finalized", async ({ change, says }) => {
    const outcome = await run(change as unknown as Parameters<typeof run>[0]);
    expect(outcome.thrown).toMatchObject({
      code: "adapter_shape_invalid",
      message: expect.stringMatching(says) as string,
    });
    expect(outcome.finalized).toHaveLength(1);
  });
});
