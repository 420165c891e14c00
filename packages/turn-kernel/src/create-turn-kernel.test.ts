import { describe, expect, it } from "vitest";

import type { AccessFacts } from "./access-facts.ts";
import type { ChannelTurnAdmission } from "./channel-turn-admission.ts";
import { createTurnKernel } from "./create-turn-kernel.ts";
import type { KernelPorts } from "./kernel-ports.ts";
import type { RunDispatchControls } from "./prepared-channel-turn.ts";
import type { TurnKernel } from "./turn-kernel-api.ts";
import type { RunAssembledParams, RunPreparedParams } from "./turn-params.ts";

const BOOM = new Error("boom");
const CONTEXT = { CommandAuthorized: false, MessageSid: "m1", SessionKey: "s", RawBody: "hi" } as const;

interface Bench {
  readonly kernel: TurnKernel;
  readonly events: string[];
  readonly delivered: string[];
  readonly assembled: RunAssembledParams;
  readonly prepared: RunPreparedParams;
}

function bench(ports: Partial<KernelPorts> = {}): Bench {
  const events: string[] = [];
  const delivered: string[] = [];
  const kernel = createTurnKernel({
    clock: { now: () => 1, monotonic: () => 1, setTimer: () => () => {} },
    ids: { next: () => "id" },
    reply: async (context, sink) => sink.push({ text: `echo ${context.RawBody}` }, "final"),
    recordInboundSession: () => {},
    log: ({ stage, event, reason }) =>
      void events.push(`${stage}:${event}${reason === undefined ? "" : `(${reason})`}`),
    ...ports,
  });
  const turn = { channel: "test", ctxPayload: CONTEXT };
  return {
    kernel,
    events,
    delivered,
    assembled: {
      ...turn,
      delivery: { deliver: async ({ text }) => Promise.resolve(void delivered.push(text ?? "")) },
    },
    prepared: { ...turn, runDispatch: async () => Promise.resolve() },
  };
}

/** Both entry points for a finished context. */
const FINISHED = [
  [
    "runAssembled",
    async (at: Bench, more: Partial<RunAssembledParams>) => at.kernel.runAssembled({ ...at.assembled, ...more }),
  ],
  [
    "runPrepared",
    async (at: Bench, { delivery: _, runDispatch: __, ...more }: Partial<RunAssembledParams>) =>
      at.kernel.runPrepared({ ...at.prepared, ...more }),
  ],
] as const;

/** A stage that an entry point does not have tells that it is skipped. */
const NOT_OF_THIS_ENTRY = ["ingest", "classify", "preflight", "resolve"].flatMap((stage) => [
  `${stage}:start`,
  `${stage}:skipped`,
]);

describe.each(FINISHED)("%s", (_name, run) => {
  it("begins at record: its caller has authorized, and the context is finished", async () => {
    const at = bench();
    const result = await run(at, {});
    expect(at.events).toEqual([
      ...NOT_OF_THIS_ENTRY,
      "authorize:start",
      "authorize:skipped",
      "assemble:start",
      "assemble:skipped",
      "record:start",
      "record:done",
      "dispatch:start",
      "dispatch:done",
      "finalize:start",
      "finalize:skipped",
    ]);
    expect(result).toMatchObject({
      admission: { kind: "dispatch" },
      dispatched: true,
      ctxPayload: CONTEXT,
      routeSessionKey: "s",
      pass: "run",
    });
  });

  it.each<{ readonly access: AccessFacts; readonly end: string }>([
    { access: { dm: { decision: "allow", allowFrom: [] } }, end: "authorize:done" },
    { access: { dm: { decision: "deny", allowFrom: [] } }, end: "authorize:drop(dm_denied)" },
    { access: {}, end: "authorize:drop(access_facts_missing)" },
  ])("authorizes where access facts come along: $end", async ({ access, end }) => {
    const at = bench();
    const result = await run(at, { access, conversation: { kind: "direct", id: "c" }, sender: { id: "a" } });
    expect(at.events[NOT_OF_THIS_ENTRY.length + 1]).toBe(end);
    expect(result.dispatched).toBe(end === "authorize:done");
  });

  it.each<ChannelTurnAdmission>([
    { kind: "drop", reason: "d" },
    { kind: "handled", reason: "h" },
  ])("goes no further with an admission of $kind", async (admission) => {
    const recorded: string[] = [];
    const at = bench({ recordInboundSession: () => void recorded.push("recorded") });
    expect(await run(at, { admission })).toMatchObject({ admission, dispatched: false });
    expect([at.delivered, recorded]).toEqual([[], []]);
    expect(at.events.at(-1)).toBe("finalize:skipped");
  });

  it.each([
    ["delivered", {}, true],
    ["dropped", { admission: { kind: "drop" } }, false],
  ] as const)("tells onFinalize once: %s", async (_case, more, dispatched) => {
    const told: boolean[] = [];
    await run(bench(), { ...more, onFinalize: (result) => void told.push(result.dispatched) });
    expect(told).toEqual([dispatched]);
  });

  it("freezes the context", async () => {
    const ctxPayload = { ...CONTEXT };
    await run(bench(), { ctxPayload });
    expect(Object.isFrozen(ctxPayload)).toBe(true);
  });

  it("skips record where nobody records", async () => {
    const at = bench({ recordInboundSession: undefined });
    await run(at, {});
    expect(at.events).toContain("record:skipped");
  });

  it("records with what the turn says, and tells onPreDispatchFailure of a recorder that throws", async () => {
    const told: unknown[] = [];
    const at = bench();
    const failing = run(at, {
      recordInboundSession: async () => Promise.reject(BOOM),
      onPreDispatchFailure: (error) => void told.push(error),
    });
    await expect(failing).rejects.toBe(BOOM);
    expect(told).toEqual([BOOM]);
    expect(at.events).toContain("record:error");
    expect(at.events.at(-1)).toBe("finalize:skipped");
    expect(at.delivered).toEqual([]);
  });

  it("keeps the reason of the failure though onPreDispatchFailure throws", async () => {
    const failing = run(bench(), {
      recordInboundSession: async () => Promise.reject(BOOM),
      onPreDispatchFailure: async () => Promise.reject(new Error("hook")),
    });
    await expect(failing).rejects.toBe(BOOM);
  });

  it("lets the queue decide at the entry of dispatch, after record", async () => {
    const seen: unknown[] = [];
    const at = bench({
      beforeDispatch: async (turn) => {
        seen.push([
          turn.turnId,
          turn.attempt,
          turn.resumed,
          turn.channel,
          turn.routeSessionKey,
          turn.ctxPayload === CONTEXT,
        ]);
        return Promise.resolve({ kind: "deferred", mode: "followup" } as const);
      },
    });
    const result = await run(at, { turnId: "t", attempt: 2 });
    expect(seen).toEqual([["t", 2, false, "test", "s", true]]);
    expect(result).toMatchObject({
      dispatched: false,
      dispatchResult: { deferredToActiveRun: "followup" },
      pass: "admission",
    });
    expect(at.events).toContain("record:done");
    expect(at.events).toContain("dispatch:skipped(deferred:followup)");
    expect(at.delivered).toEqual([]);
  });
});

