export { accountConfigShape } from "./account-config-shape.ts";
export { classifyTransportError } from "./classify-transport-error.ts";
export type { TransportFailure } from "./classify-transport-error.ts";
export { decideAccess } from "./decide-access.ts";
export type { AccessQuery } from "./decide-access.ts";
export { createManualClock } from "./manual-clock.ts";
export type { ManualClock } from "./manual-clock.ts";
export { createOutboundBudget } from "./outbound-budget.ts";
export type { OutboundBudget, OutboundBudgetOptions, OutboundPriority, OutboundRequest } from "./outbound-budget.ts";
export { createSystemClock } from "./system-clock.ts";
export { createDraftSession } from "./draft-session.ts";
export type { DraftEnd, DraftSession, DraftSessionOptions, DraftState, DraftTransport } from "./draft-session.ts";
export { redactSecrets } from "./redact-secrets.ts";
export { applyResponsePrefix, choosePrefix, unknownPlaceholders } from "./response-prefix.ts";
export type { PrefixValues } from "./response-prefix.ts";
export { isSilentReply, maybeSilentPrefix, SILENT_TOKEN } from "./silence.ts";
export { equalSecrets } from "./equal-secrets.ts";
export { hmacSha256Hex } from "./hmac-sha256-hex.ts";
export { isFreshTimestamp } from "./is-fresh-timestamp.ts";
export {
  dispatchVerifiedWebhook,
  parseVerifiedWebhook,
  UNPARSED_WEBHOOK_EVENT,
  verifyWebhook,
  WEBHOOK_REFUSAL_RULES,
} from "./webhook-ingress.ts";
export type {
  RefusedWebhook,
  VerifiedWebhookIngress,
  VerifiedWebhookMessages,
  WebhookRefusal,
} from "./webhook-ingress.ts";
export { createWebhookRegistry } from "./webhook-registry.ts";
export type { RegisteredWebhook, WebhookRegistry } from "./webhook-registry.ts";
export { chunkMarkdown } from "./markdown/chunk-markdown.ts";
export type { ChunkMarkdownOptions, RenderedMarkdown } from "./markdown/chunk-markdown.ts";
export type {
  MarkdownBlock,
  MarkdownBlockquote,
  MarkdownBreak,
  MarkdownCode,
  MarkdownHeading,
  MarkdownInline,
  MarkdownInlineCode,
  MarkdownLink,
  MarkdownList,
  MarkdownListItem,
  MarkdownMark,
  MarkdownNode,
  MarkdownParagraph,
  MarkdownParent,
  MarkdownRoot,
  MarkdownTable,
  MarkdownTableCell,
  MarkdownTableRow,
  MarkdownText,
  MarkdownThematicBreak,
} from "./markdown/markdown-nodes.ts";
export { measureText } from "./markdown/measure-text.ts";
export type { TextUnit } from "./markdown/measure-text.ts";
export { parseMarkdown } from "./markdown/parse-markdown.ts";
export { plainRoot } from "./markdown/plain-root.ts";
export { plainText } from "./markdown/plain-text.ts";
export { tablesToCode } from "./markdown/tables-to-code.ts";
export { isPublicAddress } from "./fetch/is-public-address.ts";
export type { ResolvedAddress, ResolveHost } from "./fetch/resolve-hop.ts";
export { safeFetch } from "./fetch/safe-fetch.ts";
export type { SafeFetchOptions, SafeFetchResult } from "./fetch/safe-fetch.ts";
export { createAckReactionLease } from "./create-ack-reaction-lease.ts";
export type { AckEnding, AckReactionLease, AckReactionLeaseOptions } from "./create-ack-reaction-lease.ts";
export { createTypingLease } from "./create-typing-lease.ts";
export type { TypingLease, TypingLeaseOptions } from "./create-typing-lease.ts";
export { createBlockStreamer } from "./streaming/create-block-streamer.ts";
export type { BlockStreamer, BlockStreamerOptions } from "./streaming/create-block-streamer.ts";
export type { TextBreak } from "./streaming/find-text-break.ts";
export { humanDelayMs } from "./streaming/human-delay.ts";
export type { HumanDelay } from "./streaming/human-delay.ts";
