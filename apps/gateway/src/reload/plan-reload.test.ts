import type { ChannelPlugin } from "@turnwire/turn-ports";
import { describe, expect, it } from "vitest";

import { gatewayConfigSchema } from "../config/gateway-config.ts";
import type { ResolvedAccount, ResolvedConfig } from "../config/resolved-config.ts";
import { planReload } from "./plan-reload.ts";

const plugin = {} as ChannelPlugin;

function account(accountId: string, fingerprint: string): ResolvedAccount {
  return { channel: "telegram", accountId, config: {}, plugin, fingerprint };
}

function config(accounts: readonly ResolvedAccount[], content: object = {}): ResolvedConfig {
  return { file: "c", config: gatewayConfigSchema.parse(content), accounts };
}

const ids = (accounts: readonly ResolvedAccount[]): string[] =>
  accounts.map(({ accountId, fingerprint }) => `${accountId}@${fingerprint}`);

describe("planReload", () => {
  it.each([
    { case: "nothing differs", before: ["a1"], after: ["a1"], remove: [], add: [] },
    { case: "an account is new", before: ["a1"], after: ["a1", "b1"], remove: [], add: ["b@1"] },
    { case: "an account is gone", before: ["a1", "b1"], after: ["a1"], remove: ["b@1"], add: [] },
    { case: "an account changed", before: ["a1", "b1"], after: ["a1", "b2"], remove: ["b@1"], add: ["b@2"] },
  ])("when $case: removes $remove, adds $add", ({ before, after, remove, add }) => {
    const make = (names: readonly string[]): ResolvedConfig =>
      config(names.map((name) => account(name.slice(0, 1), name.slice(1))));
    const plan = planReload(make(before), make(after));
    expect({ remove: ids(plan.remove), add: ids(plan.add) }).toEqual({ remove, add });
    expect(plan.needsRestart).toEqual([]);
  });

  it("names sections that wait for a restart", () => {
    const plan = planReload(config([]), config([], { http: { port: 9 }, session: { dmScope: "per-peer" } }));
    expect(plan.needsRestart).toEqual(["http", "session"]);
  });
});
