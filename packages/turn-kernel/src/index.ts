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
export { TurnwireError } from "./turnwire-error.ts";
export type { TurnwireErrorInit } from "./turnwire-error.ts";
