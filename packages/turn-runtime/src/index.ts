export { AGENT_DEFAULTS, createRuntimeConfig } from "./config/runtime-config.ts";
export type {
  AgentDefaults,
  RecoveryPolicy,
  RuntimeAgent,
  RuntimeConfig,
  RuntimeConfigInput,
  RuntimeLimits,
} from "./config/runtime-config.ts";
export { MESSAGES_DEFAULTS } from "./config/messages-config.ts";
export type { MessagesConfig, QueueDrop, QueueMode } from "./config/messages-config.ts";
export { createAgentRouter } from "./routing/agent-router.ts";
export type { AgentBinding, AgentRouter, AgentRouterConfig } from "./routing/agent-router.ts";
export { buildMainSessionKey, buildSessionKey } from "./routing/session-key.ts";
export type { DmScope, SessionKeyParts } from "./routing/session-key.ts";
