import { TurnwireError } from "@turnwire/turn-kernel";
import type { DoctorLine } from "@turnwire/turn-ports";
import { defineCommand } from "citty";

import { createChannel } from "../compose/create-channel.ts";
import { duplicatePackages } from "../compose/duplicate-packages.ts";
import { openStore } from "../compose/open-store.ts";
import { loadConfig } from "../config/load-config.ts";
import type { ResolvedConfig } from "../config/resolved-config.ts";
import { EXIT_CODES, exitCodeOf } from "../exit-code.ts";
import { silentLogger } from "../telemetry/silent-logger.ts";
import { commandContext, configArgument } from "./command-context.ts";

/** Longest wait for one account's checks: two platform calls at their usual timeouts. */
const ACCOUNT_CHECK_MS = 20_000;

async function storeLine(resolved: ResolvedConfig): Promise<DoctorLine> {
  const check = `store ${resolved.config.store.kind}`;
  const store = openStore(resolved.config, resolved.file);
  try {
    await store.open();
    await store.ping();
    return { ok: true, check };
  } catch (error) {
    if (TurnwireError.isInstance(error) && error.code === "store_locked")
      return { ok: true, check: `${check} (in use by a running gateway)` };
    return { ok: false, check, mend: error instanceof Error ? error.message : String(error) };
  } finally {
    await store.close();
  }
}

async function accountLines(resolved: ResolvedConfig): Promise<DoctorLine[]> {
  const lines: DoctorLine[] = [];
  for (const account of resolved.accounts) {
    const name = `${account.channel}:${account.accountId}`;
    const channel = createChannel(account, silentLogger);
    try {
      for (const line of await channel.doctor(AbortSignal.timeout(ACCOUNT_CHECK_MS)))
        lines.push({ ...line, check: `${name} ${line.check}` });
    } catch (error) {
      lines.push({ ok: false, check: name, mend: error instanceof Error ? error.message : String(error) });
    } finally {
      await channel.stop();
    }
  }
  return lines;
}

function ownerLines({ config, accounts }: ResolvedConfig): DoctorLine[] {
  if (config.bindings.length === 0) return [];
  const bound = new Set(config.bindings.map((binding) => binding.match.channel));
  return accounts
    .filter((account) => !bound.has(account.channel))
    .map((account) => ({
      ok: false,
      check: `${account.channel}:${account.accountId} owner`,
      mend: `No binding matches this account, so its events end "dropped: no_owner"; add one to "bindings".`,
    }));
}

/** `turnwire doctor`: checks everything that a start needs, one line each with the mend. */
export const doctorCommand = defineCommand({
  meta: { name: "doctor", description: "Check config, store, accounts and clock; one line each with the mend" },
  args: configArgument,
  async run({ args }) {
    const context = commandContext(args.config);
    const print = (line: DoctorLine): void =>
      void process.stdout.write(
        `${line.ok ? "ok  " : "FAIL"} ${line.check}${line.mend === undefined ? "" : `: ${line.mend}`}\n`,
      );
    let resolved: ResolvedConfig;
    try {
      resolved = await loadConfig(context.configFile, context.environment.values);
    } catch (error) {
      print({ ok: false, check: "config", mend: error instanceof Error ? error.message : String(error) });
      process.exitCode = exitCodeOf(error);
      return;
    }
    const lines: DoctorLine[] = [
      { ok: true, check: `config ${resolved.file}` },
      ...duplicatePackages().map((found): DoctorLine => ({ ok: false, check: "packages", mend: found })),
      await storeLine(resolved),
      ...ownerLines(resolved),
      ...(await accountLines(resolved)),
    ];
    lines.forEach(print);
    if (lines.some((line) => !line.ok)) process.exitCode = EXIT_CODES.config;
  },
});
