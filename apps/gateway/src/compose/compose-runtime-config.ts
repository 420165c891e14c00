import type { Clock } from "@turnwire/turn-kernel";
import { createRuntimeConfig, type RuntimeConfig } from "@turnwire/turn-runtime";

import type { GatewayConfig } from "../config/gateway-config.ts";
import { composeRunner } from "./compose-runners.ts";

/** Maps the config file to what the runtime takes. */
export function composeRuntimeConfig(config: GatewayConfig, clock: Clock): RuntimeConfig {
  const { agents, messages } = config;
  const onlyOne = agents.list.length === 1;
  return createRuntimeConfig({
    agents: agents.list.map((agent) => ({
      id: agent.id,
      default: agent.default || onlyOne,
      disabled: agent.disabled,
      identity: agent.identity,
      systemPrompt: agent.system,
      runner: composeRunner(agent.runner, clock),
    })),
    agentDefaults: agents.defaults,
    bindings: config.bindings,
    session: config.session,
    messages: {
      inbound: messages.inbound,
      queue: messages.queue,
      groupChat: messages.groupChat,
      reply: { responsePrefix: messages.responsePrefix },
    },
    commands: config.commands,
  });
}
