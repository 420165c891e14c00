import { createRequire } from "node:module";
import { stripVTControlCharacters } from "node:util";

import { TurnwireError } from "@turnwire/turn-kernel";
import { defineCommand, runCommand, showUsage } from "citty";

import { reportFailure } from "./cli/fail.ts";

const { version } = createRequire(import.meta.url)("../package.json") as { readonly version: string };

// Each command is loaded when it is asked for: `start` must not wait for the prompts of `init`.
const main = defineCommand({
  meta: { name: "turnwire", version, description: "Turns events of chat platforms into turns of an AI agent" },
  subCommands: {
    start: async () => (await import("./cli/start-command.ts")).startCommand,
    playground: async () => (await import("./cli/playground-command.ts")).playgroundCommand,
    init: async () => (await import("./cli/init-command.ts")).initCommand,
    doctor: async () => (await import("./cli/doctor-command.ts")).doctorCommand,
    config: async () => (await import("./cli/config-command.ts")).configCommand,
    pairing: async () => (await import("./cli/operator-commands.ts")).pairingCommand,
    deadletter: async () => (await import("./cli/operator-commands.ts")).deadletterCommand,
    sessions: async () => (await import("./cli/operator-commands.ts")).sessionsCommand,
    migrate: async () => (await import("./cli/migrate-command.ts")).migrateCommand,
  },
});

/** citty's own complaints about arguments are no crash of ours. */
function asArgumentError(error: unknown): unknown {
  const isUsage = error instanceof Error && error.name === "CLIError";
  return isUsage
    ? new TurnwireError({
        code: "arguments_invalid",
        message: `${stripVTControlCharacters(error.message).replace(/\.$/, "")}; see "turnwire --help".`,
        cause: error,
      })
    : error;
}

const rawArgs = process.argv.slice(2);
if (rawArgs.length === 0 || rawArgs.includes("--help") || rawArgs.includes("-h")) {
  const command = main.subCommands as Record<string, () => Promise<Parameters<typeof showUsage>[0]>>;
  const named = command[rawArgs[0] ?? ""];
  if (named === undefined) await showUsage(main);
  else await showUsage(await named(), main);
} else if (rawArgs[0] === "--version" || rawArgs[0] === "-v") {
  process.stdout.write(`${version}\n`);
} else {
  try {
    await runCommand(main, { rawArgs });
  } catch (error) {
    process.exitCode = reportFailure(asArgumentError(error));
  }
}
