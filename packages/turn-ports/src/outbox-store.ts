import type { MessageReceipt } from "@turnwire/turn-kernel";

import type { OutboundPart } from "./outbound-part.ts";
import type { OutboundTarget } from "./outbound-target.ts";

/** `queued → sending → sent | rejected | unknown → sent | given_up`; `superseded` for parts that a newer attempt, or a refused part of their payload, replaced before they were sent. */
export type OutboxStatus = "queued" | "sending" | "sent" | "rejected" | "unknown" | "given_up" | "superseded";

/** What a part is for: tells recovery and the console apart. */
export type OutboxPurpose = "final" | "block" | "tool" | "draft" | "notice";

/** One piece of something visible. `id` is allotted once, before the insert, and is the idempotency id of every try. */
export interface OutboxInsert {
  readonly id: string;
  /** `deliver:<channel>:<account>:<target>`: parts of one key are sent strictly in order. */
  readonly deliverKey: string;
  readonly channel: string;
  readonly accountId: string;
  readonly turnId?: string | undefined;
  readonly sessionKey?: string | undefined;
  readonly purpose: OutboxPurpose;
  readonly part: OutboundPart;
  readonly target: OutboundTarget;
  /** Insert it as `sending` at once: the caller owns `deliverKey` and makes the call itself after the commit. */
  readonly sending?: boolean | undefined;
}

/** A stored part. */
export interface OutboxRow extends Omit<OutboxInsert, "sending"> {
  /** Order of insertion. */
  readonly seq: number;
  readonly status: OutboxStatus;
  readonly attempts: number;
  readonly firstAttemptAtMs?: number | undefined;
  readonly lastAttemptAtMs?: number | undefined;
  readonly notBeforeMs: number;
  readonly receipt?: MessageReceipt | undefined;
  readonly error?: { readonly code: string; readonly message: string } | undefined;
  readonly createdAtMs: number;
  readonly settledAtMs?: number | undefined;
}

/** Reads of the outbox; writes go through `TurnStore.commit`. */
export interface OutboxStore {
  /** Unsettled rows of a delivery queue in order: `queued`, `sending`, `unknown`. A held row reads with a `notBeforeMs` of `Number.MAX_SAFE_INTEGER`. */
  pending(deliverKey: string, limit: number): Promise<readonly OutboxRow[]>;
  byTurn(turnId: string): Promise<readonly OutboxRow[]>;
  get(id: string): Promise<OutboxRow | null>;
  list(filter: {
    readonly status?: OutboxStatus | undefined;
    readonly beforeSeq?: number | undefined;
    readonly limit: number;
  }): Promise<readonly OutboxRow[]>;
  counts(): Promise<Readonly<Record<OutboxStatus, number>>>;
}
