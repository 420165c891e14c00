import type { InboundMediaFacts } from "./inbound-media-facts.ts";
import type { InboundHistoryEntry } from "./message-facts.ts";

/** A remembered message of a group. An entry exists when there is text or media. */
export interface HistoryEntry {
  readonly sender: string;
  readonly body: string;
  readonly timestamp?: number | undefined;
  readonly messageId?: string | undefined;
  readonly senderId?: string | undefined;
  readonly threadId?: string | undefined;
  /** Read by `contextVisibility`. */
  readonly senderAllowed?: boolean | undefined;
  readonly media?: readonly InboundMediaFacts[] | undefined;
}

/** Media of an entry, given as a list or as a function that is called only when the entry is recorded. */
export type HistoryMediaSource =
  | readonly InboundMediaFacts[]
  | (() => readonly InboundMediaFacts[] | Promise<readonly InboundMediaFacts[]>);

/** Pending history of groups, by key (conversation + thread). */
export interface HistoryWindow {
  record(params: {
    readonly historyKey: string;
    readonly limit?: number | undefined;
    readonly entry: HistoryEntry;
  }): void;
  recordWithMedia(params: {
    readonly historyKey: string;
    readonly limit?: number | undefined;
    readonly mediaLimit?: number | undefined;
    readonly entry: HistoryEntry;
    readonly media?: HistoryMediaSource | undefined;
    readonly shouldRecord?: (() => boolean) | undefined;
  }): Promise<void>;
  /** The current message behind what came since the last answer, wrapped as the messages seed says. */
  buildPendingContext(params: {
    readonly historyKey: string;
    readonly limit?: number | undefined;
    readonly mediaLimit?: number | undefined;
    readonly currentMessage: string;
    readonly formatEntry?: ((entry: HistoryEntry) => string) | undefined;
  }): string;
  buildInboundHistory(params: {
    readonly historyKey: string;
    readonly limit?: number | undefined;
    /** Media shown of all entries together, the newest. Default 4. */
    readonly mediaLimit?: number | undefined;
  }): readonly InboundHistoryEntry[] | undefined;
  clear(params: { readonly historyKey: string }): void;
}
