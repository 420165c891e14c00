import type { AccessFacts } from "./access-facts.ts";
import type { ChannelTurnAdmission } from "./channel-turn-admission.ts";
import type { ChannelTurnDeliveryAdapter } from "./channel-delivery.ts";
import type { ConversationFacts } from "./conversation-facts.ts";
import type { FinalizedMsgContext } from "./finalized-msg-context.ts";
import type { InboundMediaFacts } from "./inbound-media-facts.ts";
import type { MessageFacts } from "./message-facts.ts";
import type { PreflightHistory } from "./preflight-facts.ts";
import type { RecordInboundSession, RecordOptions } from "./record-inbound-session.ts";
import type { DispatchReplyWithBufferedBlockDispatcher, ReplyPipeline } from "./reply-dispatcher.ts";
import type { ReplyPlanFacts } from "./reply-plan-facts.ts";
import type { RouteFacts } from "./route-facts.ts";
import type { SenderFacts } from "./sender-facts.ts";
import type { SupplementalContextFacts } from "./supplemental-context-facts.ts";

/** How much quoted, forwarded and thread context reaches the model. */
export type ContextVisibility = "all" | "allowlist" | "allowlist_quote";

/** What every resolved turn may carry, however it is dispatched. */
export interface ResolvedTurnBase {
  readonly cfg?: unknown;
  readonly channel?: string | undefined;
  readonly accountId?: string | undefined;
  readonly agentId?: string | undefined;
  readonly routeSessionKey?: string | undefined;
  readonly storePath?: string | undefined;

  /** Either facts … */
  readonly messageId?: string | undefined;
  readonly messageIds?: readonly string[] | undefined;
  readonly timestamp?: number | undefined;
  readonly from?: string | undefined;
  readonly sender?: SenderFacts | undefined;
  readonly conversation?: ConversationFacts | undefined;
  readonly route?: RouteFacts | undefined;
  readonly reply?: ReplyPlanFacts | undefined;
  readonly message?: MessageFacts | undefined;
  readonly access?: AccessFacts | undefined;
  readonly media?: readonly InboundMediaFacts[] | undefined;
  readonly supplemental?: SupplementalContextFacts | undefined;
  readonly contextVisibility?: ContextVisibility | undefined;
  /** … or a finished context, with `access`, `sender` and `conversation` beside it. */
  readonly ctxPayload?: FinalizedMsgContext | undefined;

  readonly history?: PreflightHistory | undefined;
  readonly recordInboundSession?: RecordInboundSession | undefined;
  readonly record?: RecordOptions | undefined;
  readonly onPreDispatchFailure?: ((err: unknown) => void | Promise<void>) | undefined;
}

/** A turn whose replies go through the buffered block dispatcher. */
export interface AssembledChannelTurn extends ResolvedTurnBase {
  readonly delivery: ChannelTurnDeliveryAdapter;
  readonly dispatchReplyWithBufferedBlockDispatcher?: DispatchReplyWithBufferedBlockDispatcher | undefined;
  readonly replyPipeline?: ReplyPipeline | undefined;
  readonly runDispatch?: undefined;
}

/** An assembled turn with an optional admission of any kind. */
export interface ResolvedAssembledTurn extends AssembledChannelTurn {
  readonly admission?: ChannelTurnAdmission | undefined;
}
