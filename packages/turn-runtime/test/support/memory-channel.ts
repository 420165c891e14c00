import { decideAccess } from "@turnwire/adapter-kit";
import {
  createChannelHistoryWindow,
  resolveInboundMentionDecision,
  TurnwireError,
  type ChannelTurnAdapter,
  type MessageReceipt,
} from "@turnwire/turn-kernel";
import type {
  Channel,
  ChannelAccountConfig,
  ChannelCapabilities,
  ChannelContext,
  InboundBatch,
  OutboundPart,
  OutboundTarget,
  RawEvent,
  SendOutcome,
  TurnHost,
} from "@turnwire/turn-ports";

import type { MemoryPlatform, SaidMessage } from "./memory-platform.ts";

const CAPABILITIES: ChannelCapabilities = {
  textLimit: 4_000,
  textUnit: "utf16",
  captionLimit: 0,
  drafts: { direct: "none", group: "none", channel: "none" },
  typing: false,
  typingRefreshMs: 4_000,
  reactions: false,
  edits: true,
  deletes: true,
  threads: true,
  replies: true,
  media: false,
  buttons: false,
  nativeCommands: false,
  settlement: "none",
  settlementWindowMs: 0,
  redeliveryHorizonMs: 60_000,
  outboundRate: { perBotPerSecond: 10_000, perChatPerSecond: 10_000 },
  singleListener: false,
};

const ACCOUNT: ChannelAccountConfig = {
  enabled: true,
  dmPolicy: "open",
  allowFrom: [],
  groupPolicy: "open",
  groups: {},
  requireMention: true,
  bots: "deny",
  contextVisibility: "all",
  streaming: { mode: "off" },
  replyToMode: "off",
  onUnknownSend: "hold",
};

/** What differs from the plain set-up. */
export interface MemoryChannelOptions {
  readonly account?: Partial<ChannelAccountConfig>;
  readonly capabilities?: Partial<ChannelCapabilities>;
  readonly accountId?: string;
}

/** A channel of the memory platform; `say` and `accept` stand where a listener gets its events. */
export type MemoryChannel = Channel & {
  /** Somebody writes; resolves when the event is stored. */
  say(message: Partial<SaidMessage> & { readonly text: string }): Promise<SaidMessage>;
  /** The platform delivers an event again. */
  redeliver(message: SaidMessage): Promise<void>;
};

export function createMemoryChannel(platform: MemoryPlatform, options: MemoryChannelOptions = {}): MemoryChannel {
  const accountId = options.accountId ?? "default";
  const account = { ...ACCOUNT, ...options.account };
  const opened = Promise.withResolvers<ChannelContext>();

  async function accept(message: SaidMessage): Promise<void> {
    const { inbox } = await opened.promise;
    await inbox.accept([
      { type: "message", payload: JSON.parse(JSON.stringify(message)) as RawEvent["payload"], receivedAtMs: 0 },
    ]);
  }

  return {
    specificationVersion: 1,
    id: "memory",
    accountId,
    account,
    capabilities: { ...CAPABILITIES, ...options.capabilities },
    leaseName: `memory:${accountId}`,
    webhook: null,
    start(context) {
      context.health.connected();
      opened.resolve(context);
      return new Promise((resolve) => {
        context.signal.addEventListener("abort", () => resolve(), { once: true });
      });
    },
    stop: () => Promise.resolve(),
    envelope(raw) {
      const { updateId, messageId, chat, chatKind, threadId, from, text, isMedia } = saidOf(raw);
      const kind = isMedia === true ? "media" : "text";
      const command = /^\/(stop|new|status|help|queue)\b/u.exec(text)?.[1];
      return {
        dedupeKey: String(updateId),
        turnKey: `${chat}:${messageId}`,
        messageId,
        change: "new",
        routePeer: { kind: chatKind, id: chat },
        threadId,
        senderId: from,
        replyTarget: chat,
        kind: command === undefined ? kind : "control",
        command,
      };
    },
    turnAdapter: (host) => createAdapter(host),
    render(payload, { mode, editOf, draftId }) {
      const text = payload.text ?? "";
      const sendOrEdit = editOf === undefined ? "send" : "edit";
      const op = draftId === undefined ? sendOrEdit : "draft";
      const part: OutboundPart = {
        op,
        kind: mode === "draft" ? "preview" : "text",
        index: 0,
        messageId: editOf,
        body: text,
        text,
      };
      return [part];
    },
    send: (part, target) => sendPart(platform, part, target),
    reconcile: () => Promise.resolve({ kind: "unsupported" }),
    classifyError: () => ({ kind: "retry" }),
    doctor: () => Promise.resolve([]),
    async say(message) {
      const said = platform.say(message);
      await accept(said);
      return said;
    },
    redeliver: accept,
  };
}

