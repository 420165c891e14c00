import type { InboundHistoryEntry } from "./message-facts.ts";
import type { UntrustedContextBlock } from "./supplemental-context-facts.ts";

/**
 * What the agent and the dispatcher get: flat, frozen one level. A field without a source is absent, never an empty string.
 * The model reads `BodyForAgent ?? CommandBody ?? RawBody ?? Body`; commands read `BodyForCommands ?? CommandBody ?? RawBody ?? Body`.
 */
export interface FinalizedMsgContext {
  readonly Body?: string | undefined;
  readonly BodyForAgent?: string | undefined;
  readonly RawBody?: string | undefined;
  readonly CommandBody?: string | undefined;
  readonly BodyForCommands?: string | undefined;
  readonly From?: string | undefined;
  readonly To?: string | undefined;
  readonly SessionKey?: string | undefined;
  readonly ParentSessionKey?: string | undefined;
  readonly ModelParentSessionKey?: string | undefined;
  readonly AccountId?: string | undefined;
  readonly MessageSid?: string | undefined;
  readonly MessageSids?: readonly string[] | undefined;
  readonly MessageSidFirst?: string | undefined;
  readonly MessageSidLast?: string | undefined;
  readonly ReplyToId?: string | undefined;
  readonly ReplyToIdFull?: string | undefined;
  readonly ReplyToBody?: string | undefined;
  readonly ReplyToSender?: string | undefined;
  readonly ReplyToIsQuote?: boolean | undefined;
  readonly ForwardedFrom?: string | undefined;
  readonly ForwardedFromType?: string | undefined;
  readonly ForwardedFromId?: string | undefined;
  readonly ForwardedDate?: number | undefined;
  readonly ThreadStarterBody?: string | undefined;
  readonly ThreadHistoryBody?: string | undefined;
  readonly ThreadLabel?: string | undefined;
  readonly MessageThreadId?: string | undefined;
  readonly ThreadParentId?: string | undefined;
  readonly MediaPath?: string | undefined;
  readonly MediaUrl?: string | undefined;
  readonly MediaType?: string | undefined;
  /** Positions are kept: an attachment without a path has `""` here. */
  readonly MediaPaths?: readonly string[] | undefined;
  readonly MediaUrls?: readonly string[] | undefined;
  readonly MediaTypes?: readonly string[] | undefined;
  readonly MediaTranscribedIndexes?: readonly number[] | undefined;
  readonly ChatType?: string | undefined;
  readonly ConversationLabel?: string | undefined;
  readonly GroupSubject?: string | undefined;
  readonly GroupChannel?: string | undefined;
  readonly GroupSpace?: string | undefined;
  readonly MemberRoleIds?: readonly string[] | undefined;
  readonly GroupSystemPrompt?: string | undefined;
  readonly UntrustedStructuredContext?: readonly UntrustedContextBlock[] | undefined;
  readonly SenderName?: string | undefined;
  readonly SenderId?: string | undefined;
  readonly SenderUsername?: string | undefined;
  readonly SenderTag?: string | undefined;
  readonly Timestamp?: number | undefined;
  readonly Provider?: string | undefined;
  readonly Surface?: string | undefined;
  readonly WasMentioned?: boolean | undefined;
  readonly CommandAuthorized: boolean;
  readonly CommandSource?: string | undefined;
  readonly NativeChannelId?: string | undefined;
  readonly OriginatingChannel?: string | undefined;
  readonly OriginatingTo?: string | undefined;
  readonly InboundHistory?: readonly InboundHistoryEntry[] | undefined;
}
