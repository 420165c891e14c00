import type { MessageReceipt } from "@turnwire/turn-kernel";

/**
 * What reading back told about a send whose answer was lost.
 * - `sent`: found; - `absent`: proven not there, send again; - `ambiguous`: several could be it, hold;
 * - `unsupported`: the platform gives no means to know, the account's `onUnknownSend` decides.
 */
export type ReconcileResult =
  | { readonly kind: "sent"; readonly receipt: MessageReceipt }
  | { readonly kind: "absent" }
  | { readonly kind: "ambiguous" }
  | { readonly kind: "unsupported" };
