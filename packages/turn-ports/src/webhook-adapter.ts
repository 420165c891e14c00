import type { RawEvent } from "./raw-event.ts";

/** A webhook request before anything of it is trusted. Header names are lower case; `bytes` is the exact body. */
export interface WebhookRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly bytes: Uint8Array;
}

/** An answer in the transport's own form. */
export interface WebhookResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | undefined;
}

/** What a verified body turned out to be. `respond` alone is for challenges and pings: they never reach the inbox. */
export type WebhookContent =
  | { readonly kind: "respond"; readonly respond: WebhookResponse }
  | { readonly kind: "accept"; readonly events: readonly RawEvent[]; readonly respond?: WebhookResponse | undefined }
  | { readonly kind: "ignore" };

/** The transport side of one account's webhook: what only the platform's adapter can know. */
export interface WebhookAdapter {
  /** The route below the gateway's origin, e.g. `/webhooks/telegram/default`. */
  readonly path: string;
  /** The credential that `verify` needs; blank means that every request is refused. */
  readonly secret: string;
  readonly bodyLimitBytes: number;
  /** True only when the request proves knowledge of `secret` over these exact bytes and is fresh. Must not parse the body. */
  verify(request: WebhookRequest, nowMs: number): boolean;
  /** Called with verified bytes only. A throw makes a dead letter, not an error answer. */
  parse(bytes: Uint8Array, headers: WebhookRequest["headers"]): WebhookContent;
}
