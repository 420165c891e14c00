import type { ChannelStateWrite } from "./channel-state.ts";
import type { Fence } from "./fence.ts";
import type { EnvelopeChange, EnvelopeKind, RoutePeer } from "./inbound-envelope.ts";
import type { RawEvent } from "./raw-event.ts";

/** What an inbox row ends in; exactly one. */
export type InboxEnding = "done" | "dropped" | "handled" | "dead";

/** `waiting` and `running` are the open states: `accepted = done + dropped + handled + dead + waiting`, where waiting includes running. */
export type InboxStatus = "waiting" | "running" | InboxEnding;

/** How a row takes part in debouncing; scope is channel + conversation + sender. */
export interface InboxDebounce {
  readonly scope: string;
  /** `wait`: becomes ready `delayMs` after the newest of its scope; `flush`: makes what waits in the scope ready now; `bypass`: leaves it alone. */
  readonly mode: "wait" | "flush" | "bypass";
  readonly delayMs: number;
}

/** One event to store. */
export interface InboxInsert {
  readonly laneKey: string;
  readonly dedupeKey: string;
  /** Null for events that are no message of their own (deletes, dead letters). */
  readonly turnKey: string | null;
  readonly messageId: string;
  readonly change: EnvelopeChange;
  readonly routePeer: RoutePeer;
  readonly threadId?: string | undefined;
  readonly senderId: string;
  readonly replyTarget: string;
  readonly kind: EnvelopeKind;
  readonly command?: string | undefined;
  readonly raw: RawEvent;
  readonly debounce?: InboxDebounce | undefined;
  /** Set when the event could not be understood: the row is stored as a dead letter with this reason. */
  readonly deadReason?: string | undefined;
}

/** A stored event. */
export interface InboxRow extends Omit<InboxInsert, "debounce" | "deadReason"> {
  readonly id: number;
  readonly channel: string;
  readonly accountId: string;
  readonly status: InboxStatus;
  readonly reason?: string | undefined;
  /** The turn that this row was merged into, when it did not get one of its own. */
  readonly mergedInto?: string | undefined;
  readonly turnId?: string | undefined;
  /** Runs begun for this row, 0 before the first. A crash during a run counts. */
  readonly attempt: number;
  /** How an admission pass of the row ended while another run was active; its resumed pass then skips dedupe, debounce and hooks. */
  readonly deferredAs?: "steer" | "followup" | "collect" | undefined;
  readonly acceptedAtMs: number;
  readonly notBeforeMs: number;
  readonly endedAtMs?: number | undefined;
}

/** A batch of one account, stored in one transaction with its cursor and state. */
export interface AcceptRequest {
  readonly channel: string;
  readonly accountId: string;
  readonly rows: readonly InboxInsert[];
  readonly cursor?: string | undefined;
  readonly state?: readonly ChannelStateWrite[] | undefined;
  /** The listener's lease; a stale one refuses the whole batch with `fenced`. */
  readonly lease?: Fence | undefined;
}

/** What became of each row, in order. `applied`: an edit or delete that changed row `inboxId`, which was still waiting. */
export type AcceptOutcome =
  | { readonly kind: "accepted"; readonly inboxId: number }
  | { readonly kind: "duplicate" }
  | { readonly kind: "applied"; readonly inboxId: number }
  | { readonly kind: "dead"; readonly inboxId: number };

/** Counters over the whole life of the store: the conservation law is checked on them. */
export interface InboxCounts {
  readonly accepted: number;
  readonly done: number;
  readonly dropped: number;
  readonly handled: number;
  readonly dead: number;
  readonly waiting: number;
}

/** Reads of the inbox; writes go through `TurnStore.accept` and `TurnStore.commit`. */
export interface InboxStore {
  /**
   * Waiting rows of a lane whose `notBefore` is reached, oldest ready first, control rows ahead of the line.
   * Rows that are `running` are not among them; rows whose run has begun without a committed `inbox.run` are.
   */
  ready(laneKey: string, limit: number): Promise<readonly InboxRow[]>;
  /** All open rows of a lane, ready or not, oldest first. */
  open(laneKey: string, limit: number): Promise<readonly InboxRow[]>;
  get(id: number): Promise<InboxRow | null>;
  list(filter: {
    readonly status?: InboxStatus | undefined;
    readonly beforeId?: number | undefined;
    readonly limit: number;
  }): Promise<readonly InboxRow[]>;
  counts(): Promise<InboxCounts>;
  /** Open rows of one account, for the intake bound. */
  waitingOf(channel: string, accountId: string): Promise<number>;
}
