import type { ConfigProblem } from "./config-problem.ts";
import type { GatewayConfig } from "./gateway-config.ts";

/** What the schema alone cannot see: ids that are used twice or lead nowhere. */
export function agentProblems(config: GatewayConfig): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  const ids = new Set<string>();
  config.agents.list.forEach((agent, index) => {
    if (ids.has(agent.id))
      problems.push({
        path: `agents.list[${index}].id`,
        message: `"${agent.id}" is used twice; give each agent its own id`,
      });
    ids.add(agent.id);
  });
  const defaults = config.agents.list.filter((agent) => agent.default);
  if (defaults.length > 1)
    problems.push({ path: "agents.list", message: `has ${defaults.length} agents with "default: true"; keep one` });
  if (config.bindings.length === 0 && defaults.length === 0 && config.agents.list.length > 1) {
    problems.push({
      path: "agents.list",
      message: `has no agent with "default: true" and there is no binding; mark one agent or bind them`,
    });
  }
  config.bindings.forEach((binding, index) => {
    if (!ids.has(binding.agentId))
      problems.push({ path: `bindings[${index}].agentId`, message: `"${binding.agentId}" is no agent of agents.list` });
    if (config.channels[binding.match.channel] === undefined)
      problems.push({
        path: `bindings[${index}].match.channel`,
        message: `"${binding.match.channel}" is no channel of this config`,
      });
  });
  return problems;
}
