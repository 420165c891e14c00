export type {
  AccessFacts,
  CommandAccessFacts,
  DmAccessFacts,
  GroupAccessFacts,
  ImplicitMentionKind,
  MentionAccessFacts,
} from "./access-facts.ts";
export type {
  AssembledChannelTurn,
  ContextVisibility,
  ResolvedAssembledTurn,
  ResolvedTurnBase,
} from "./assembled-channel-turn.ts";
export type {
  ChannelDeliveryInfo,
  ChannelDeliveryResult,
  ChannelEventDeliveryAdapter,
  ChannelTurnDeliveryAdapter,
  DeliveryOutcome,
  DurableInboundReplyDeliveryOptions,
} from "./channel-delivery.ts";
export type { ChannelEventClass } from "./channel-event-class.ts";
export type { ChannelTurnAdapter, ChannelTurnResolved, TurnPassContext } from "./channel-turn-adapter.ts";
export type {
  ChannelTurnAdmission,
  DispatchAdmission,
  DropAdmission,
  HandledAdmission,
  ObserveOnlyAdmission,
} from "./channel-turn-admission.ts";
export type { ChannelTurnResult, DispatchedChannelTurnResult } from "./channel-turn-result.ts";
export type { Clock } from "./clock.ts";
export type { ConversationFacts } from "./conversation-facts.ts";
export type { FinalizedMsgContext } from "./finalized-msg-context.ts";
export type { HistoryEntry, HistoryMediaSource, HistoryWindow } from "./history-window.ts";
export type { Ids } from "./ids.ts";
export type { InboundMediaFacts } from "./inbound-media-facts.ts";
export type {
  BeforeDispatchDecision,
  DurableDelivery,
  KernelPorts,
  TurnAtDispatch,
  TurnPassOptions,
} from "./kernel-ports.ts";
export type { InboundHistoryEntry, MessageFacts } from "./message-facts.ts";
export type { MessageReceipt, MessageReceiptPart } from "./message-receipt.ts";
export type { NormalizedTurnInput } from "./normalized-turn-input.ts";
export type { PluginRuntime } from "./plugin-runtime.ts";
export type { PreflightCommand, PreflightFacts, PreflightHistory } from "./preflight-facts.ts";
export type {
  PreparedChannelTurn,
  PreparedSendTarget,
  ResolvedPreparedTurn,
  RunDispatch,
  RunDispatchControls,
} from "./prepared-channel-turn.ts";
export type {
  RecordInboundSession,
  RecordInboundSessionParams,
  RecordOptions,
  UpdateLastRoute,
} from "./record-inbound-session.ts";
export type {
  BufferedBlockDispatchParams,
  DispatchReplyWithBufferedBlockDispatcher,
  DispatchResult,
  ReplyControls,
  ReplyFunction,
  ReplyPipeline,
  ReplySink,
} from "./reply-dispatcher.ts";
export type { PresentationButton, PresentationSelect, ReplyPayload, ReplyPresentation } from "./reply-payload.ts";
export type { ReplyPlanFacts } from "./reply-plan-facts.ts";
export type { RouteFacts } from "./route-facts.ts";
export type { SenderFacts } from "./sender-facts.ts";
export type {
  ForwardedFacts,
  QuoteFacts,
  SupplementalContextFacts,
  ThreadFacts,
  UntrustedContextBlock,
} from "./supplemental-context-facts.ts";
export type { TurnKernel } from "./turn-kernel-api.ts";
export type { TurnLog, TurnLogEvent, TurnStageEvent } from "./turn-log-event.ts";
export type { BuildContextParams, RunAssembledParams, RunPreparedParams, RunTurnParams } from "./turn-params.ts";
export type { TurnAbortReason, TurnScope } from "./turn-scope.ts";
export { TURN_STAGES } from "./turn-stage.ts";
export type { TurnStage } from "./turn-stage.ts";
export { TURN_STAGE_TABLE } from "./turn-stage-table.ts";
export type { TurnStageEnd, TurnStageRow } from "./turn-stage-table.ts";
export { TurnwireError } from "./turnwire-error.ts";
export type { TurnwireErrorInit } from "./turnwire-error.ts";
export { AUTHORIZATION_RULES, decideAuthorization, isCommandAuthorized } from "./decide-authorization.ts";
export type { AuthorizationInput, AuthorizationRule } from "./decide-authorization.ts";
export { applyContextVisibility } from "./apply-context-visibility.ts";
export type { VisibleContext } from "./apply-context-visibility.ts";
export { buildContext } from "./build-context.ts";
// Exported as deprecated, not used.
/* oxlint-disable typescript/no-deprecated */
export {
  buildInboundHistoryFromMap,
  buildPendingHistoryContextFromMap,
  clearHistoryEntries,
  clearHistoryEntriesIfEnabled,
  dispatchInboundReplyWithBase,
  recordInboundSessionAndDispatchReply,
  recordPendingHistoryEntry,
  recordPendingHistoryEntryIfEnabled,
} from "./compatibility.ts";
/* oxlint-enable typescript/no-deprecated */
export type { HistoryMapParams } from "./compatibility.ts";
export { createBufferedBlockDispatcher } from "./create-buffered-block-dispatcher.ts";
export type { BufferedBlockDispatcherOptions } from "./create-buffered-block-dispatcher.ts";
export {
  createChannelHistoryWindow,
  CURRENT_MESSAGE_MARKER,
  DEFAULT_HISTORY_LIMIT,
  DEFAULT_HISTORY_MEDIA_LIMIT,
  HISTORY_MARKER,
  MAX_HISTORY_KEYS,
} from "./create-channel-history-window.ts";
export type { HistoryWindowOptions } from "./create-channel-history-window.ts";
export { createChannelMessageReplyPipeline } from "./create-channel-message-reply-pipeline.ts";
export type { ChannelMessageReplyPipelineOptions } from "./create-channel-message-reply-pipeline.ts";
export { createTurnKernel } from "./create-turn-kernel.ts";
export { createTurnScope } from "./create-turn-scope.ts";
export type { OwnedTurnScope } from "./create-turn-scope.ts";
export { EMPTY_DISPATCH_RESULT } from "./dispatch-turn.ts";
export {
  createNoopChannelEventDeliveryAdapter,
  createNoopChannelTurnDeliveryAdapter,
} from "./noop-delivery-adapter.ts";
export { resolveInboundMentionDecision } from "./resolve-inbound-mention-decision.ts";
export type {
  InboundMentionDecision,
  InboundMentionFacts,
  InboundMentionPolicy,
} from "./resolve-inbound-mention-decision.ts";
export { toInboundMediaFacts } from "./to-inbound-media-facts.ts";
export type { MediaFactDefaults, ResolvedMedia } from "./to-inbound-media-facts.ts";
