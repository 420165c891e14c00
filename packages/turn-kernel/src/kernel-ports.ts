import type { ChannelTurnAdmission } from "./channel-turn-admission.ts";
import type {
  ChannelDeliveryInfo,
  ChannelDeliveryResult,
  DeliveryOutcome,
  DurableInboundReplyDeliveryOptions,
} from "./channel-delivery.ts";
import type { Clock } from "./clock.ts";
import type { FinalizedMsgContext } from "./finalized-msg-context.ts";
import type { HistoryWindow } from "./history-window.ts";
import type { Ids } from "./ids.ts";
import type { PreflightCommand } from "./preflight-facts.ts";
import type { PreparedSendTarget } from "./prepared-channel-turn.ts";
import type { RecordInboundSession } from "./record-inbound-session.ts";
import type { DispatchReplyWithBufferedBlockDispatcher, ReplyFunction, ReplySink } from "./reply-dispatcher.ts";
import type { TurnLog } from "./turn-log-event.ts";
import type { TurnScope } from "./turn-scope.ts";

/** A turn at the entry of its dispatch, after authorize and record. */
export interface TurnAtDispatch {
  readonly turnId: string;
  readonly attempt: number;
  readonly resumed: boolean;
  readonly channel: string;
  readonly accountId?: string | undefined;
  readonly routeSessionKey?: string | undefined;
  /** The agent that the route names. */
  readonly agentId?: string | undefined;
  readonly ctxPayload: FinalizedMsgContext;
  readonly admission: ChannelTurnAdmission;
  readonly command?: PreflightCommand | undefined;
}

/** The lane's decision at the entry of dispatch. */
export type BeforeDispatchDecision =
  | { readonly kind: "run" }
  | { readonly kind: "deferred"; readonly mode: "steer" | "followup" | "collect" };

/** A payload on its way through the outbox. */
export interface DurableDelivery {
  deliver(request: {
    readonly turn: TurnAtDispatch;
    readonly payload: Parameters<ReplySink["push"]>[0];
    readonly info: ChannelDeliveryInfo;
    readonly options: DurableInboundReplyDeliveryOptions;
  }): Promise<ChannelDeliveryResult>;
  /** A prepared dispatcher's own part. */
  sendPart(request: {
    readonly turn: TurnAtDispatch;
    readonly part: unknown;
    readonly target: PreparedSendTarget;
  }): Promise<DeliveryOutcome>;
}

/** What the kernel works with. Everything but the clock and the ids may be left out. */
export interface KernelPorts {
  readonly clock: Clock;
  readonly ids: Ids;
  /** Used by turns that bring none of their own. */
  readonly recordInboundSession?: RecordInboundSession | undefined;
  readonly dispatchReplyWithBufferedBlockDispatcher?: DispatchReplyWithBufferedBlockDispatcher | undefined;
  /** Runs the agent; the default dispatcher and `runDispatch`'s `reply` use it. */
  readonly reply?: ReplyFunction | undefined;
  readonly durableDelivery?: DurableDelivery | undefined;
  /** The lane's queue decision; absent: always run. */
  readonly beforeDispatch?:
    | ((turn: TurnAtDispatch) => BeforeDispatchDecision | Promise<BeforeDispatchDecision>)
    | undefined;
  /** Where dropped group messages are remembered. */
  readonly history?: HistoryWindow | undefined;
  /** Gets the events of every turn, beside the caller's own `log`. */
  readonly log?: TurnLog | undefined;
  /** Freezes facts at the adapter's border; for development and tests. */
  readonly freezeFacts?: boolean | undefined;
}

/** What a caller may say about a pass of a turn. */
export interface TurnPassOptions {
  readonly turnId?: string | undefined;
  /** Runs begun for this turn before this one. Default 0. */
  readonly attempt?: number | undefined;
  /** The second pass over stored events. */
  readonly resumed?: boolean | undefined;
  /** The caller's scope; without it the kernel makes one and releases it. */
  readonly scope?: TurnScope | undefined;
  readonly log?: TurnLog | undefined;
}
