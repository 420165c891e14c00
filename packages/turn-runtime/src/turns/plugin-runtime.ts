import type { PluginRuntime, TurnKernel } from "@turnwire/turn-kernel";
import type { Logger, TurnStore } from "@turnwire/turn-ports";

import type { AgentRouter } from "../routing/agent-router.ts";
import { createStepBuffer } from "../step-buffer.ts";
import { recordSession } from "./record-session.ts";

/** The account that a query without one means. */
const DEFAULT_ACCOUNT = "default";

/** What channels get of the gateway: the kernel's entry points, session recording and routing. */
export function createPluginRuntime(parts: {
  readonly kernel: TurnKernel;
  readonly dispatcher: PluginRuntime["channel"]["reply"]["dispatchReplyWithBufferedBlockDispatcher"];
  readonly store: TurnStore;
  readonly router: AgentRouter;
  readonly log: Logger;
}): PluginRuntime {
  const { kernel, dispatcher, store, router, log } = parts;
  return {
    channel: {
      turn: kernel,
      session: {
        // For turns that a plugin runs by itself; those of the lanes record in their own commit.
        async recordInboundSession(params) {
          const step = createStepBuffer(store, []);
          recordSession(params, agentOf(params.sessionKey), step);
          await step.flush();
        },
      },
      reply: { dispatchReplyWithBufferedBlockDispatcher: dispatcher },
      routing: {
        resolveAgentRoute: ({ accountId = DEFAULT_ACCOUNT, ...query }) => router.resolve({ ...query, accountId }),
      },
    },
    log: {
      debug: (message, fields) => log.debug(fields ?? {}, message),
      info: (message, fields) => log.info(fields ?? {}, message),
      warn: (message, fields) => log.warn(fields ?? {}, message),
    },
    error: (message, fields) => log.error(fields ?? {}, message),
  };
}

/** The agent that a session key names. */
function agentOf(sessionKey: string): string {
  const segment = sessionKey.split(":")[1] ?? sessionKey;
  return segment.replaceAll("%3A", ":").replaceAll("%25", "%");
}
