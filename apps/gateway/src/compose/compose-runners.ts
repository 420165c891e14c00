import { createEchoRunner, createHttpRunner } from "@turnwire/agent-runners";
import type { Clock } from "@turnwire/turn-kernel";
import type { AgentRunner } from "@turnwire/turn-ports";

import type { GatewayConfig } from "../config/gateway-config.ts";

type RunnerConfig = GatewayConfig["agents"]["list"][number]["runner"];

/** Makes the runner that an agent's config names. */
export function composeRunner(runner: RunnerConfig, clock: Clock): AgentRunner {
  switch (runner.kind) {
    case "echo":
      return createEchoRunner({ clock, delayMs: runner.delayMs });
    case "http":
      return createHttpRunner({ clock, url: runner.url, headers: runner.headers, timeoutMs: runner.timeoutMs });
  }
}
