import type { MessageReceipt } from "@turnwire/turn-kernel";

/** One receipt for the parts of a payload, in their order; undefined when none was sent. */
export function mergeReceipts(receipts: readonly MessageReceipt[]): MessageReceipt | undefined {
  const [first] = receipts;
  if (first === undefined || receipts.length === 1) return first;
  const parts = receipts.flatMap((receipt) => receipt.parts).map((part, index) => ({ ...part, index }));
  return {
    ...first,
    platformMessageIds: receipts.flatMap((receipt) => receipt.platformMessageIds),
    parts,
    sentAt: Math.max(...receipts.map((receipt) => receipt.sentAt)),
  };
}