describe("runAssembled", () => {
  it("delivers through the dispatcher that the turn brings before the kernel's own", async () => {
    const at = bench({
      dispatchReplyWithBufferedBlockDispatcher: async () => Promise.reject(new Error("not this one")),
    });
    const dispatchResult = { queuedFinal: true, counts: { tool: 0, block: 0, final: 1 }, receipts: [] };
    const seen: unknown[] = [];
    const result = await at.kernel.runAssembled({
      ...at.assembled,
      cfg: { any: "thing" },
      async dispatchReplyWithBufferedBlockDispatcher({ ctx, cfg, turnId }) {
        seen.push(ctx, cfg, turnId);
        return Promise.resolve(dispatchResult);
      },
    });
    expect(seen).toEqual([CONTEXT, { any: "thing" }, "id"]);
    expect(result.dispatchResult).toEqual(dispatchResult);
  });

  it("says what is missing when nothing can make a reply", async () => {
    const at = bench({ reply: undefined });
    await expect(at.kernel.runAssembled(at.assembled)).rejects.toMatchObject({ code: "dispatcher_missing" });
  });

  it("shows nothing of an observed turn: no delivery, no typing", async () => {
    const at = bench();
    const typing: string[] = [];
    const result = await at.kernel.runAssembled({
      ...at.assembled,
      admission: { kind: "observeOnly" },
      replyPipeline: { onReplyStart: () => void typing.push("start"), onIdle: () => void typing.push("stop") },
    });
    expect([at.delivered, typing]).toEqual([[], []]);
    expect(result).toMatchObject({
      admission: { kind: "observeOnly" },
      dispatched: true,
      dispatchResult: { counts: { final: 1 } },
    });
  });

  it("shows nothing where the reply plan says none", async () => {
    const at = bench();
    await at.kernel.runAssembled({ ...at.assembled, reply: { to: "x", sourceReplyDeliveryMode: "none" } });
    expect(at.delivered).toEqual([]);
  });
});