function saidOf(raw: RawEvent): SaidMessage {
  return raw.payload as unknown as SaidMessage;
}

async function sendPart(platform: MemoryPlatform, part: OutboundPart, target: OutboundTarget): Promise<SendOutcome> {
  const { to: chat, threadId, replyToId } = target;
  const text = typeof part.body === "string" ? part.body : "";
  const { messageId = "" } = part;
  try {
    const id = await platform.call({ method: part.op, chat, text }, () => {
      switch (part.op) {
        case "send":
          return platform.post({ chat, threadId, replyToId, text });
        case "edit":
          return platform.edit(messageId, text);
        case "delete":
          return platform.remove(messageId);
        case "draft":
        case "typing":
        case "react":
          return "";
      }
    });
    return { kind: "sent", receipt: receiptOf(id, part.kind) };
  } catch (error) {
    if (!TurnwireError.isInstance(error)) throw error;
    if (error.code === "not_written") return { kind: "retry", error };
    return error.code === "answer_lost" ? { kind: "unknown", error } : { kind: "rejected", error };
  }
}

function receiptOf(id: string, kind: MessageReceipt["parts"][number]["kind"]): MessageReceipt {
  return {
    platformMessageIds: [id],
    primaryPlatformMessageId: id,
    parts: [{ platformMessageId: id, kind, index: 0 }],
    sentAt: 0,
  };
}

function createAdapter(host: TurnHost): ChannelTurnAdapter<InboundBatch> {
  const window = createChannelHistoryWindow({ historyMap: host.historyMap });
  const lastOf = (batch: InboundBatch): SaidMessage => saidOf(batch.events.at(-1) as RawEvent);
  return {
    ingest(batch) {
      const messages = batch.events.map(saidOf);
      if (messages.some((message) => message.malformed === true))
        throw new TypeError("cannot read a field of undefined");
      return { id: lastOf(batch).messageId, rawText: messages.map((message) => message.text).join("\n"), raw: batch };
    },
    preflight(input) {
      const message = lastOf(input.raw as InboundBatch);
      if (message.chatKind === "direct") return {};
      const decision = resolveInboundMentionDecision({
        facts: { canDetectMention: true, wasMentioned: message.mentionsBot },
        policy: { isGroup: true, requireMention: host.account.requireMention },
      });
      const history = { key: host.historyKey, limit: host.historyLimit };
      return { access: { mentions: decision }, history, message: { rawBody: input.rawText } };
    },
    async resolveTurn(input) {
      const message = lastOf(input.raw as InboundBatch);
      const peer = { kind: message.chatKind, id: message.chat };
      const route = host.resolveRoute({ channel: "memory", accountId: "default", peer, threadId: message.threadId });
      const conversation = {
        kind: message.chatKind,
        id: message.chat,
        threadId: message.threadId,
        routePeer: peer,
      } as const;
      const access = decideAccess({
        channel: "memory",
        account: host.account,
        sender: { id: message.from },
        conversation,
        paired: await host.isPaired(message.from),
      });
      return {
        ...(message.observed === true ? { admission: { kind: "observeOnly" } as const } : {}),
        ...(route === null ? { admission: { kind: "drop", reason: "no_owner" } as const } : { route }),
        channel: "memory",
        accountId: "default",
        messageId: message.messageId,
        sender: { id: message.from, name: message.from },
        conversation,
        reply: { to: message.chat, messageThreadId: message.threadId },
        message: {
          rawBody: input.rawText,
          bodyForAgent: input.rawText,
          commandBody: input.rawText,
          inboundHistory: window.buildInboundHistory({ historyKey: host.historyKey, limit: host.historyLimit }),
        },
        access,
        storePath: host.storePath,
        delivery: {
          deliver: () => Promise.reject(new Error("the durable way is taken")),
          durable: {},
        },
      };
    },
  };
}
