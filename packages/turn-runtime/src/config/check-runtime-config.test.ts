import { createEchoRunner } from "@turnwire/agent-runners";
import { describe, expect, it } from "vitest";

import { checkRuntimeConfig } from "./check-runtime-config.ts";
import { createRuntimeConfig, type RuntimeAgent, type RuntimeConfigInput } from "./runtime-config.ts";

const main: RuntimeAgent = {
  id: "main",
  default: true,
  disabled: false,
  identity: { name: "Ada" },
  runner: createEchoRunner(),
};

const table: readonly (readonly [string, RuntimeConfigInput, RegExp | null])[] = [
  ["one agent", { agents: [main] }, null],
  ["no agent", { agents: [] }, /agents\.list is empty/u],
  ["two agents of one id", { agents: [main, main] }, /two agents "main"/u],
  [
    "a binding to nobody",
    { agents: [main], bindings: [{ agentId: "ops", match: { channel: "slack" } }] },
    /agent "ops"/u,
  ],
  ["a known placeholder", { agents: [main], messages: { reply: { responsePrefix: "[{model}]" } } }, null],
  [
    "a typing error in a placeholder",
    { agents: [main], messages: { reply: { responsePrefix: "[{modle}]" } } },
    /messages\.responsePrefix.*\{modle\}/u,
  ],
];

describe("checkRuntimeConfig", () => {
  it.each(table)("%s", (_name, input, problem) => {
    const check = (): void => checkRuntimeConfig(createRuntimeConfig(input));
    if (problem === null) expect(check).not.toThrow();
    else expect(check).toThrow(problem);
  });
});
