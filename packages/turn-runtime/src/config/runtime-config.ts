import { availableParallelism } from "node:os";

import type { AgentRunner, JsonValue } from "@turnwire/turn-ports";

import type { AgentBinding } from "../routing/agent-router.ts";
import type { DmScope } from "../routing/session-key.ts";
import type { MessagesConfig } from "./messages-config.ts";
import { MESSAGES_DEFAULTS } from "./messages-config.ts";

/** A tool that an agent may call. Its calls are journalled before the launch and after the result. */
export interface RuntimeTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly inputSchema: JsonValue;
  /** True when a call whose outcome is unknown may be made again. Default false. */
  readonly idempotent?: boolean | undefined;
  call(args: JsonValue, controls: { readonly signal: AbortSignal }): Promise<JsonValue>;
}

/** One agent with the runner that makes its answers. */
export interface RuntimeAgent {
  /** Stable id; session keys begin with it. */
  readonly id: string;
  /** Serves configurations without any binding. Exactly one agent of the list is it. */
  readonly default: boolean;
  /** A disabled owner never falls back to another agent. Default false. */
  readonly disabled: boolean;
  readonly identity: { readonly name: string };
  readonly systemPrompt?: string | undefined;
  readonly runner: AgentRunner;
  /** Default none. */
  readonly tools?: readonly RuntimeTool[] | undefined;
  /** The model as the runner names it; shown by `{model}` of a response prefix. */
  readonly model?: string | undefined;
  readonly provider?: string | undefined;
}

/**
 * What happens to a turn that was running when the process died.
 * - `rerun`: from the start, only while no tool was called; else like `resume`;
 * - `resume`: again, and the runner is told what the person has seen and which tools were called;
 * - `notice`: not again when something was visible or a tool was called; the person is told.
 */
export type RecoveryPolicy = "rerun" | "resume" | "notice";

/** `agents.defaults` of the gateway's config. */
export interface AgentDefaults {
  /** Longest run of an agent, ms; then the turn ends `timed_out`. Default 600,000. */
  readonly timeoutMs: number;
  /** Default `resume`. */
  readonly recovery: RecoveryPolicy;
  /** Runs of one turn before its events become dead letters. Default 3. */
  readonly maxAttempts: number;
  /** Model calls of one run. Default 20. */
  readonly maxSteps: number;
  /** Default 4,096. */
  readonly maxOutputTokens: number;
}

/** Bounds of the runtime itself. */
export interface RuntimeLimits {
  /** Lanes that may run a turn at once in this process. Default `max(8, 4 × cores)`: turns wait for models far more than for the processor. */
  readonly maxRuns: number;
  /** How long a runner may ignore its abort before its lane goes on without it, ms. Default 10,000. */
  readonly runnerGraceMs: number;
  /** Entries of a session's transcript that a runner gets to see. Default 200. */
  readonly transcriptEntries: number;
  /** How often lanes are looked up in the store when no hint came, ms. Default 5,000. */
  readonly lanePollMs: number;
}

/** All that the runtime takes from a configuration. Every field is set: `createRuntimeConfig` fills in defaults. */
export interface RuntimeConfig {
  readonly agents: readonly RuntimeAgent[];
  readonly agentDefaults: AgentDefaults;
  /** Who owns which place. Default none: the default agent serves all. */
  readonly bindings: readonly AgentBinding[];
  /** Default `dmScope: "main"`. */
  readonly session: { readonly dmScope: DmScope };
  readonly messages: MessagesConfig;
  /** People with all rights, as `<channel>:<sender id>`. Default none. */
  readonly commands: { readonly owners: readonly string[] };
  readonly limits: RuntimeLimits;
}

/** What may be left out of a `RuntimeConfig`. */
export interface RuntimeConfigInput {
  readonly agents: readonly RuntimeAgent[];
  readonly agentDefaults?: Partial<AgentDefaults> | undefined;
  readonly bindings?: readonly AgentBinding[] | undefined;
  readonly session?: { readonly dmScope: DmScope } | undefined;
  readonly messages?:
    | { readonly [Section in keyof MessagesConfig]?: Partial<MessagesConfig[Section]> | undefined }
    | undefined;
  readonly commands?: { readonly owners: readonly string[] } | undefined;
  readonly limits?: Partial<RuntimeLimits> | undefined;
}

/** Defaults of `agents.defaults`, as the gateway's contract states them. */
export const AGENT_DEFAULTS: AgentDefaults = {
  timeoutMs: 600_000,
  recovery: "resume",
  maxAttempts: 3,
  maxSteps: 20,
  maxOutputTokens: 4_096,
};

/** Fills in the defaults. Does not check: `checkRuntimeConfig` does. */
export function createRuntimeConfig(input: RuntimeConfigInput): RuntimeConfig {
  const { messages } = input;
  return {
    agents: input.agents,
    agentDefaults: { ...AGENT_DEFAULTS, ...input.agentDefaults },
    bindings: input.bindings ?? [],
    session: input.session ?? { dmScope: "main" },
    messages: {
      inbound: { ...MESSAGES_DEFAULTS.inbound, ...messages?.inbound },
      queue: { ...MESSAGES_DEFAULTS.queue, ...messages?.queue },
      groupChat: { ...MESSAGES_DEFAULTS.groupChat, ...messages?.groupChat },
      reply: { ...MESSAGES_DEFAULTS.reply, ...messages?.reply },
    },
    commands: input.commands ?? { owners: [] },
    limits: {
      maxRuns: Math.max(8, 4 * availableParallelism()),
      runnerGraceMs: 10_000,
      transcriptEntries: 200,
      lanePollMs: 5_000,
      ...input.limits,
    },
  };
}
