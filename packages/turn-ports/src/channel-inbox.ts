import type { ChannelStateWrite } from "./channel-state.ts";
import type { RawEvent } from "./raw-event.ts";

/** What commits together with a batch of events. */
export interface AcceptOptions {
  /** The listener's new cursor. */
  readonly cursor?: string | undefined;
  readonly state?: readonly ChannelStateWrite[] | undefined;
}

/** What became of each event of a batch, in its order. */
export type AcceptedAs =
  | { readonly kind: "accepted"; readonly inboxId: number }
  /** Known already: the platform may be acknowledged, nothing runs twice. */
  | { readonly kind: "duplicate" }
  /** Changed or removed a message that was still waiting. */
  | { readonly kind: "applied"; readonly inboxId: number }
  /** Could not be understood: stored as a dead letter with its reason. */
  | { readonly kind: "dead"; readonly inboxId: number };

/** The one way in. */
export interface ChannelInbox {
  /**
   * Stores the events, the cursor and the state in one commit. When it resolves they are durable
   * and the platform may be acknowledged; when it rejects nothing was stored and it must not be.
   * @throws TurnwireError `inbox_unavailable` (store down, disk full), `inbox_full` (100,000 waiting rows of the account), `lease_lost`.
   */
  accept(events: readonly RawEvent[], options?: AcceptOptions): Promise<readonly AcceptedAs[]>;
}
