import type { ChannelTurnDeliveryAdapter } from "./channel-delivery.ts";
import type { FinalizedMsgContext } from "./finalized-msg-context.ts";
import type { MessageReceipt } from "./message-receipt.ts";
import type { ReplyPayload } from "./reply-payload.ts";

/** Where a running agent pushes its blocks. Resolves when the block is delivered or is known not to be. */
export interface ReplySink {
  push(payload: ReplyPayload, kind: "tool" | "block" | "final"): Promise<void>;
}

/** What a reply is made with. */
export interface ReplyControls {
  /** Aborted when the turn is stopped, superseded, timed out, or the process shuts down. */
  readonly signal: AbortSignal;
  readonly turnId: string;
}

/** Runs the agent for a context and pushes what it says into the sink, in order. Implemented by the runtime. */
export type ReplyFunction = (ctx: FinalizedMsgContext, sink: ReplySink, controls: ReplyControls) => Promise<void>;

/** How a dispatch ended. */
export interface DispatchResult {
  readonly queuedFinal: boolean;
  readonly counts: { readonly tool: number; readonly block: number; readonly final: number };
  readonly receipts: readonly MessageReceipt[];
  /** Set when the lane's queue decision put the turn off. */
  readonly deferredToActiveRun?: "steer" | "followup" | "collect" | undefined;
}

/** Typing callbacks and the like that a reply pipeline brings. */
export interface ReplyPipeline {
  readonly onReplyStart?: (() => void | Promise<void>) | undefined;
  readonly onIdle?: (() => void) | undefined;
  /** Changes a payload before delivery; null suppresses it. */
  readonly transform?: ((payload: ReplyPayload, kind: "tool" | "block" | "final") => ReplyPayload | null) | undefined;
}

/** What the buffered block dispatcher is called with. */
export interface BufferedBlockDispatchParams {
  readonly ctx: FinalizedMsgContext;
  /** Passed through unread. */
  readonly cfg?: unknown;
  readonly delivery: ChannelTurnDeliveryAdapter;
  readonly pipeline?: ReplyPipeline | undefined;
  readonly signal: AbortSignal;
  readonly turnId: string;
}

/** Runs the agent's reply and delivers each block once, in order. */
export type DispatchReplyWithBufferedBlockDispatcher = (params: BufferedBlockDispatchParams) => Promise<DispatchResult>;
