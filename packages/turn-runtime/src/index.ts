export { checkResponsePrefix, checkRuntimeConfig } from "./config/check-runtime-config.ts";
export { AGENT_DEFAULTS, createRuntimeConfig } from "./config/runtime-config.ts";
export type {
  AgentDefaults,
  RecoveryPolicy,
  RuntimeAgent,
  RuntimeConfig,
  RuntimeConfigInput,
  RuntimeLimits,
  RuntimeTool,
} from "./config/runtime-config.ts";
export { MESSAGES_DEFAULTS } from "./config/messages-config.ts";
export type { MessagesConfig, QueueDrop, QueueMode } from "./config/messages-config.ts";
export { COMMANDS } from "./commands/command-table.ts";
export type { CommandName, CommandRight, CommandRule } from "./commands/command-table.ts";
export { createChannelInbox } from "./inbox/create-channel-inbox.ts";
export type { ChannelInboxOptions } from "./inbox/create-channel-inbox.ts";
export { createOutbox } from "./outbox/create-outbox.ts";
export type { EphemeralRequest, Outbox, OutboxOptions, SendRequest } from "./outbox/create-outbox.ts";
export type { DeliveryReport, PartReport } from "./outbox/delivery-report.ts";
export { createAgentRouter } from "./routing/agent-router.ts";
export type { AgentBinding, AgentRouter, AgentRouterConfig } from "./routing/agent-router.ts";
export { buildMainSessionKey, buildSessionKey } from "./routing/session-key.ts";
export type { DmScope, SessionKeyParts } from "./routing/session-key.ts";
export { createListenerSupervisor } from "./supervision/listener-supervisor.ts";
export type { ListenerSupervisor, ListenerSupervisorOptions } from "./supervision/listener-supervisor.ts";
export type { AccountHealth } from "./supervision/account-health.ts";
export { createTurnRuntime } from "./turn-runtime.ts";
export type { TurnRuntime, TurnRuntimeOptions } from "./turn-runtime.ts";
export type { TurnEvent } from "./turns/turn-record.ts";
