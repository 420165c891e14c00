import type { FinalizedMsgContext, HistoryEntry, PluginRuntime, RouteFacts } from "@turnwire/turn-kernel";

import type { ChannelAccountConfig } from "./channel-account-config.ts";
import type { EnvelopeChange, RoutePeer } from "./inbound-envelope.ts";
import type { Logger } from "./logger.ts";

/** What routing looks up. */
export interface RouteQuery {
  readonly channel: string;
  readonly accountId: string;
  readonly peer: RoutePeer;
  readonly threadId?: string | undefined;
}

/** Media of a message before it is fetched. `fetch` is called once, after admission, within size and time bounds. */
export interface RemoteMedia {
  readonly contentType?: string | undefined;
  readonly fileName?: string | undefined;
  readonly sizeBytes?: number | undefined;
  fetch(signal: AbortSignal): Promise<{ readonly bytes: Uint8Array; readonly contentType?: string | undefined }>;
}

/** What the runtime gives a channel's turn adapter: everything that is not the platform's. */
export interface TurnHost {
  readonly runtime: PluginRuntime;
  /** Passed through to `recordInboundSession` and the dispatcher unread. */
  readonly cfg: unknown;
  readonly storePath: string;
  readonly account: ChannelAccountConfig;
  /** People with all rights, as `<channel>:<sender id>`: for `decideAccess`. */
  readonly owners: readonly string[];
  /**
   * What the batch's last event is to the lane. `edit` and `delete`: of a message that did not wait any more, so they start
   * no turn. An edit that was applied to a waiting message is `new`, whatever its payload looks like.
   */
  readonly change: EnvelopeChange;
  /** The effective `historyLimit` of this account; 0 is off. */
  readonly historyLimit: number;
  readonly log: Logger;
  /** Null when bindings exist and none matches: the event ends `dropped: no_owner`. */
  resolveRoute(query: RouteQuery): RouteFacts | null;
  /** True when an operator has approved this sender for direct chats. */
  isPaired(senderId: string): Promise<boolean>;
  /** Names the conversation and thread of this turn's events in `historyMap`; what `history.key` of preflight must be. */
  readonly historyKey: string;
  /** Pending group history under `historyKey`, hydrated before ingest. */
  readonly historyMap: Map<string, HistoryEntry[]>;
  /** Stores fetched media and returns a readable local path, or null with a reason when it is over its bounds or cannot be had. */
  saveMedia(
    media: RemoteMedia,
    signal: AbortSignal,
  ): Promise<
    { readonly path: string; readonly contentType: string } | { readonly path: null; readonly reason: string }
  >;
  /** For tests and the console: told of every context that is built. */
  onContext?: ((context: FinalizedMsgContext) => void) | undefined;
}
