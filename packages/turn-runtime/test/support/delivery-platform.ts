import type { MessageReceipt } from "@turnwire/turn-kernel";
import {
  type Channel,
  type ChannelAccountConfig,
  type ChannelCapabilities,
  type Clock,
  type ReconcileResult,
  type SendOutcome,
  TurnwireError,
} from "@turnwire/turn-ports";

import { createMemoryChannel } from "./memory-channel.ts";
import { MemoryPlatform } from "./memory-platform.ts";

/** How a call fails. `lost`: it took effect and its answer is lost; `lost_before`: it did not, and its answer is lost. */
export type SendFault =
  | "not_sent"
  | "wait"
  | "refused"
  | "refused_markup"
  | "lost"
  | "lost_before"
  | "throws"
  | "hangs";

/** One call that the platform got. */
export interface DeliveryCall {
  readonly chat: string;
  readonly text: string;
  readonly id: string;
  readonly atMs: number;
}

/** How long the platform knows an idempotency id where it knows them, ms. */
export const WINDOW_MS = 60_000;
/** What `wait` asks for, ms. */
export const RETRY_AFTER_MS = 3_000;

/** A platform that remembers what it shows and what was called, and fails as it is told. Outlives the processes that use it. */
export class DeliveryPlatform {
  readonly shown: DeliveryCall[] = [];
  readonly calls: DeliveryCall[] = [];
  /** Most calls of one chat that were under way at once. */
  mostAtOnce = 0;
  reconciled = 0;
  /** The fault of a call; none by default. */
  fault: (call: DeliveryCall) => SendFault | undefined = () => undefined;
  /** What reading back answers instead of the truth. */
  readBack: () => "truth" | "ambiguous" | "fails" = () => "truth";
  readonly #underWay = new Map<string, number>();

  /** The chat's texts as people see them. */
  texts(chat: string): readonly string[] {
    return this.shown.filter((message) => message.chat === chat).map((message) => message.text);
  }

  enter(chat: string): void {
    const count = (this.#underWay.get(chat) ?? 0) + 1;
    this.#underWay.set(chat, count);
    this.mostAtOnce = Math.max(this.mostAtOnce, count);
  }

  leave(chat: string): void {
    this.#underWay.set(chat, (this.#underWay.get(chat) ?? 1) - 1);
  }
}

/** What differs between accounts. */
export interface DeliveryChannelOptions {
  readonly capabilities: Pick<ChannelCapabilities, "settlement"> & Partial<ChannelCapabilities>;
  readonly account?: Partial<ChannelAccountConfig> | undefined;
  readonly clock: Clock;
}

/** A channel of that platform. */
export function createDeliveryChannel(platform: DeliveryPlatform, options: DeliveryChannelOptions): Channel {
  const { clock, account } = options;
  const capabilities = { settlementWindowMs: WINDOW_MS, ...options.capabilities };
  const { settlement } = capabilities;
  const base = createMemoryChannel(new MemoryPlatform(), {
    capabilities,
    ...(account === undefined ? {} : { account }),
  });
  const error = new TurnwireError({ code: "test_fault", message: "A planned fault." });
  const isSent = (id: string): boolean => platform.shown.some((message) => message.id === id);

  function answer(call: DeliveryCall, fault: SendFault | undefined): SendOutcome | "threw" {
    const { id } = call;
    if (fault === "not_sent") return { kind: "retry", error };
    if (fault === "wait") return { kind: "retry", error, retryAfterMs: RETRY_AFTER_MS };
    if (fault === "lost_before") return { kind: "unknown", error };
    if (fault === "throws") return "threw";
    const known = platform.shown.find((message) => message.id === id);
    const isRepeat = settlement === "idempotent" && known !== undefined && clock.now() - known.atMs < WINDOW_MS;
    if (!isRepeat) {
      if (fault === "refused") return { kind: "rejected", error };
      if (fault === "refused_markup") {
        const text = `plain ${call.text}`;
        return { kind: "rejected", error, fallback: { op: "send", kind: "text", index: 0, body: text, text } };
      }
      platform.shown.push(call);
    }
    return fault === "lost" ? { kind: "unknown", error } : { kind: "sent", receipt: receiptOf(id) };
  }

  return {
    ...base,
    async send(part, { to: chat }, id): Promise<SendOutcome> {
      const call: DeliveryCall = { chat, text: part.text ?? "", id, atMs: clock.now() };
      platform.calls.push(call);
      platform.enter(chat);
      try {
        const fault = platform.fault(call);
        if (fault === "hangs") return await new Promise<never>(() => {});
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
        const outcome = answer(call, fault);
        if (outcome === "threw") throw new TypeError("cannot read a field of undefined");
        return outcome;
      } finally {
        platform.leave(chat);
      }
    },
    reconcile(_part, _target, id): Promise<ReconcileResult> {
      platform.reconciled += 1;
      if (settlement === "none") return Promise.resolve({ kind: "unsupported" });
      switch (platform.readBack()) {
        case "ambiguous":
          return Promise.resolve({ kind: "ambiguous" });
        case "fails":
          return Promise.reject(error);
        case "truth":
          return Promise.resolve(isSent(id) ? { kind: "sent", receipt: receiptOf(id) } : { kind: "absent" });
      }
    },
  };
}

function receiptOf(id: string): MessageReceipt {
  return {
    platformMessageIds: [id],
    primaryPlatformMessageId: id,
    parts: [{ platformMessageId: id, kind: "text", index: 0 }],
    sentAt: 0,
  };
}
