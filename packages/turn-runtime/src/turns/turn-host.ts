import { TurnwireError, type InboxRow, type TurnHost, type RemoteMedia } from "@turnwire/turn-ports";
import type { PluginRuntime } from "@turnwire/turn-kernel";

import type { Channel } from "@turnwire/turn-ports";
import type { PassHistory } from "./pass-history.ts";
import type { TurnEngineOptions } from "./turn-engine-options.ts";

/** Largest media file that is kept, bytes: the bound of the blob store. */
const MAX_MEDIA_BYTES = 25 * 1024 * 1024;

/** The messages of a group that the next turn is shown, for this account. */
export function historyLimitOf(options: TurnEngineOptions, channel: Channel): number {
  return channel.account.historyLimit ?? options.config.messages.groupChat.historyLimit;
}

/** What a channel's turn adapter gets for one pass. */
export function createTurnHost(
  options: TurnEngineOptions,
  pass: {
    readonly channel: Channel;
    readonly row: InboxRow;
    readonly history: PassHistory;
    readonly runtime: PluginRuntime;
  },
): TurnHost {
  const { store, router, log, cfg, storePath } = options;
  const { channel, history, runtime } = pass;
  return {
    runtime,
    cfg,
    storePath,
    account: channel.account,
    owners: options.config.commands.owners,
    change: pass.row.change,
    historyLimit: historyLimitOf(options, channel),
    log: log.child({ channel: channel.id, accountId: channel.accountId }),
    resolveRoute: (query) => router.resolve(query),
    async isPaired(senderId) {
      const pairing = await store.pairings.find(channel.id, channel.accountId, senderId);
      return pairing?.status === "approved";
    },
    historyKey: history.key,
    historyMap: history.map,
    saveMedia: (media, signal) => saveMedia(options, media, signal),
  };
}

/** Fetches and keeps a file. What cannot be had is told, never thrown: the turn runs with what there is. */
async function saveMedia(
  options: TurnEngineOptions,
  media: RemoteMedia,
  signal: AbortSignal,
): ReturnType<TurnHost["saveMedia"]> {
  if ((media.sizeBytes ?? 0) > MAX_MEDIA_BYTES) return { path: null, reason: "too_large" };
  try {
    const { bytes, contentType } = await media.fetch(signal);
    if (bytes.byteLength > MAX_MEDIA_BYTES) return { path: null, reason: "too_large" };
    const type = contentType ?? media.contentType ?? "application/octet-stream";
    const path = await options.store.blobs.materialize(await options.store.blobs.put(bytes, type));
    return path === null ? { path, reason: "not_kept" } : { path, contentType: type };
  } catch (error) {
    options.log.warn({ error }, "a media file could not be fetched; the turn goes on without it");
    return { path: null, reason: TurnwireError.isInstance(error) ? error.code : "unavailable" };
  }
}
