import { expect, it } from "vitest";

import type { ResolvedAssembledTurn } from "../src/assembled-channel-turn.ts";
import type { ChannelTurnAdapter } from "../src/channel-turn-adapter.ts";
import { createTurnKernel } from "../src/create-turn-kernel.ts";
import type { KernelPorts } from "../src/kernel-ports.ts";
import { TURN_STAGE_TABLE } from "../src/turn-stage-table.ts";
import { TURN_STAGES } from "../src/turn-stage.ts";

const boom = (): never => {
  throw new Error("boom");
};

/** An object whose fields may be read so many times before they throw: what no check of a shape can rule out. */
function spoiling<T extends object>(value: T, reads: number): T {
  let left = reads;
  return new Proxy(value, {
    get(target, key, receiver): unknown {
      left -= 1;
      if (left < 0) boom();
      return Reflect.get(target, key, receiver);
    },
  });
}

type Case = Partial<ChannelTurnAdapter<string>> & { readonly turn?: object; readonly ports?: Partial<KernelPorts> };

const drop = { kind: "drop" } as const;
const handled = { kind: "handled" } as const;
const event = { kind: "message", canStartAgentTurn: true } as const;
const SENDER = { id: "a" };
const MESSAGE = { rawBody: "x" };

const CASES: readonly Case[] = [
  {},
  { classify: () => event, preflight: () => ({}), onFinalize: () => {}, ports: { recordInboundSession: () => {} } },
  { ingest: () => null },
  { ingest: boom },
  { classify: () => ({ ...event, canStartAgentTurn: false }) },
  { classify: boom },
  { preflight: () => drop },
  { preflight: () => handled },
  { preflight: boom },
  { turn: { admission: drop } },
  { turn: { admission: handled } },
  { resolveTurn: boom },
  { turn: { access: {} } },
  { turn: { access: { dm: { decision: "pairing", allowFrom: [] } } } },
  // However often a field was read before, one of these fails where authorize, and one where assemble reads it.
  ...Array.from({ length: 20 }, (_, reads) => ({ turn: { sender: spoiling(SENDER, reads) } })),
  ...Array.from({ length: 20 }, (_, reads) => ({ turn: { message: spoiling(MESSAGE, reads) } })),
  { ports: { recordInboundSession: boom } },
  { ports: { reply: boom } },
  { ports: { beforeDispatch: () => ({ kind: "deferred", mode: "collect" }) } },
  { onFinalize: boom },
];

it("the stage table says exactly how each stage can end", async () => {
  const seen = new Map<string, Set<string>>(TURN_STAGES.map((stage) => [stage, new Set()]));
  const kernelOf = (ports: Partial<KernelPorts>): ReturnType<typeof createTurnKernel> =>
    createTurnKernel({
      clock: { now: () => 1, monotonic: () => 1, setTimer: () => () => {} },
      ids: { next: () => "t" },
      reply: async () => Promise.resolve(),
      log({ stage, event: end }) {
        if (end !== "start" && end !== "warning") seen.get(stage)?.add(end);
      },
      ...ports,
    });
  const delivery = { deliver: async (): Promise<void> => Promise.resolve() };
  for (const { turn, ports = {}, ...adapter } of CASES) {
    const resolved: ResolvedAssembledTurn = {
      sender: SENDER,
      conversation: { kind: "direct", id: "a" },
      access: { dm: { decision: "allow", allowFrom: [] } },
      message: MESSAGE,
      delivery,
      ...turn,
    };
    const whole: ChannelTurnAdapter<string> = {
      ingest: (raw) => ({ id: "1", rawText: raw }),
      resolveTurn: () => resolved,
      ...adapter,
    };
    await kernelOf(ports)
      .run({ channel: "test", raw: "x", adapter: whole })
      .catch(() => {});
  }
  await kernelOf({}).runAssembled({ channel: "test", ctxPayload: { CommandAuthorized: false }, delivery });

  const sorted = (ends: Iterable<string> | undefined): readonly string[] => [...(ends ?? [])].toSorted();
  expect(Object.fromEntries(TURN_STAGES.map((stage) => [stage, sorted(seen.get(stage))]))).toEqual(
    Object.fromEntries(TURN_STAGES.map((stage) => [stage, sorted(TURN_STAGE_TABLE[stage].ends)])),
  );
});

it("the table has the stages in their order", () => {
  expect(Object.keys(TURN_STAGE_TABLE)).toEqual(TURN_STAGES);
});
