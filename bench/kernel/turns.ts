import { createTurnKernel, type FinalizedMsgContext, type TurnKernel } from "@turnwire/turn-kernel";

interface Raw {
  readonly id: string;
  readonly text: string;
}

const RAW: Raw = { id: "1", text: "hello" };
const FACTS = {
  sender: { id: "ann", name: "Ann" },
  conversation: { kind: "direct", id: "ann" },
  access: { dm: { decision: "allow", allowFrom: [] } },
  route: { agentId: "main", routeSessionKey: "agent:main:main" },
  reply: { to: "ann" },
  message: { rawBody: "hello", bodyForAgent: "hello" },
} as const;
const delivery = { deliver: async (): Promise<void> => {} };

/** One kind of turn to be timed. */
export interface Case {
  readonly name: string;
  readonly turn: () => unknown;
  /** Turns a round, where it must not be as many as of the others. */
  readonly turns?: number;
}

function kernelOf(): TurnKernel {
  let last = 0;
  return createTurnKernel({
    clock: { now: Date.now, monotonic: () => performance.now(), setTimer: () => () => {} },
    ids: {
      next() {
        last += 1;
        return String(last);
      },
    },
    recordInboundSession: async () => {},
    reply: async (_context, sink) => sink.push({ text: "echo" }, "final"),
  });
}

/** The same awaits by hand, with nothing around them: ingest, resolve, record, reply, deliver, finalize. */
async function floor(): Promise<object> {
  const ingest = (raw: Raw): object => ({ id: raw.id, rawText: raw.text });
  const input = ingest(RAW);
  const resolved = { ...FACTS, input, delivery };
  const context = {
    RawBody: resolved.message.rawBody,
    To: resolved.reply.to,
    SessionKey: resolved.route.routeSessionKey,
  };
  const record = async (): Promise<void> => {};
  await record();
  const push = async (): Promise<void> => resolved.delivery.deliver();
  const reply = async (): Promise<void> => push();
  await reply();
  return { context, dispatched: true };
}

/** All cases; the first is the floor. */
export function createCases(): readonly Case[] {
  const kernel = kernelOf();
  const adapter = {
    ingest: (raw: Raw) => ({ id: raw.id, rawText: raw.text }),
    resolveTurn: () => ({ ...FACTS, delivery }),
  };
  const dropping = { ...adapter, preflight: () => ({ kind: "drop", reason: "dedupe" }) as const };
  const ctxPayload: FinalizedMsgContext = kernel.buildContext({ channel: "bench", ...FACTS });
  const prepared = { channel: "bench", ctxPayload, routeSessionKey: "s", runDispatch: async () => {} };
  return [
    { name: "floor", turn: floor },
    { name: "run", turn: async () => kernel.run({ channel: "bench", raw: RAW, adapter }) },
    {
      name: "runAssembled",
      turn: async () => kernel.runAssembled({ channel: "bench", ctxPayload, routeSessionKey: "s", delivery }),
    },
    { name: "runPrepared", turn: async () => kernel.runPrepared(prepared) },
    { name: "preflight drop", turn: async () => kernel.run({ channel: "bench", raw: RAW, adapter: dropping }) },
    { name: "buildContext", turn: () => kernel.buildContext({ channel: "bench", ...FACTS }) },
  ];
}
