import type { HistoryEntry, HistoryWindow } from "./history-window.ts";
import type { InboundMediaFacts } from "./inbound-media-facts.ts";

/** Keys remembered at once; the least recently used goes first. */
export const MAX_HISTORY_KEYS = 1_000;
/** Entries of one key where the caller names no limit. */
export const DEFAULT_HISTORY_LIMIT = 50;
/** Media of one entry where the caller names no limit. */
export const DEFAULT_HISTORY_MEDIA_LIMIT = 4;

/** What stands in front of the messages that came since the last answer. */
export const HISTORY_MARKER = "[Chat messages since your last reply - for context]";
/** What stands in front of the message to be answered. */
export const CURRENT_MESSAGE_MARKER = "[Current message - respond to this]";

/** Where and how a window keeps its entries. */
export interface HistoryWindowOptions {
  /** The entries by key; the caller may hydrate and store them. A new map when absent. */
  readonly historyMap?: Map<string, HistoryEntry[]> | undefined;
  /** Whether a local path can be read here. Absent: none can, and no media is kept. */
  readonly isReadable?: ((path: string) => boolean) | undefined;
  readonly maxKeys?: number | undefined;
  /** Told of every entry that was recorded, so that it can be written through. */
  readonly onRecord?: ((historyKey: string, entry: HistoryEntry, limit: number) => void) | undefined;
  readonly onClear?: ((historyKey: string) => void) | undefined;
}

type Reading = Parameters<HistoryWindow["buildInboundHistory"]>[0];

/** The newest media up to the limit: one more pushes out the oldest, and an entry that was nothing but that goes with it. */
function newestMedia(entries: readonly HistoryEntry[], mediaLimit: number): readonly HistoryEntry[] {
  let left = Math.max(0, mediaLimit);
  const kept: HistoryEntry[] = [];
  for (const entry of entries.toReversed()) {
    const { media = [], ...text } = entry;
    const shown = media.slice(0, left);
    left -= shown.length;
    if (shown.length === media.length) kept.push(entry);
    else if (shown.length > 0) kept.push({ ...text, media: shown });
    else if (entry.body !== "") kept.push(text);
  }
  return kept.toReversed();
}

/**
 * Pending history of groups: what came since the bot last answered there. Only images under readable local paths are
 * kept as media; an entry exists when it has text or media.
 */
export function createChannelHistoryWindow(options: HistoryWindowOptions = {}): HistoryWindow {
  const {
    historyMap = new Map<string, HistoryEntry[]>(),
    isReadable = () => false,
    maxKeys = MAX_HISTORY_KEYS,
  } = options;

  /** The map's order is the order of last use. */
  function touch(historyKey: string, entries: HistoryEntry[]): void {
    historyMap.delete(historyKey);
    historyMap.set(historyKey, entries);
  }

  function entriesOf({ historyKey, limit = DEFAULT_HISTORY_LIMIT, mediaLimit }: Reading): readonly HistoryEntry[] {
    const entries = limit > 0 ? historyMap.get(historyKey) : undefined;
    if (entries === undefined) return [];
    touch(historyKey, entries);
    return newestMedia(entries.slice(-limit), mediaLimit ?? DEFAULT_HISTORY_MEDIA_LIMIT);
  }

  function append(historyKey: string, entry: HistoryEntry, limit: number): void {
    if (limit <= 0 || (entry.body === "" && (entry.media?.length ?? 0) === 0)) return;
    const entries = historyMap.get(historyKey) ?? [];
    entries.push(entry);
    entries.splice(0, Math.max(0, entries.length - limit));
    touch(historyKey, entries);
    for (const key of historyMap.keys()) {
      if (historyMap.size <= maxKeys) break;
      historyMap.delete(key);
    }
    options.onRecord?.(historyKey, entry, limit);
  }

  function keep(media: readonly InboundMediaFacts[], mediaLimit: number): InboundMediaFacts[] {
    const isKept = ({ kind, path }: InboundMediaFacts): boolean =>
      kind === "image" && path !== undefined && isReadable(path);
    return media.filter(isKept).slice(0, Math.max(0, mediaLimit));
  }

  return {
    record({ historyKey, limit = DEFAULT_HISTORY_LIMIT, entry }) {
      append(historyKey, entry, limit);
    },
    async recordWithMedia({
      historyKey,
      limit = DEFAULT_HISTORY_LIMIT,
      mediaLimit = DEFAULT_HISTORY_MEDIA_LIMIT,
      entry,
      media,
      shouldRecord,
    }) {
      if (limit <= 0) return;
      const facts = typeof media === "function" ? await media() : (media ?? entry.media ?? []);
      const kept = keep(facts, mediaLimit);
      // Asked last: fetching media takes time, and the message may be gone by then.
      if (shouldRecord?.() === false) return;
      const { media: _, ...text } = entry;
      append(historyKey, kept.length === 0 ? text : { ...text, media: kept }, limit);
    },
    buildPendingContext({ currentMessage, formatEntry, ...reading }) {
      const entries = entriesOf(reading);
      if (entries.length === 0) return currentMessage;
      const format = formatEntry ?? ((entry: HistoryEntry): string => `${entry.sender}: ${entry.body}`);
      return [HISTORY_MARKER, ...entries.map(format), "", CURRENT_MESSAGE_MARKER, currentMessage].join("\n");
    },
    buildInboundHistory(reading) {
      const entries = entriesOf(reading);
      if (entries.length === 0) return undefined;
      return entries.map(({ sender, body, timestamp, messageId, media, senderAllowed }) => ({
        sender,
        body,
        ...(timestamp === undefined ? {} : { timestamp }),
        ...(messageId === undefined ? {} : { messageId }),
        ...(media === undefined ? {} : { media }),
        ...(senderAllowed === undefined ? {} : { senderAllowed }),
      }));
    },
    clear({ historyKey }) {
      if (historyMap.delete(historyKey)) options.onClear?.(historyKey);
    },
  };
}
