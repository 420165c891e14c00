import type { MessageReceipt } from "@turnwire/turn-kernel";
import type { OutboxStatus } from "@turnwire/turn-ports";

import { mergeReceipts } from "./merge-receipts.ts";

/** How one part stands. `queued` and `sending`: the outbox goes on with it by itself. */
export interface PartReport {
  readonly id: string;
  readonly status: OutboxStatus;
  readonly receipt?: MessageReceipt | undefined;
  readonly error?: { readonly code: string; readonly message: string } | undefined;
}

/** How a payload's parts stand when the wait for them ended. */
export interface DeliveryReport {
  readonly parts: readonly PartReport[];
  /** Of all parts that were sent, in order. */
  readonly receipt?: MessageReceipt | undefined;
}

/** Puts the parts' reports together. */
export function deliveryReport(parts: readonly PartReport[]): DeliveryReport {
  const receipts = parts.flatMap((part) => (part.receipt === undefined ? [] : [part.receipt]));
  return { parts, receipt: mergeReceipts(receipts) };
}
