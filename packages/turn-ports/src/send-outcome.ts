import type { MessageReceipt, TurnwireError } from "@turnwire/turn-kernel";

import type { OutboundPart } from "./outbound-part.ts";

/**
 * How a call to a platform ended. "Not sent", "sent" and "unknown" are three things; nobody guesses.
 * - `sent`: the platform's answer says so.
 * - `retry`: proven not to have taken effect (connect error, 429, 5xx with proof); sent again after `retryAfterMs`.
 * - `rejected`: the platform refuses it for good. `fallback` is the same part in a form that may pass
 *   (plain text in place of markup); the outbox tries it once.
 * - `unknown`: bytes left and no answer came, or the answer does not say. Settled by `reconcile` or by policy.
 */
export type SendOutcome =
  | { readonly kind: "sent"; readonly receipt: MessageReceipt }
  | {
      readonly kind: "retry";
      readonly error: TurnwireError;
      readonly retryAfterMs?: number | undefined;
      readonly scope?: "chat" | "bot" | undefined;
    }
  | { readonly kind: "rejected"; readonly error: TurnwireError; readonly fallback?: OutboundPart | undefined }
  | { readonly kind: "unknown"; readonly error: TurnwireError };
