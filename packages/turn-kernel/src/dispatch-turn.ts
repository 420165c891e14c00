import type { AssembledChannelTurn, ResolvedTurnBase } from "./assembled-channel-turn.ts";
import type { ChannelTurnDeliveryAdapter, DeliveryOutcome } from "./channel-delivery.ts";
import { createBufferedBlockDispatcher } from "./create-buffered-block-dispatcher.ts";
import { isPromise } from "./is-promise.ts";
import type { KernelPorts, TurnAtDispatch } from "./kernel-ports.ts";
import { createNoopChannelTurnDeliveryAdapter } from "./noop-delivery-adapter.ts";
import type { PreparedChannelTurn, RunDispatchControls } from "./prepared-channel-turn.ts";
import type { DispatchReplyWithBufferedBlockDispatcher, DispatchResult, ReplySink } from "./reply-dispatcher.ts";
import type { TurnPass } from "./turn-pass.ts";
import { TurnwireError } from "./turnwire-error.ts";

/** What a dispatch that sent nothing reports. */
export const EMPTY_DISPATCH_RESULT: DispatchResult = Object.freeze({
  queuedFinal: false,
  counts: Object.freeze({ tool: 0, block: 0, final: 0 }),
  receipts: Object.freeze([]),
});

/** A turn that is about to be dispatched. */
export interface DispatchRequest {
  readonly turn: AssembledChannelTurn | PreparedChannelTurn;
  readonly at: TurnAtDispatch;
  readonly observeOnly: boolean;
}

function dispatcherOf(ports: KernelPorts, turn: AssembledChannelTurn | null): DispatchReplyWithBufferedBlockDispatcher {
  const given = turn?.dispatchReplyWithBufferedBlockDispatcher ?? ports.dispatchReplyWithBufferedBlockDispatcher;
  if (given !== undefined) return given;
  if (ports.reply !== undefined) return createBufferedBlockDispatcher({ reply: ports.reply, clock: ports.clock });
  throw new TurnwireError({
    code: "dispatcher_missing",
    message:
      'Nothing can make a reply: give createTurnKernel a "reply" or a "dispatchReplyWithBufferedBlockDispatcher", or the turn one of its own.',
  });
}

/** Where a durable payload goes: the options, else the reply plan. */
function durableOptions(turn: ResolvedTurnBase, options: object): object {
  const { reply } = turn;
  if (reply === undefined) return options;
  return {
    to: reply.deliveryTarget ?? reply.replyTarget ?? reply.to,
    ...(reply.messageThreadId === undefined ? {} : { threadId: reply.messageThreadId }),
    ...(reply.replyToId === undefined ? {} : { replyToId: reply.replyToId }),
    ...options,
  };
}

function deliveryOf(
  ports: KernelPorts,
  { turn, at, observeOnly }: DispatchRequest,
  delivery: ChannelTurnDeliveryAdapter,
): ChannelTurnDeliveryAdapter {
  // `none`: the plan itself says that no reply may be seen.
  if (observeOnly || turn.reply?.sourceReplyDeliveryMode === "none") return createNoopChannelTurnDeliveryAdapter();
  const { durable } = delivery;
  if (durable === undefined || durable === false) return delivery;
  const { durableDelivery } = ports;
  if (durableDelivery === undefined) {
    throw new TurnwireError({
      code: "durable_delivery_missing",
      message:
        'The turn asks for durable delivery and createTurnKernel was given no "durableDelivery"; give it one, or leave "durable" out.',
    });
  }
  const options = durableOptions(turn, durable);
  return {
    deliver: async (payload, info) => durableDelivery.deliver({ turn: at, payload, info, options }),
    onError: (error, info) => delivery.onError?.(error, info),
  };
}

function dispatchAssembled(
  ports: KernelPorts,
  pass: TurnPass,
  request: DispatchRequest,
  turn: AssembledChannelTurn,
): Promise<DispatchResult> {
  return dispatcherOf(
    ports,
    turn,
  )({
    ctx: request.at.ctxPayload,
    cfg: turn.cfg,
    delivery: deliveryOf(ports, request, turn.delivery),
    // Typing is visible: an observer does not type.
    pipeline: request.observeOnly ? undefined : turn.replyPipeline,
    signal: pass.signal,
    turnId: pass.turnId,
  });
}

function isDispatchResult(value: unknown): value is DispatchResult {
  return (
    typeof value === "object" && value !== null && "counts" in value && "receipts" in value && "queuedFinal" in value
  );
}

async function dispatchPrepared(
  ports: KernelPorts,
  pass: TurnPass,
  request: DispatchRequest,
  turn: PreparedChannelTurn,
): Promise<DispatchResult> {
  const { at, observeOnly } = request;
  const controls: RunDispatchControls = {
    signal: pass.signal,
    observeOnly,
    async send(part, target): Promise<DeliveryOutcome> {
      if (observeOnly) return { kind: "suppressed", reason: "observe_only" };
      if (ports.durableDelivery === undefined) {
        throw new TurnwireError({
          code: "durable_delivery_missing",
          message: 'runDispatch called "send" and createTurnKernel was given no "durableDelivery".',
        });
      }
      return ports.durableDelivery.sendPart({ turn: at, part, target });
    },
    async reply(sink: ReplySink) {
      const delivery: ChannelTurnDeliveryAdapter = {
        async deliver(payload, info) {
          await sink.push(payload, info.kind);
          return {};
        },
      };
      return dispatcherOf(
        ports,
        null,
      )({ ctx: at.ctxPayload, cfg: turn.cfg, delivery, signal: pass.signal, turnId: pass.turnId });
    },
  };
  const running = turn.runDispatch(controls);
  const result = isPromise(running) ? await running : running;
  return isDispatchResult(result) ? result : EMPTY_DISPATCH_RESULT;
}

/** True when this turn may run without anybody seeing it. */
export function canObserve(turn: AssembledChannelTurn | PreparedChannelTurn): boolean {
  return turn.runDispatch === undefined || turn.supportsObserveOnly === true;
}

/** Runs the agent and delivers, by the path that the turn asks for. Not async: it would be one more promise to wait for. */
export function dispatchTurn(ports: KernelPorts, pass: TurnPass, request: DispatchRequest): Promise<DispatchResult> {
  const { turn } = request;
  return turn.runDispatch === undefined
    ? dispatchAssembled(ports, pass, request, turn)
    : dispatchPrepared(ports, pass, request, turn);
}
