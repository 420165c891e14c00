/**
 * Compiled, never run: each published example of the channel-turn interface, with names and values of our own. What
 * stops compiling here breaks channels that are written against it.
 */
import type { ResolvedAssembledTurn } from "../src/assembled-channel-turn.ts";
import type {
  ChannelDeliveryInfo,
  ChannelDeliveryResult,
  ChannelEventDeliveryAdapter,
  ChannelTurnDeliveryAdapter,
  DurableInboundReplyDeliveryOptions,
} from "../src/channel-delivery.ts";
import type { ChannelEventClass } from "../src/channel-event-class.ts";
import type { ChannelTurnAdapter, ChannelTurnResolved } from "../src/channel-turn-adapter.ts";
import type { ChannelTurnAdmission } from "../src/channel-turn-admission.ts";
import type { ChannelTurnResult } from "../src/channel-turn-result.ts";
import { createChannelHistoryWindow } from "../src/create-channel-history-window.ts";
import type { FinalizedMsgContext } from "../src/finalized-msg-context.ts";
import type { HistoryEntry } from "../src/history-window.ts";
import type { InboundMediaFacts } from "../src/inbound-media-facts.ts";
import type { MessageReceipt } from "../src/message-receipt.ts";
import {
  createNoopChannelEventDeliveryAdapter,
  createNoopChannelTurnDeliveryAdapter,
} from "../src/noop-delivery-adapter.ts";
import type { NormalizedTurnInput } from "../src/normalized-turn-input.ts";
import type { PluginRuntime } from "../src/plugin-runtime.ts";
import type { PreflightFacts } from "../src/preflight-facts.ts";
import type { RecordOptions } from "../src/record-inbound-session.ts";
import type { ReplyPayload } from "../src/reply-payload.ts";
import { resolveInboundMentionDecision } from "../src/resolve-inbound-mention-decision.ts";
import type { InboundMentionFacts, InboundMentionPolicy } from "../src/resolve-inbound-mention-decision.ts";
import type { RouteFacts } from "../src/route-facts.ts";
import { toInboundMediaFacts } from "../src/to-inbound-media-facts.ts";

declare const runtime: PluginRuntime;
declare const cfg: { readonly anything: true };
declare const account: string | undefined;
declare const route: RouteFacts;
declare const context: FinalizedMsgContext;
declare const assembled: ResolvedAssembledTurn;
declare const storePath: string;
declare const groupKey: string;
declare const entries: Map<string, HistoryEntry[]>;
declare const pictures: readonly InboundMediaFacts[];
declare function post(payload: ReplyPayload): Promise<void>;

interface Packet {
  readonly key: string;
  readonly at: number;
  readonly words: string;
}
declare const packet: Packet;

/** All nine stages: an adapter whose callbacks answer at once or later. */
export async function fullPipeline(): Promise<ChannelTurnResult> {
  return runtime.channel.turn.run({
    channel: "pager",
    accountId: account,
    raw: packet,
    adapter: {
      ingest(raw) {
        return { id: raw.key, timestamp: raw.at, rawText: raw.words, textForAgent: raw.words };
      },
      classify(input) {
        return { kind: "message", canStartAgentTurn: input.rawText !== "" };
      },
      async preflight(input, eventClass) {
        const isKnown = await Promise.resolve(input.id === "known" && eventClass.kind === "message");
        if (isKnown) return { admission: { kind: "drop", reason: "dedupe" } };
        return {};
      },
      resolveTurn: () => assembled,
      onFinalize(result) {
        if (result.dispatched) entries.delete(groupKey);
      },
    },
    log(event) {
      runtime.log?.debug?.(`${event.stage} ${event.event}`, {
        channel: event.channel,
        accountId: event.accountId,
        messageId: event.messageId,
        sessionKey: event.sessionKey,
        admission: event.admission,
        reason: event.reason,
      });
    },
  });
}

/** A finished context and a delivery adapter. */
export async function assembledTurn(): Promise<ChannelTurnResult> {
  return runtime.channel.turn.runAssembled({
    cfg,
    channel: "pager",
    accountId: account,
    agentId: route.agentId,
    routeSessionKey: route.routeSessionKey,
    storePath,
    ctxPayload: context,
    recordInboundSession: runtime.channel.session.recordInboundSession,
    dispatchReplyWithBufferedBlockDispatcher: runtime.channel.reply.dispatchReplyWithBufferedBlockDispatcher,
    delivery: {
      deliver: async (payload) => {
        await post(payload);
      },
      onError: (error, info) => {
        runtime.error?.(`${info.kind}: ${String(error)}`);
      },
    },
  });
}

/** The channel's own dispatch, without arguments and with them. */
export async function preparedTurn(record: RecordOptions): Promise<unknown> {
  const { dispatchResult } = await runtime.channel.turn.runPrepared({
    channel: "pager",
    accountId: account,
    routeSessionKey: route.routeSessionKey,
    storePath,
    ctxPayload: context,
    recordInboundSession: runtime.channel.session.recordInboundSession,
    record: { onRecordError: record.onRecordError, updateLastRoute: record.updateLastRoute },
    onPreDispatchFailure: async (_error) => {
      await post({ text: "" });
    },
    runDispatch: async () => {
      await post({ text: "by hand" });
    },
  });
  return dispatchResult;
}