describe("durable delivery", () => {
  it.each([undefined, false] as const)("is not used with durable %j", async (durable) => {
    const at = bench({
      durableDelivery: { deliver: async () => Promise.reject(BOOM), sendPart: async () => Promise.reject(BOOM) },
    });
    await at.kernel.runAssembled({ ...at.assembled, delivery: { ...at.assembled.delivery, durable } });
    expect(at.delivered).toEqual(["echo hi"]);
  });

  it.each([
    {
      case: "the reply plan",
      reply: { to: "to", messageThreadId: "th", replyToId: "r" },
      durable: {},
      options: { to: "to", threadId: "th", replyToId: "r" },
    },
    { case: "the final target", reply: { to: "to", replyTarget: "target" }, durable: {}, options: { to: "target" } },
    {
      case: "the delivery's override",
      reply: { to: "to", replyTarget: "target", deliveryTarget: "low" },
      durable: {},
      options: { to: "low" },
    },
    {
      case: "the options",
      reply: { to: "to", replyToId: "r" },
      durable: { to: "own", silent: true },
      options: { to: "own", replyToId: "r", silent: true },
    },
    { case: "no plan", reply: undefined, durable: { to: "own" }, options: { to: "own" } },
  ])("goes where $case says", async ({ reply, durable, options }) => {
    const seen: unknown[] = [];
    const at = bench({
      durableDelivery: {
        async deliver(request) {
          seen.push(request);
          return Promise.resolve({ messageIds: ["9"] });
        },
        sendPart: async () => Promise.reject(BOOM),
      },
    });
    const result = await at.kernel.runAssembled({
      ...at.assembled,
      reply,
      delivery: { ...at.assembled.delivery, durable },
    });
    expect(at.delivered).toEqual([]);
    expect(seen).toMatchObject([
      { payload: { text: "echo hi" }, info: { kind: "final", index: 0 }, options, turn: { turnId: "id" } },
    ]);
    expect(result.dispatchResult?.receipts).toMatchObject([{ platformMessageIds: ["9"] }]);
  });

  it("tells the channel's onError of a failure, and says what is missing without the port", async () => {
    const told: unknown[] = [];
    const durable = { deliver: async () => Promise.reject(BOOM), sendPart: async () => Promise.reject(BOOM) };
    const at = bench({ durableDelivery: durable });
    const delivery = {
      ...at.assembled.delivery,
      durable: {},
      onError: (error: unknown, info: object) => void told.push([error, info]),
    };
    await expect(at.kernel.runAssembled({ ...at.assembled, delivery })).rejects.toMatchObject({
      code: "delivery_failed",
      cause: BOOM,
    });
    expect(told).toEqual([[BOOM, { kind: "final" }]]);
    await expect(bench().kernel.runAssembled({ ...at.assembled, delivery })).rejects.toMatchObject({
      code: "durable_delivery_missing",
    });
  });
});

describe("runPrepared", () => {
  const sendPart = async ({ part, target }: { readonly part: unknown; readonly target: unknown }): Promise<never> =>
    Promise.resolve({
      kind: "sent",
      receipt: { platformMessageIds: [String(part)], parts: [], sentAt: 1 },
      target,
    } as never);

  it("hands the dispatch a signal, the outbox and the agent", async () => {
    const at = bench({ durableDelivery: { deliver: async () => Promise.reject(BOOM), sendPart } });
    const blocks: unknown[] = [];
    const sent: unknown[] = [];
    const result = await at.kernel.runPrepared({
      ...at.prepared,
      async runDispatch({ signal, observeOnly, send, reply }: RunDispatchControls) {
        sent.push(signal.aborted, observeOnly, await send("part", { to: "x" }));
        return reply({ push: async (payload, kind) => Promise.resolve(void blocks.push([payload, kind])) });
      },
    });
    expect(sent).toMatchObject([false, false, { kind: "sent", receipt: { platformMessageIds: ["part"] } }]);
    expect(blocks).toEqual([[{ text: "echo hi" }, "final"]]);
    expect(result.dispatchResult).toMatchObject({ queuedFinal: true, counts: { final: 1 } });
  });

  it.each([undefined, null, 5, { done: true }])(
    "counts a dispatch that returns %j as one that reports nothing",
    async (value) => {
      const at = bench();
      const result = await at.kernel.runPrepared({ ...at.prepared, runDispatch: async () => Promise.resolve(value) });
      expect(result).toMatchObject({ dispatched: true, dispatchResult: { queuedFinal: false, receipts: [] } });
    },
  );

  it("sends nothing while it only observes, and runs only if it can", async () => {
    const at = bench({
      durableDelivery: { deliver: async () => Promise.reject(BOOM), sendPart: async () => Promise.reject(BOOM) },
    });
    const seen: unknown[] = [];
    const params: RunPreparedParams = {
      ...at.prepared,
      admission: { kind: "observeOnly" },
      async runDispatch({ observeOnly, send }) {
        seen.push(observeOnly, await send("part", { to: "x" }));
      },
    };
    expect(await at.kernel.runPrepared(params)).toMatchObject({ dispatched: false });
    expect(seen).toEqual([]);
    expect(await at.kernel.runPrepared({ ...params, supportsObserveOnly: true })).toMatchObject({ dispatched: true });
    expect(seen).toEqual([true, { kind: "suppressed", reason: "observe_only" }]);
  });

  it("says what is missing when it sends without an outbox, and rethrows what it throws", async () => {
    const at = bench();
    const sends = at.kernel.runPrepared({ ...at.prepared, runDispatch: async ({ send }) => send("part", { to: "x" }) });
    await expect(sends).rejects.toMatchObject({ code: "durable_delivery_missing" });
    const throws = at.kernel.runPrepared({ ...at.prepared, runDispatch: async () => Promise.reject(BOOM) });
    await expect(throws).rejects.toBe(BOOM);
    expect(at.events.at(-1)).toBe("finalize:skipped");
  });
});
