import { describe, expect, it } from "vitest";

import type { ChannelDeliveryResult, ChannelTurnDeliveryAdapter } from "./channel-delivery.ts";
import { createBufferedBlockDispatcher } from "./create-buffered-block-dispatcher.ts";
import type { DispatchResult, ReplyFunction, ReplyPipeline, ReplySink } from "./reply-dispatcher.ts";

const BOOM = new Error("boom");

interface Outcome {
  readonly delivered: readonly string[];
  readonly told: readonly (readonly [unknown, string])[];
  readonly result: DispatchResult | null;
  readonly thrown: unknown;
}

async function dispatch(
  reply: ReplyFunction,
  options: {
    readonly deliver?: (text: string) => Promise<ChannelDeliveryResult | void>;
    readonly onError?: ChannelTurnDeliveryAdapter["onError"];
    readonly pipeline?: ReplyPipeline;
  } = {},
): Promise<Outcome> {
  const delivered: string[] = [];
  const told: [unknown, string][] = [];
  const deliver = options.deliver ?? (async () => Promise.resolve());
  let result: DispatchResult | null = null;
  let thrown: unknown = null;
  try {
    result = await createBufferedBlockDispatcher({ reply, clock: { now: () => 7 } })({
      ctx: { CommandAuthorized: false },
      delivery: {
        async deliver(payload, info) {
          const answer = await deliver(payload.text ?? "");
          delivered.push(`${info.index}:${info.kind}:${payload.text}`);
          return answer;
        },
        onError: options.onError ?? ((error, { kind }) => void told.push([error, kind])),
      },
      pipeline: options.pipeline,
      signal: new AbortController().signal,
      turnId: "t",
    });
  } catch (error) {
    thrown = error;
  }
  return { delivered, told, result, thrown };
}

const three: ReplyFunction = async (_context, sink) => {
  await sink.push({ text: "a" }, "tool");
  await sink.push({ text: "b" }, "block");
  await sink.push({ text: "c" }, "final");
};

/** Pushes without waiting, as a runner may that streams. */
const threeAtOnce: ReplyFunction = async (_context, sink) => {
  void sink.push({ text: "a" }, "tool");
  void sink.push({ text: "b" }, "block");
  void sink.push({ text: "c" }, "final");
  return Promise.resolve();
};

describe("the buffered block dispatcher", () => {
  it.each([
    ["awaited pushes", three],
    ["pushes that nobody awaits", threeAtOnce],
  ])("delivers each block once, in order, with its kind and index: %s", async (_name, reply) => {
    const { delivered, result } = await dispatch(reply);
    expect(delivered).toEqual(["0:tool:a", "1:block:b", "2:final:c"]);
    expect(result).toEqual({ queuedFinal: true, counts: { tool: 1, block: 1, final: 1 }, receipts: [] });
  });

  it("never delivers two blocks at a time, however long one takes", async () => {
    let now = 0;
    let most = 0;
    await dispatch(threeAtOnce, {
      async deliver() {
        now += 1;
        most = Math.max(most, now);
        for (let hop = 0; hop < 5; hop += 1) await Promise.resolve();
        now -= 1;
      },
    });
    expect(most).toBe(1);
  });

  it("hands context, signal and turn id to the reply", async () => {
    const seen: unknown[] = [];
    await dispatch(async (context, _sink, { signal, turnId }) => {
      seen.push(context, signal.aborted, turnId);
      return Promise.resolve();
    });
    expect(seen).toEqual([{ CommandAuthorized: false }, false, "t"]);
  });

  it("says that there is no final when none was pushed", async () => {
    const { result } = await dispatch(async (_context, sink) => sink.push({ text: "a" }, "block"));
    expect(result).toMatchObject({ queuedFinal: false, counts: { tool: 0, block: 1, final: 0 } });
  });

  it.each<{ readonly case: string; readonly answer: ChannelDeliveryResult | undefined; readonly receipts: unknown }>([
    { case: "nothing", answer: undefined, receipts: [] },
    { case: "an empty object", answer: {}, receipts: [] },
    {
      case: "a receipt",
      answer: { receipt: { platformMessageIds: ["x"], parts: [], sentAt: 1 } },
      receipts: [{ platformMessageIds: ["x"], parts: [], sentAt: 1 }],
    },
    {
      case: "ids, thread and anchor",
      answer: { messageIds: ["1", "2"], threadId: "th", replyToId: "r" },
      receipts: [
        {
          platformMessageIds: ["1", "2"],
          primaryPlatformMessageId: "1",
          parts: [
            { platformMessageId: "1", kind: "unknown", index: 0, threadId: "th", replyToId: "r" },
            { platformMessageId: "2", kind: "unknown", index: 1, threadId: "th", replyToId: "r" },
          ],
          threadId: "th",
          replyToId: "r",
          sentAt: 7,
        },
      ],
    },
    { case: "no ids, though a thread", answer: { messageIds: [], threadId: "th" }, receipts: [] },
  ])("makes receipts of what deliver tells: $case", async ({ answer, receipts }) => {
    const { result } = await dispatch(async (_context, sink) => sink.push({ text: "a" }, "final"), {
      deliver: async () => Promise.resolve(answer),
    });
    expect(result?.receipts).toEqual(receipts);
  });
});

