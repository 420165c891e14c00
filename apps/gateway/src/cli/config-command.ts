import { defineCommand } from "citty";

import { configJsonSchema, loadConfig } from "../config/load-config.ts";
import { commandContext, configArgument } from "./command-context.ts";

const schema = defineCommand({
  meta: { name: "schema", description: "Print the JSON Schema of the config file; editors complete it" },
  async run() {
    process.stdout.write(`${JSON.stringify(await configJsonSchema(), null, 2)}\n`);
  },
});

const check = defineCommand({
  meta: { name: "check", description: "Validate the config file; every problem with its path" },
  args: configArgument,
  async run({ args }) {
    const context = commandContext(args.config);
    const resolved = await loadConfig(context.configFile, context.environment.values);
    const accounts = resolved.accounts.map((account) => `${account.channel}:${account.accountId}`);
    process.stdout.write(
      `${resolved.file} is valid; ${accounts.length === 0 ? "no accounts" : `accounts: ${accounts.join(", ")}`}.\n`,
    );
  },
});

/** `turnwire config schema | check`. */
export const configCommand = defineCommand({
  meta: { name: "config", description: "Look at the config file" },
  subCommands: { schema, check },
});
