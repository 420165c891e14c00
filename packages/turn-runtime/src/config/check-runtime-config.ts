import { unknownPlaceholders } from "@turnwire/adapter-kit";
import { TurnwireError } from "@turnwire/turn-ports";

import type { RuntimeConfig } from "./runtime-config.ts";

/**
 * Refuses a configuration that would only fail later, in front of a person.
 * @throws TurnwireError `config_invalid` naming the key and what to do.
 */
export function checkRuntimeConfig(config: RuntimeConfig): void {
  const ids = config.agents.map((agent) => agent.id);
  if (ids.length === 0) refuse("agents.list is empty; give it one agent.");
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) refuse(`agents.list has two agents "${twice}"; give each an id of its own.`);
  for (const binding of config.bindings) {
    if (!ids.includes(binding.agentId))
      refuse(`bindings name the agent "${binding.agentId}", which agents.list does not have.`);
  }
  checkResponsePrefix("messages.responsePrefix", config.messages.reply.responsePrefix);
}

/**
 * Refuses a response prefix with a placeholder that does not exist.
 * @throws TurnwireError `config_invalid`
 */
export function checkResponsePrefix(key: string, prefix: string): void {
  const [unknown] = unknownPlaceholders(prefix);
  if (unknown !== undefined) {
    refuse(
      `${key} has the placeholder {${unknown}}, which does not exist; use model, modelFull, provider, thinkingLevel or identity.name.`,
    );
  }
}

function refuse(message: string): never {
  throw new TurnwireError({ code: "config_invalid", message });
}
