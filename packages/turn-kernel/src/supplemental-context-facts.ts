/** The message that this one quotes or answers. */
export interface QuoteFacts {
  readonly id?: string | undefined;
  readonly fullId?: string | undefined;
  readonly body?: string | undefined;
  readonly sender?: string | undefined;
  readonly senderAllowed?: boolean | undefined;
  readonly isExternal?: boolean | undefined;
  /** An explicit quote, not only a reply. */
  readonly isQuote?: boolean | undefined;
}

/** Where a forwarded message came from. */
export interface ForwardedFacts {
  readonly from?: string | undefined;
  readonly fromType?: string | undefined;
  readonly fromId?: string | undefined;
  /** Epoch ms. */
  readonly date?: number | undefined;
  readonly senderAllowed?: boolean | undefined;
}

/** How a thread began. */
export interface ThreadFacts {
  readonly id?: string | undefined;
  readonly starterBody?: string | undefined;
  readonly historyBody?: string | undefined;
  readonly label?: string | undefined;
  readonly parentSessionKey?: string | undefined;
  readonly modelParentSessionKey?: string | undefined;
  readonly senderAllowed?: boolean | undefined;
}

/** A structured block shown to the model as untrusted. */
export interface UntrustedContextBlock {
  readonly label: string;
  readonly source?: string | undefined;
  readonly type?: string | undefined;
  readonly payload: unknown;
}

/** Quote, forward and thread context. The kernel applies `contextVisibility`; the channel only gives facts. */
export interface SupplementalContextFacts {
  readonly quote?: QuoteFacts | undefined;
  readonly forwarded?: ForwardedFacts | undefined;
  readonly thread?: ThreadFacts | undefined;
  readonly untrustedContext?: readonly UntrustedContextBlock[] | undefined;
  readonly groupSystemPrompt?: string | undefined;
}
