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
function receiptOf(result: ChannelDeliveryResult, clock: Pick<Clock, "now">): MessageReceipt | undefined {
  if (result.receipt !== undefined) return result.receipt;
  const ids = result.messageIds ?? [];
  const [primary] = ids;
  if (primary === undefined) return undefined;
  const place = {
    ...(result.threadId === undefined ? {} : { threadId: result.threadId }),
    ...(result.replyToId === undefined ? {} : { replyToId: result.replyToId }),
  };
  const parts = ids.map((platformMessageId, index) => ({
    platformMessageId,
    kind: "unknown" as const,
    index,
    ...place,
  }));
  return { platformMessageIds: ids, primaryPlatformMessageId: primary, parts, ...place, sentAt: clock.now() };
}

/**
 * Orders, guards and counts: each block is delivered once, in the order in which it was pushed, never two at a time.
 * After a delivery that failed nothing behind it is delivered; the error says how much was and was not. What is pushed
 * after the reply ended is refused.
 */
export function createBufferedBlockDispatcher(
  options: BufferedBlockDispatcherOptions,
): DispatchReplyWithBufferedBlockDispatcher {
  const { reply, clock } = options;
  return async (params) => {
    const run = new DispatchRun(params, clock);
    const { pipeline } = params;
    try {
      if (pipeline?.onReplyStart !== undefined) await pipeline.onReplyStart();
      await reply(params.ctx, { push: (payload, kind) => run.push(payload, kind) }, params);
    } finally {
      const pending = run.close();
      if (pending !== null) await pending;
      endPipeline(params);
    }
    return run.result();
  };
}

/** All that was to be said is said by then: a pipeline whose end throws fails no turn, and its channel is told. */
function endPipeline({ pipeline, delivery }: BufferedBlockDispatchParams): void {
  try {
    pipeline?.onIdle?.();
  } catch (error) {
    report(delivery, error, "idle");
  }
}

/** What happened is what the turn ends with; a report of it that fails changes nothing. */
function report(delivery: BufferedBlockDispatchParams["delivery"], error: unknown, kind: string): void {
  try {
    delivery.onError?.(error, { kind });
  } catch {
    // Nobody is left to tell.
  }
}

class DispatchRun {
  readonly #params: BufferedBlockDispatchParams;
  readonly #clock: Pick<Clock, "now">;
  readonly #counts = { tool: 0, block: 0, final: 0 };
  readonly #receipts: MessageReceipt[] = [];
  #index = 0;
  #notDelivered = 0;
  #cause: { readonly error: unknown } | null = null;
  #isClosed = false;
  #waiting = 0;
  /** Settles with the newest block; never rejects. Null when none waits. */
  #tail: Promise<void> | null = null;
  readonly #settle = (): void => {
    this.#waiting -= 1;
    if (this.#waiting === 0) this.#tail = null;
  };

  constructor(params: BufferedBlockDispatchParams, clock: Pick<Clock, "now">) {
    this.#params = params;
    this.#clock = clock;
  }

  /** Not async: the promise that the agent gets is the one that is guarded here, so that nobody has to wait for it. */
  push(payload: ReplyPayload, kind: Kind): Promise<void> {
    if (this.#isClosed) return Promise.reject(refused());
    const info = { kind, index: this.#index };
    this.#index += 1;
    const turn =
      this.#tail === null ? this.#deliver(payload, info) : this.#tail.then(() => this.#deliver(payload, info));
    this.#waiting += 1;
    // The chain goes on behind a failure: what waits is told by its own rejection.
    this.#tail = turn.then(this.#settle, this.#settle);
    return turn;
  }

  /** Takes no more blocks; gives what still has to be waited for. */
  close(): Promise<void> | null {
    this.#isClosed = true;
    return this.#tail;
  }

  result(): DispatchResult {
    if (this.#cause !== null) throw this.#failed(this.#cause.error);
    return { queuedFinal: this.#counts.final > 0, counts: this.#counts, receipts: this.#receipts };
  }

  async #deliver(payload: ReplyPayload, info: ChannelDeliveryInfo): Promise<void> {
    if (this.#cause !== null) {
      this.#notDelivered += 1;
      throw this.#failed(this.#cause.error);
    }
    const { delivery, pipeline } = this.#params;
    try {
      const transformed = pipeline?.transform === undefined ? payload : pipeline.transform(payload, info.kind);
      if (transformed === null) return;
      const result = await delivery.deliver(transformed, info);
      this.#counts[info.kind] += 1;
      if (result === undefined) return;
      const receipt = receiptOf(result, this.#clock);
      if (receipt !== undefined) this.#receipts.push(receipt);
    } catch (error) {
      this.#notDelivered += 1;
      this.#cause = { error };
      report(delivery, error, info.kind);
      throw this.#failed(error);
    }
  }

  #failed(cause: unknown): TurnwireError {
    const delivered = this.#counts.tool + this.#counts.block + this.#counts.final;
    const message = `A reply block could not be delivered: ${delivered} went out, ${this.#notDelivered} did not. See the cause.`;
    return new TurnwireError({ code: "delivery_failed", message, cause });
  }
}

function refused(): TurnwireError {
  return new TurnwireError({
    code: "reply_ended",
    message:
      "A block was pushed after the reply had ended, and was not delivered; push before the reply function resolves.",
  });
}
