import type { MessageReceipt } from "@turnwire/turn-kernel";
import type { OutboundPart, OutboundTarget, OutboxPurpose, OutboxStatus, SendOutcome } from "@turnwire/turn-ports";

import type { StepBuffer } from "../step-buffer.ts";

/** What became of each part of one send. */
export interface TurnDeliveryReport {
  readonly parts: readonly {
    readonly id: string;
    readonly status: OutboxStatus;
    readonly receipt?: MessageReceipt | undefined;
  }[];
  /** All receipts in one, in order. */
  readonly receipt?: MessageReceipt | undefined;
}

/** The part of the outbox that a turn uses. */
export interface TurnOutbox {
  /** Stores the parts and sends them in order; with `step`, the insert joins the step's commit. */
  send(request: {
    readonly channel: string;
    readonly accountId: string;
    readonly target: OutboundTarget;
    readonly parts: readonly OutboundPart[];
    readonly purpose: OutboxPurpose;
    readonly turnId?: string | undefined;
    readonly sessionKey?: string | undefined;
    readonly step?: StepBuffer | undefined;
    readonly signal?: AbortSignal | undefined;
  }): Promise<TurnDeliveryReport>;
  /** A person's choice to get a held answer again; nothing for any other. */
  resend(id: string): Promise<void>;
  /** Never stored; dropped when a newer one for the same `slot` comes. */
  ephemeral(request: {
    readonly channel: string;
    readonly accountId: string;
    readonly target: OutboundTarget;
    readonly part: OutboundPart;
    readonly slot: string;
    readonly signal: AbortSignal;
  }): Promise<SendOutcome | { readonly kind: "superseded" }>;
}
