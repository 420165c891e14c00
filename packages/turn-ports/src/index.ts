export { TurnwireError } from "@turnwire/turn-kernel";
export type { Clock, Ids } from "@turnwire/turn-kernel";
export type {
  AgentEvent,
  AgentResume,
  AgentRunContext,
  AgentRunLimits,
  AgentRunner,
  AgentSteer,
  AgentTool,
  PendingHistoryEntry,
  SteerMessage,
} from "./agent-runner.ts";
export type { Approval, ApprovalStore } from "./approval-store.ts";
export type { BlobStore } from "./blob-store.ts";
export type { ChannelAccountConfig, DmPolicy, GroupConfig, GroupPolicy } from "./channel-account-config.ts";
export type { ChannelCapabilities, DraftCapability, SendSettlement } from "./channel-capabilities.ts";
export type { AccountStatus, ChannelHealth } from "./channel-health.ts";
export type { AcceptOptions, AcceptedAs, ChannelInbox } from "./channel-inbox.ts";
export type { ChannelState, ChannelStateWrite } from "./channel-state.ts";
export type { Channel, ChannelContext, DoctorLine, RenderOptions } from "./channel.ts";
export type { ErrorClass } from "./error-class.ts";
export type { Fence } from "./fence.ts";
export type { HistoryStore } from "./history-store.ts";
export type { InboundBatch } from "./inbound-batch.ts";
export type { EnvelopeChange, EnvelopeKind, InboundEnvelope, RoutePeer } from "./inbound-envelope.ts";
export type {
  AcceptOutcome,
  AcceptRequest,
  InboxCounts,
  InboxDebounce,
  InboxEnding,
  InboxInsert,
  InboxRow,
  InboxStatus,
  InboxStore,
} from "./inbox-store.ts";
export type { JsonValue } from "./json-value.ts";
export type { LaneStore } from "./lane-store.ts";
export type { LeaseResult, LeaseStore } from "./lease-store.ts";
export type { Logger } from "./logger.ts";
export type { Memory } from "./memory.ts";
export type { OutboundOp, OutboundPart, OutboundPartKind } from "./outbound-part.ts";
export type { OutboundTarget } from "./outbound-target.ts";
export type { OutboxInsert, OutboxPurpose, OutboxRow, OutboxStatus, OutboxStore } from "./outbox-store.ts";
export type { Pairing, PairingStore } from "./pairing-store.ts";
export type { RawEvent } from "./raw-event.ts";
export type { ReconcileResult } from "./reconcile-result.ts";
export type { SendOutcome } from "./send-outcome.ts";
export type { LastRoute, SessionRow, SessionSettings, SessionStore } from "./session-store.ts";
export type { StoreWrite } from "./store-write.ts";
export type { Telemetry } from "./telemetry.ts";
export type { ToolJournalEntry, ToolJournalStore } from "./tool-journal-store.ts";
export type { DeliveryState, TranscriptEntry, TranscriptPart, TurnOutcome } from "./transcript-entry.ts";
export type { RemoteMedia, RouteQuery, TurnHost } from "./turn-host.ts";
export type { TurnLog, TurnRow, TurnStageRecord } from "./turn-row.ts";
export type { TurnStore } from "./turn-store.ts";
export type { WebhookAdapter, WebhookContent, WebhookRequest, WebhookResponse } from "./webhook-adapter.ts";
export type { AccountSchema, ChannelDeps, ChannelPlugin, SchemaIssue } from "./channel-plugin.ts";
