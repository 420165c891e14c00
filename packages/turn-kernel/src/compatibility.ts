import type { ChannelTurnDeliveryAdapter } from "./channel-delivery.ts";
import type { ChannelTurnResult } from "./channel-turn-result.ts";
import { createChannelHistoryWindow } from "./create-channel-history-window.ts";
import type { HistoryEntry } from "./history-window.ts";
import type { InboundHistoryEntry } from "./message-facts.ts";
import type { ReplyPayload } from "./reply-payload.ts";
import type { TurnKernel } from "./turn-kernel-api.ts";
import type { RunAssembledParams } from "./turn-params.ts";

type HistoryMap = Map<string, HistoryEntry[]>;

/** Arguments of the old map helpers. */
export interface HistoryMapParams {
  readonly historyMap: HistoryMap;
  readonly historyKey: string;
  readonly limit?: number | undefined;
}

/** @deprecated Use `createChannelHistoryWindow(...).buildPendingContext`. */
export function buildPendingHistoryContextFromMap(
  params: HistoryMapParams & {
    readonly currentMessage: string;
    readonly formatEntry?: ((entry: HistoryEntry) => string) | undefined;
  },
): string {
  return createChannelHistoryWindow({ historyMap: params.historyMap }).buildPendingContext(params);
}

/** @deprecated Use `createChannelHistoryWindow(...).buildInboundHistory`. */
export function buildInboundHistoryFromMap(params: HistoryMapParams): readonly InboundHistoryEntry[] | undefined {
  return createChannelHistoryWindow({ historyMap: params.historyMap }).buildInboundHistory(params);
}

/** @deprecated Use `createChannelHistoryWindow(...).record`. Returns the key's entries. */
export function recordPendingHistoryEntry(
  params: HistoryMapParams & { readonly entry: HistoryEntry },
): readonly HistoryEntry[] {
  createChannelHistoryWindow({ historyMap: params.historyMap }).record(params);
  return params.historyMap.get(params.historyKey) ?? [];
}

/** @deprecated Use `createChannelHistoryWindow(...).record`, which records nothing with a limit of 0. */
export function recordPendingHistoryEntryIfEnabled(
  params: HistoryMapParams & { readonly limit: number; readonly entry?: HistoryEntry | null | undefined },
): readonly HistoryEntry[] {
  const { entry, limit } = params;
  if (entry === null || entry === undefined || limit <= 0) return params.historyMap.get(params.historyKey) ?? [];
  createChannelHistoryWindow({ historyMap: params.historyMap }).record({ historyKey: params.historyKey, limit, entry });
  return params.historyMap.get(params.historyKey) ?? [];
}

/** @deprecated Use `createChannelHistoryWindow(...).clear`. */
export function clearHistoryEntries(params: { readonly historyMap: HistoryMap; readonly historyKey: string }): void {
  createChannelHistoryWindow({ historyMap: params.historyMap }).clear(params);
}

/** @deprecated Use `createChannelHistoryWindow(...).clear`. */
export function clearHistoryEntriesIfEnabled(params: HistoryMapParams & { readonly limit: number }): void {
  if (params.limit > 0) createChannelHistoryWindow({ historyMap: params.historyMap }).clear(params);
}

/** @deprecated Use `runAssembled`. Calls the caller's `deliver`, never durable delivery. */
export async function recordInboundSessionAndDispatchReply(
  kernel: TurnKernel,
  params: RunAssembledParams,
): Promise<ChannelTurnResult> {
  const { delivery: given } = params;
  const delivery: ChannelTurnDeliveryAdapter = {
    deliver: async (payload, info) => given.deliver(payload, info),
    onError: (error, info) => given.onError?.(error, info),
  };
  return kernel.runAssembled({ ...params, delivery });
}

/** @deprecated Use `runAssembled`. `reply` gets each payload, in order; never durable delivery. */
export async function dispatchInboundReplyWithBase(
  kernel: TurnKernel,
  params: Omit<RunAssembledParams, "delivery" | "reply"> & {
    readonly reply: (payload: ReplyPayload) => Promise<void>;
    readonly onReplyError?: ((error: unknown, info: { kind: string }) => void) | undefined;
  },
): Promise<ChannelTurnResult> {
  const { reply, onReplyError, ...turn } = params;
  const delivery: ChannelTurnDeliveryAdapter = {
    deliver: async (payload) => reply(payload),
    ...(onReplyError === undefined ? {} : { onError: onReplyError }),
  };
  return kernel.runAssembled({ ...turn, delivery });
}
