import type { ChannelDeliveryInfo, ChannelDeliveryResult } from "./channel-delivery.ts";
import type { Clock } from "./clock.ts";
import type { MessageReceipt } from "./message-receipt.ts";
import type {
  BufferedBlockDispatchParams,
  DispatchReplyWithBufferedBlockDispatcher,
  DispatchResult,
  ReplyFunction,
} from "./reply-dispatcher.ts";
import type { ReplyPayload } from "./reply-payload.ts";
import { TurnwireError } from "./turnwire-error.ts";

type Kind = ChannelDeliveryInfo["kind"];

/** What the dispatcher works with. */
export interface BufferedBlockDispatcherOptions {
  /** Runs the agent. */
  readonly reply: ReplyFunction;
  /** For receipts of channels that only give message ids. */
  readonly clock: Pick<Clock, "now">;
}

/** Receipt of a delivery that names ids only; undefined when nothing visible was sent. */
function receiptOf(result: ChannelDeliveryResult | void, nowMs: number): MessageReceipt | undefined {
  if (result?.receipt !== undefined) return result.receipt;
  const ids = result?.messageIds ?? [];
  const [primary] = ids;
  if (primary === undefined) return undefined;
  const place = {
    ...(result?.threadId === undefined ? {} : { threadId: result.threadId }),
    ...(result?.replyToId === undefined ? {} : { replyToId: result.replyToId }),
  };
  const parts = ids.map((platformMessageId, index) => ({
    platformMessageId,
    kind: "unknown" as const,
    index,
    ...place,
  }));
  return { platformMessageIds: ids, primaryPlatformMessageId: primary, parts, ...place, sentAt: nowMs };
}

/**
 * Orders, guards and counts: each block is delivered once, in the order in which it was pushed, never two at a time.
 * After a delivery that failed nothing behind it is delivered; the error says how much was and was not.
 */
export function createBufferedBlockDispatcher(
  options: BufferedBlockDispatcherOptions,
): DispatchReplyWithBufferedBlockDispatcher {
  return async (params) => {
    const run = new DispatchRun(params, options.clock);
    if (params.pipeline?.onReplyStart !== undefined) await params.pipeline.onReplyStart();
    try {
      await options.reply(
        params.ctx,
        { push: async (payload, kind) => run.push(payload, kind) },
        { signal: params.signal, turnId: params.turnId },
      );
    } finally {
      await run.settled();
      params.pipeline?.onIdle?.();
    }
    return run.result();
  };
}

class DispatchRun {
  readonly #params: BufferedBlockDispatchParams;
  readonly #clock: Pick<Clock, "now">;
  readonly #counts = { tool: 0, block: 0, final: 0 };
  readonly #receipts: MessageReceipt[] = [];
  #index = 0;
  #skipped = 0;
  #failure: TurnwireError | null = null;
  #tail: Promise<void> = Promise.resolve();

  constructor(params: BufferedBlockDispatchParams, clock: Pick<Clock, "now">) {
    this.#params = params;
    this.#clock = clock;
  }

  async push(payload: ReplyPayload, kind: Kind): Promise<void> {
    const index = this.#index;
    this.#index += 1;
    const turn = this.#tail.then(async () => this.#deliver(payload, { kind, index }));
    // The chain goes on behind a failure: what waits is told by its own rejection.
    this.#tail = turn.catch(() => {});
    return turn;
  }

  async settled(): Promise<void> {
    await this.#tail;
  }

  result(): DispatchResult {
    if (this.#failure !== null) throw this.#failed(this.#failure.cause);
    return { queuedFinal: this.#counts.final > 0, counts: { ...this.#counts }, receipts: this.#receipts };
  }

  async #deliver(payload: ReplyPayload, info: ChannelDeliveryInfo): Promise<void> {
    if (this.#failure !== null) {
      this.#skipped += 1;
      throw this.#failure;
    }
    const { delivery, pipeline } = this.#params;
    const transformed = pipeline?.transform === undefined ? payload : pipeline.transform(payload, info.kind);
    if (transformed === null) return;
    try {
      const result = await delivery.deliver(transformed, info);
      this.#counts[info.kind] += 1;
      const receipt = receiptOf(result, this.#clock.now());
      if (receipt !== undefined) this.#receipts.push(receipt);
    } catch (error) {
      this.#skipped += 1;
      this.#failure = this.#failed(error);
      delivery.onError?.(error, { kind: info.kind });
      throw this.#failure;
    }
  }

  #failed(cause: unknown): TurnwireError {
    const delivered = this.#counts.tool + this.#counts.block + this.#counts.final;
    const message = `A reply block could not be delivered: ${delivered} went out, ${this.#skipped} did not. See the cause.`;
    return new TurnwireError({ code: "delivery_failed", message, cause });
  }
}
