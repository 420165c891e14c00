import type { FinalizedMsgContext, InboundMediaFacts } from "@turnwire/turn-kernel";

import type { JsonValue } from "./json-value.ts";
import type { TranscriptEntry } from "./transcript-entry.ts";

/** A tool that the agent may call. `call` journals before the launch and after the result. */
export interface AgentTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly inputSchema: JsonValue;
  call(args: JsonValue): Promise<JsonValue>;
}

/** Bounds of one run. */
export interface AgentRunLimits {
  readonly maxSteps: number;
  readonly maxOutputTokens: number;
  readonly timeoutMs: number;
}

/** What an attempt before this one had reached, when the turn is run again after a crash. */
export interface AgentResume {
  readonly visibleText: string;
  readonly toolResults: readonly { readonly id: string; readonly name: string; readonly result: JsonValue }[];
  readonly unknownToolCalls: readonly { readonly id: string; readonly name: string; readonly args: JsonValue }[];
}

/** One message of a group that came since the bot last answered there. Untrusted. */
export interface PendingHistoryEntry {
  /** Label for people; `senderId` tells people apart. */
  readonly sender: string;
  readonly senderId?: string | undefined;
  readonly body: string;
  readonly timestamp?: number | undefined;
  readonly messageId?: string | undefined;
  readonly threadId?: string | undefined;
  readonly media?: readonly InboundMediaFacts[] | undefined;
}

/** All that a runner gets to see of a turn. */
export interface AgentRunContext {
  readonly turnId: string;
  readonly attempt: number;
  readonly agent: { readonly id: string; readonly name: string; readonly systemPrompt?: string | undefined };
  readonly session: { readonly key: string; readonly generation: number };
  readonly message: FinalizedMsgContext;
  readonly transcript: readonly TranscriptEntry[];
  readonly history: readonly PendingHistoryEntry[];
  readonly tools: readonly AgentTool[];
  readonly resume?: AgentResume | undefined;
  readonly limits: AgentRunLimits;
  readonly model?: string | undefined;
}

/** A message that arrived during the run and is offered at its next safe point. */
export interface SteerMessage {
  readonly messageId: string;
  readonly body: string;
  readonly senderLabel: string;
}

/** Called by the runner at safe points only: before a tool is launched and before the next model call. */
export interface AgentSteer {
  take(): Promise<readonly SteerMessage[]>;
}

/** What a run tells. Exactly one `done`, last; an iterator that ends without it counts as failed `runner_ended`. */
export type AgentEvent =
  | { readonly type: "text-delta"; readonly text: string }
  | { readonly type: "reasoning-delta"; readonly text: string }
  | { readonly type: "tool-start"; readonly id: string; readonly name: string; readonly args: JsonValue }
  | {
      readonly type: "tool-end";
      readonly id: string;
      readonly result?: JsonValue | undefined;
      readonly error?: string | undefined;
    }
  | {
      readonly type: "media";
      readonly path?: string | undefined;
      readonly url?: string | undefined;
      readonly contentType: string;
      readonly caption?: string | undefined;
    }
  | {
      readonly type: "usage";
      readonly inputTokens: number;
      readonly outputTokens: number;
      readonly costUsd?: number | undefined;
    }
  | {
      readonly type: "done";
      readonly outcome: "completed" | "failed";
      readonly error?: { readonly code: string; readonly userText?: string | undefined } | undefined;
    };

/** Between a turn and a model. */
export interface AgentRunner {
  /** Name of the implementation, e.g. `echo`. */
  readonly kind: string;
  /** After `signal` aborts, what still comes is dropped. */
  run(
    context: AgentRunContext,
    controls: { readonly signal: AbortSignal; readonly steer: AgentSteer },
  ): AsyncIterable<AgentEvent>;
}
