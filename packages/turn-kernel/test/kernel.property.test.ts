import fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { ChannelTurnAdapter } from "../src/channel-turn-adapter.ts";
import { createTurnKernel } from "../src/create-turn-kernel.ts";
import type { RunDispatchControls } from "../src/prepared-channel-turn.ts";
import { createTurnScope } from "../src/create-turn-scope.ts";
import { TURN_STAGES, type TurnStage } from "../src/turn-stage.ts";

/** What a callback may do. */
const behaviour = (value: unknown): fc.Arbitrary<() => unknown> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constant(() => value) },
    { weight: 3, arbitrary: fc.constant(async () => Promise.resolve(value)) },
    {
      weight: 1,
      arbitrary: fc.constant(() => {
        throw new Error("thrown");
      }),
    },
    { weight: 1, arbitrary: fc.constant(async () => Promise.reject(new Error("rejected"))) },
    { weight: 1, arbitrary: fc.anything().map((nonsense) => () => nonsense) },
    { weight: 1, arbitrary: fc.constant(async () => new Promise(() => {})) },
  );

const admission = fc.oneof(
  { weight: 4, arbitrary: fc.constant(undefined) },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      { kind: "dispatch" },
      { kind: "observeOnly" },
      { kind: "handled", reason: "h" },
      { kind: "drop", reason: "d", recordHistory: true },
    ),
  },
);

const dm = fc.constantFrom("allow", "allow", "allow", "deny", "pairing");

describe("whatever an adapter does", () => {
  it("stages keep their order, onFinalize runs once, nothing leaves a turn that is not dispatched, no throw is swallowed, no fact is changed", async () => {
    const plan = fc.record({
      ingest: behaviour({ id: "1", rawText: "x" }),
      classify: fc.option(behaviour({ kind: "message", canStartAgentTurn: true }), { nil: undefined }),
      preflightAdmission: admission,
      preflight: fc.option(behaviour({}), { nil: undefined }),
      resolveAdmission: admission,
      resolve: fc.option(behaviour(null), { nil: undefined }),
      prepared: fc.option(fc.record({ supportsObserveOnly: fc.boolean(), ending: behaviour(undefined) }), {
        nil: undefined,
        freq: 2,
      }),
      record: fc.option(behaviour(undefined), { nil: undefined }),
      decision: dm,
      deliver: behaviour({ messageIds: ["1"] }),
      reply: behaviour(undefined),
      finalize: behaviour(undefined),
    });
    await fc.assert(
      fc.asyncProperty(plan, async (given) => {
        const order: TurnStage[] = [];
        const ended: string[] = [];
        let finalized = 0;
        let delivered = 0;
        let admitted: string | undefined;
        const scope = createTurnScope();
        const hang = new Promise<never>((_, reject) => {
          // A callback that hangs does so until it is aborted.
          scope.signal.addEventListener("abort", () => {
            reject(new Error("aborted"));
          });
        });
        hang.catch(() => {});
        const calling = (run: () => unknown): unknown => {
          const value = run();
          return value instanceof Promise ? Promise.race([value, hang]) : value;
        };
        const facts = {
          sender: { id: "a" },
          conversation: { kind: "direct" as const, id: "a" },
          access: { dm: { decision: given.decision as "allow", allowFrom: [] } },
          message: { rawBody: "x" },
          reply: { to: "a" },
          route: { agentId: "m", routeSessionKey: "s" },
        };
        const before = JSON.stringify(facts);
        const kernel = createTurnKernel({
          clock: { now: () => 0, monotonic: () => 0, setTimer: () => () => {} },
          ids: { next: () => "t" },
          freezeFacts: true,
          ...(given.record === undefined
            ? {}
            : { recordInboundSession: () => calling(given.record as () => unknown) as Promise<void> }),
          durableDelivery: {
            deliver: async () => Promise.reject(new Error("not durable")),
            sendPart: async () => {
              delivered += 1;
              return Promise.resolve({ kind: "suppressed", reason: "sent" });
            },
          },
          reply: async (_context, sink) => {
            await sink.push({ text: "a" }, "block");
            await (calling(given.reply) as Promise<void>);
            await sink.push({ text: "b" }, "final");
          },
        });
        const adapter = {
          ingest: () => calling(given.ingest),
          ...(given.classify === undefined ? {} : { classify: () => calling(given.classify as () => unknown) }),
          ...(given.preflight === undefined
            ? {}
            : {
                preflight: () =>
                  given.preflightAdmission === undefined
                    ? calling(given.preflight as () => unknown)
                    : { admission: given.preflightAdmission },
              }),
          resolveTurn: () =>
            given.resolve === undefined
              ? {
                  ...facts,
                  ...(given.resolveAdmission === undefined ? {} : { admission: given.resolveAdmission }),
                  ...(given.prepared === undefined
                    ? {
                        delivery: {
                          deliver: async () => {
                            delivered += 1;
                            return (await calling(given.deliver)) as object;
                          },
                        },
                      }
                    : {
                        supportsObserveOnly: given.prepared.supportsObserveOnly,
                        runDispatch: async ({ send }: RunDispatchControls) => {
                          await send("part", { to: "a" });
                          return calling((given.prepared as { ending: () => unknown }).ending);
                        },
                      }),
                }
              : calling(given.resolve),
          onFinalize: () => {
            finalized += 1;
            return calling(given.finalize);
          },
        } as unknown as ChannelTurnAdapter<string>;
        const running = kernel.run({
          channel: "c",
          raw: "x",
          adapter,
          scope,
          log(event) {
            if (event.event === "start") order.push(event.stage);
            else if (event.event !== "warning") ended.push(`${event.stage}:${event.event}`);
            admitted = event.admission ?? admitted;
          },
        });
        for (let turn = 0; turn < 100; turn += 1) await Promise.resolve();
        scope.abort("timeout");
        const outcome = await running.then(
          (result) => ({ result, error: null }),
          (error: unknown) => ({ result: null, error }),
        );
        expect(finalized).toBe(1);
        // Each stage at most once, in the fixed order, and each that began has one end.
        expect(order).toEqual(TURN_STAGES.filter((stage) => order.includes(stage)));
        expect(ended.map((end) => end.split(":")[0])).toEqual(order);
        expect(order.at(-1)).toBe("finalize");
        if (admitted === "observeOnly" || admitted === "drop" || admitted === "handled") expect(delivered).toBe(0);
        const failed = ended.find((end) => end.endsWith(":error") && !end.startsWith("finalize"));
        expect(outcome.error !== null).toBe(failed !== undefined);
        expect(JSON.stringify(facts)).toBe(before);
      }),
      { numRuns: 400 },
    );
  });
});
