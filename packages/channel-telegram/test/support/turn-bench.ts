import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import {
  createChannelHistoryWindow,
  createTurnKernel,
  TurnwireError,
  type ChannelTurnResult,
  type FinalizedMsgContext,
  type HistoryEntry,
  type PluginRuntime,
} from "@turnwire/turn-kernel";
import type { Channel, ChannelAccountConfig, RawEvent, TurnHost } from "@turnwire/turn-ports";
import { onTestFinished } from "vitest";
import { createSystemClock } from "@turnwire/adapter-kit";

import { keptLog } from "./telegram-world.ts";

/** What differs from the plain host: no pairing, one agent for everything, no history yet. */
export interface BenchOptions {
  readonly channel: Channel;
  readonly account?: Partial<ChannelAccountConfig>;
  readonly owners?: readonly string[];
  readonly paired?: readonly string[];
  readonly change?: TurnHost["change"];
  readonly hasOwner?: boolean;
  readonly history?: readonly HistoryEntry[];
  readonly historyLimit?: number;
  readonly resumed?: boolean;
}

/** What one turn came to. */
export interface BenchTurn {
  readonly result: ChannelTurnResult;
  /** What the agent was given; null when it was not asked. */
  readonly context: FinalizedMsgContext | null;
  readonly history: readonly HistoryEntry[];
  readonly replies: readonly { readonly text: string | undefined; readonly options: object }[];
}

const HISTORY_KEY = "telegram:default:place";

/** Runs one batch through the real kernel with the channel's adapter; the agent says "ok". */
export async function runTurn(events: readonly RawEvent[], options: BenchOptions): Promise<BenchTurn> {
  const { channel } = options;
  const historyMap = new Map<string, HistoryEntry[]>();
  if (options.history !== undefined) historyMap.set(HISTORY_KEY, [...options.history]);
  const folder = await mkdtemp(join(tmpdir(), "telegram-media-"));
  onTestFinished(async () => rm(folder, { recursive: true, force: true }));
  const replies: { text: string | undefined; options: object }[] = [];
  let context: FinalizedMsgContext | null = null;
  let files = 0;
  let ids = 0;

  const host: TurnHost = {
    runtime: {} as PluginRuntime,
    cfg: null,
    storePath: ":memory:",
    account: { ...channel.account, ...options.account },
    owners: options.owners ?? [],
    change: options.change ?? "new",
    historyLimit: options.historyLimit ?? 50,
    log: keptLog(),
    resolveRoute: ({ peer, threadId }) =>
      options.hasOwner === false
        ? null
        : { agentId: "main", routeSessionKey: ["agent:main", peer.kind, peer.id, threadId ?? ""].join("|") },
    isPaired: (senderId) => Promise.resolve(options.paired?.includes(senderId) === true),
    historyKey: HISTORY_KEY,
    historyMap,
    async saveMedia(media, signal) {
      try {
        const { bytes, contentType } = await media.fetch(signal);
        files += 1;
        const path = join(folder, `file-${files}`);
        await writeFile(path, bytes);
        return { path, contentType: contentType ?? "application/octet-stream" };
      } catch (error) {
        return { path: null, reason: TurnwireError.isInstance(error) ? error.code : String(error) };
      }
    },
  };

  const kernel = createTurnKernel({
    clock: createSystemClock(),
    ids: { next: () => `turn-${(ids += 1)}` },
    freezeFacts: true,
    history: createChannelHistoryWindow({ historyMap, isReadable: () => true }),
    recordInboundSession: () => Promise.resolve(),
    async reply(ctx, sink) {
      context = ctx;
      await sink.push({ text: "ok" }, "final");
    },
    durableDelivery: {
      deliver({ payload, options: durable }) {
        replies.push({ text: payload.text, options: durable });
        return Promise.resolve({ visibleReplySent: true });
      },
      sendPart: () => Promise.reject(new Error("this adapter prepares no parts")),
    },
  });
  const result = await kernel.run({
    channel: "telegram",
    accountId: "default",
    raw: { events },
    adapter: channel.turnAdapter(host),
    ...(options.resumed === undefined ? {} : { resumed: options.resumed }),
  });
  return { result, context, history: historyMap.get(HISTORY_KEY) ?? [], replies };
}