describe("a delivery that throws", () => {
  const failing = async (text: string): Promise<void> => (text === "b" ? Promise.reject(BOOM) : Promise.resolve());

  it.each([
    ["awaited pushes", three, 1],
    ["pushes that nobody awaits", threeAtOnce, 2],
    [
      "a reply that goes on behind the failure",
      async (_context: unknown, sink: ReplySink): Promise<void> => {
        for (const text of ["a", "b", "c"]) await sink.push({ text }, "tool").catch(() => {});
      },
      2,
    ],
  ] as const)("stops the rest, tells the kind, and reports what went out: %s", async (_name, reply, missed) => {
    const { delivered, told, thrown } = await dispatch(reply, { deliver: failing });
    expect(delivered).toEqual(["0:tool:a"]);
    expect(told).toEqual([[BOOM, reply === three || reply === threeAtOnce ? "block" : "tool"]]);
    expect(thrown).toMatchObject({
      code: "delivery_failed",
      cause: BOOM,
      message: `A reply block could not be delivered: 1 went out, ${missed} did not. See the cause.`,
    });
  });

  it("keeps its cause when onError throws too", async () => {
    const { thrown } = await dispatch(three, {
      deliver: failing,
      onError() {
        throw new Error("onError");
      },
    });
    expect(thrown).toMatchObject({ code: "delivery_failed", cause: BOOM });
  });

  it("fails the turn though the reply caught the rejection", async () => {
    const { thrown } = await dispatch(
      async (_context, sink) => {
        await sink.push({ text: "b" }, "final").catch(() => {});
      },
      { deliver: failing },
    );
    expect(thrown).toMatchObject({ code: "delivery_failed" });
  });
});

describe("a reply that throws", () => {
  it("leaves unchanged, after what it pushed was delivered", async () => {
    const { delivered, thrown } = await dispatch(async (_context, sink) => {
      void sink.push({ text: "a" }, "block");
      return Promise.reject(BOOM);
    });
    expect(delivered).toEqual(["0:block:a"]);
    expect(thrown).toBe(BOOM);
  });

  it("may throw at once", async () => {
    const { thrown } = await dispatch(() => {
      throw BOOM;
    });
    expect(thrown).toBe(BOOM);
  });
});

it("refuses a block that comes after the reply has ended: the turn is over", async () => {
  let late: ReplySink | null = null;
  const { delivered, result } = await dispatch(async (_context, sink) => {
    late = sink;
    return Promise.resolve();
  });
  await expect((late as unknown as ReplySink).push({ text: "late" }, "final")).rejects.toMatchObject({
    code: "reply_ended",
  });
  expect(delivered).toEqual([]);
  expect(result).toMatchObject({ queuedFinal: false });
});

describe("the pipeline around a reply", () => {
  it("starts before the reply, ends after the last delivery", async () => {
    const order: string[] = [];
    await dispatch(
      async (_context, sink) => {
        order.push("reply");
        void sink.push({ text: "a" }, "final");
        return Promise.resolve();
      },
      {
        deliver: async () => {
          order.push("deliver");
          return Promise.resolve();
        },
        pipeline: {
          onReplyStart: async () => Promise.resolve(void order.push("start")),
          onIdle: () => void order.push("idle"),
        },
      },
    );
    expect(order).toEqual(["start", "reply", "deliver", "idle"]);
  });

  it("changes payloads, and null suppresses one", async () => {
    const { delivered, result } = await dispatch(three, {
      pipeline: { transform: (payload, kind) => (kind === "block" ? null : { text: `${payload.text}!` }) },
    });
    expect(delivered).toEqual(["0:tool:a!", "2:final:c!"]);
    expect(result?.counts).toEqual({ tool: 1, block: 0, final: 1 });
  });

  it.each([
    ["awaited pushes", three],
    ["pushes that nobody awaits", threeAtOnce],
  ])("a transform that throws is a failed delivery, never swallowed: %s", async (_name, reply) => {
    const { thrown, told } = await dispatch(reply, {
      pipeline: {
        transform() {
          throw BOOM;
        },
      },
    });
    expect(thrown).toMatchObject({ code: "delivery_failed", cause: BOOM });
    expect(told).toEqual([[BOOM, "tool"]]);
  });

  it("is told of the end when the reply throws, and when its own start does", async () => {
    let idle = 0;
    const onIdle = (): void => void (idle += 1);
    const first = await dispatch(async () => Promise.reject(BOOM), { pipeline: { onIdle } });
    const second = await dispatch(three, { pipeline: { onReplyStart: async () => Promise.reject(BOOM), onIdle } });
    expect([first.thrown, second.thrown, second.delivered, idle]).toEqual([BOOM, BOOM, [], 2]);
  });

  it("does not make a failed turn of a delivered one when its end throws, whatever the report of it does", async () => {
    const pipeline: ReplyPipeline = {
      onIdle() {
        throw BOOM;
      },
    };
    const { thrown, delivered, told } = await dispatch(three, { pipeline });
    expect([thrown, delivered.length, told]).toEqual([null, 3, [[BOOM, "idle"]]]);
    const onError = (): never => {
      throw new Error("onError");
    };
    expect(await dispatch(three, { pipeline, onError })).toMatchObject({ thrown: null });
  });
});
