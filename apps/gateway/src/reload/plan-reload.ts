import type { GatewayConfig } from "../config/gateway-config.ts";
import type { ResolvedAccount, ResolvedConfig } from "../config/resolved-config.ts";

/** What a changed config asks for. */
export interface ReloadPlan {
  readonly remove: readonly ResolvedAccount[];
  readonly add: readonly ResolvedAccount[];
  /** Sections that a running process cannot take over: they wait for a restart. */
  readonly needsRestart: readonly string[];
}

const keyOf = (account: ResolvedAccount): string => `${account.channel}:${account.accountId}`;

/** Sections that are read once, at the start. */
const STATIC_SECTIONS = [
  "http",
  "plugins",
  "secretsKey",
  "store",
  "agents",
  "bindings",
  "session",
  "messages",
  "commands",
  "telemetry",
  "shutdown",
] as const satisfies readonly (keyof GatewayConfig)[];

/** Compares two configs account by account: equal accounts are not touched, changed ones are removed and added. */
export function planReload(before: ResolvedConfig, after: ResolvedConfig): ReloadPlan {
  const old = new Map(before.accounts.map((account) => [keyOf(account), account]));
  const fresh = new Map(after.accounts.map((account) => [keyOf(account), account]));
  return {
    remove: before.accounts.filter((account) => fresh.get(keyOf(account))?.fingerprint !== account.fingerprint),
    add: after.accounts.filter((account) => old.get(keyOf(account))?.fingerprint !== account.fingerprint),
    needsRestart: STATIC_SECTIONS.filter(
      (section) => JSON.stringify(before.config[section]) !== JSON.stringify(after.config[section]),
    ),
  };
}
