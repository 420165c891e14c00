import { createHash } from "node:crypto";

import type {
  AcceptedAs,
  Channel,
  ChannelInbox,
  Clock,
  Fence,
  RawEvent,
  Telemetry,
  TurnStore,
} from "@turnwire/turn-ports";
import { TurnwireError } from "@turnwire/turn-ports";

import type { MessagesConfig } from "../config/messages-config.ts";
import type { AgentRouter } from "../routing/agent-router.ts";
import { toInboxInsert } from "./to-inbox-insert.ts";

/** Waiting rows at which an account takes no more: the platform keeps what it is not acknowledged for. */
export const MAX_WAITING_ROWS = 100_000;

/** How often the bound is looked at, ms; between two looks an account adds far less than the bound. */
const BOUND_CHECK_MS = 1_000;

/** How long a refused platform is asked to wait, ms. */
const RETRY_AFTER_MS = 5_000;

/** What an account's inbox works with. */
export interface ChannelInboxOptions {
  readonly channel: Channel;
  readonly store: TurnStore;
  readonly router: AgentRouter;
  readonly inbound: MessagesConfig["inbound"];
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  /** The listener's lease, where the channel needs one: a stale one refuses the batch. */
  readonly lease?: Fence | undefined;
  /** Default `MAX_WAITING_ROWS`. */
  readonly maxWaitingRows?: number | undefined;
}

/** Identity of an event that has no readable one: a digest of what it is, without the time of its arrival. */
export function fingerprintOf(raw: RawEvent): string {
  return createHash("sha256")
    .update(JSON.stringify([raw.type, raw.payload]))
    .digest("base64url");
}

/** The one way in for one account: envelope, lane and dedupe keys, then one transaction with the cursor. */
export function createChannelInbox(options: ChannelInboxOptions): ChannelInbox {
  const { channel, store, router, inbound, clock, telemetry, lease, maxWaitingRows = MAX_WAITING_ROWS } = options;
  const mapping = { channel, router, inbound };
  const labels = { channel: channel.id, account: channel.accountId };
  let checkedAtMs = Number.NEGATIVE_INFINITY;
  let isFull = false;

  async function refuseWhenFull(): Promise<void> {
    const nowMs = clock.monotonic();
    if (isFull || nowMs - checkedAtMs >= BOUND_CHECK_MS) {
      isFull = (await store.inbox.waitingOf(channel.id, channel.accountId)) >= maxWaitingRows;
      checkedAtMs = nowMs;
    }
    if (isFull) {
      throw new TurnwireError({
        code: "inbox_full",
        message: `${channel.id}:${channel.accountId} has ${maxWaitingRows} events waiting and takes no more until some are done; look for a lane that hangs.`,
        retryAfterMs: RETRY_AFTER_MS,
      });
    }
  }

  function refusal(cause: unknown): TurnwireError {
    if (TurnwireError.isInstance(cause, "inbox_full")) return cause;
    if (TurnwireError.isInstance(cause, "fenced")) {
      return new TurnwireError({
        code: "lease_lost",
        message: `Another process listens for ${channel.id}:${channel.accountId} now; this one stands down.`,
        cause,
      });
    }
    return new TurnwireError({
      code: "inbox_unavailable",
      message: `The events of ${channel.id}:${channel.accountId} could not be stored, so they are not acknowledged and come again.`,
      cause,
      retryAfterMs: RETRY_AFTER_MS,
    });
  }

  return {
    async accept(events, accept = {}): Promise<readonly AcceptedAs[]> {
      const { cursor, state } = accept;
      if (events.length === 0 && cursor === undefined && state === undefined) return [];
      try {
        if (events.length > 0) await refuseWhenFull();
        const rows = events.map((raw) => toInboxInsert(mapping, raw, fingerprintOf));
        const outcomes = await store.accept({
          channel: channel.id,
          accountId: channel.accountId,
          rows,
          cursor,
          state,
          lease,
        });
        for (const { kind } of outcomes) telemetry.count("inbox_events_total", { ...labels, as: kind });
        return outcomes;
      } catch (error) {
        telemetry.count("inbox_refused_total", labels);
        throw refusal(error);
      }
    },
  };
}