/** Facts to a context. */
export function contextOf({
  sender,
  conversation,
  reply,
  message,
  access,
  media,
  supplemental,
}: ResolvedAssembledTurn): FinalizedMsgContext {
  return runtime.channel.turn.buildContext({
    channel: "pager",
    accountId: account,
    messageId: packet.key,
    timestamp: packet.at,
    from: "pager:1",
    sender,
    conversation,
    route,
    reply,
    message,
    access,
    media,
    supplemental,
  });
}

/** The published shape of an adapter: its preflight only ever promises, and its callbacks take what they read. */
interface PublishedAdapter<TRaw> {
  ingest(raw: TRaw): Promise<NormalizedTurnInput | null> | NormalizedTurnInput | null;
  classify?(input: NormalizedTurnInput): Promise<ChannelEventClass> | ChannelEventClass;
  preflight?(
    input: NormalizedTurnInput,
    eventClass: ChannelEventClass,
  ): Promise<PreflightFacts | ChannelTurnAdmission | null | undefined>;
  resolveTurn(
    input: NormalizedTurnInput,
    eventClass: ChannelEventClass,
    preflight: PreflightFacts,
  ): Promise<ChannelTurnResolved> | ChannelTurnResolved;
  onFinalize?(result: ChannelTurnResult): Promise<void> | void;
}

/** The published shape of a delivery adapter and of what it answers. */
interface PublishedDelivery {
  deliver(payload: ReplyPayload, info: ChannelDeliveryInfo): Promise<PublishedDeliveryResult | void>;
  onError?(error: unknown, info: { kind: string }): void;
  durable?: false | DurableInboundReplyDeliveryOptions;
}
interface PublishedDeliveryResult {
  messageIds?: string[];
  receipt?: MessageReceipt;
  threadId?: string;
  replyToId?: string;
  visibleReplySent?: boolean;
}

export const takesPublishedAdapter = (adapter: PublishedAdapter<Packet>): ChannelTurnAdapter<Packet> => adapter;
export const takesPublishedDelivery = (delivery: PublishedDelivery): ChannelTurnDeliveryAdapter => delivery;
export const takesEventDelivery = (delivery: PublishedDelivery): ChannelEventDeliveryAdapter => delivery;
export const takesPublishedResult = (result: PublishedDeliveryResult): ChannelDeliveryResult => result;
export const silent: readonly ChannelTurnDeliveryAdapter[] = [
  createNoopChannelTurnDeliveryAdapter(),
  createNoopChannelEventDeliveryAdapter(),
  { deliver: async () => Promise.resolve({ visibleReplySent: false }) },
];

/** Every override of the record stage. */
export const recordOptions: RecordOptions = {
  groupResolution: { any: "thing" },
  createIfMissing: true,
  updateLastRoute: { sessionKey: "s", channel: "pager", to: "1" },
  onRecordError: (error) => runtime.log?.warn?.(String(error)),
  trackSessionMetaTask: (task) => void task,
};

/** A dropped message that is remembered with its pictures, which are fetched only then. */
export function dropWithMedia(input: NormalizedTurnInput): PreflightFacts {
  return {
    admission: { kind: "drop", reason: "missing_mention", recordHistory: true },
    media: () => toInboundMediaFacts(pictures, { kind: "image", messageId: input.id }),
    history: { key: groupKey, limit: 20, mediaLimit: 4, shouldRecord: () => input.id !== "" },
  };
}

/** A mention decision is itself what `access.mentions` takes. */
export function mentionGate(facts: InboundMentionFacts, policy: InboundMentionPolicy): PreflightFacts {
  const decision = resolveInboundMentionDecision({ facts, policy });
  if (decision.shouldSkip) {
    return {
      admission: { kind: "drop", reason: "missing_mention", recordHistory: true },
      history: { key: groupKey, limit: 20 },
    };
  }
  return { access: { mentions: decision } };
}

/** Media of the message and of what it answers; the quote that preflight found. */
export function answersPicture(preflight: PreflightFacts): ChannelTurnResolved {
  return {
    ...assembled,
    media: toInboundMediaFacts([...pictures, ...pictures]),
    supplemental: { quote: preflight.supplemental?.quote },
  };
}

/** A direct message has no pending history, and says so. */
export function directMessage(input: NormalizedTurnInput): ChannelTurnResolved {
  return { ...assembled, history: undefined, message: { rawBody: input.rawText, bodyForAgent: input.textForAgent } };
}

/** The history window, with a rendering of the channel's own. */
export async function historyWindow(entry: HistoryEntry): Promise<string> {
  const history = createChannelHistoryWindow({ historyMap: entries });
  await history.recordWithMedia({
    historyKey: groupKey,
    limit: 20,
    entry,
    media: () => toInboundMediaFacts(pictures, { kind: "image", messageId: entry.messageId }),
  });
  return history.buildPendingContext({
    historyKey: groupKey,
    limit: 20,
    currentMessage: "now",
    formatEntry: ({ sender, body }) => `${sender} said ${body}`,
  });
}
