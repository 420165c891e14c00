import type { ReconcileResult } from "@turnwire/turn-ports";

/**
 * Telegram gives no means to know: no idempotency key, and no method that reads a chat.
 * The account's `onUnknownSend` decides, and by default the person is told.
 */
export function reconcile(): Promise<ReconcileResult> {
  return Promise.resolve({ kind: "unsupported" });
}
