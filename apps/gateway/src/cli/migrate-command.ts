import { defineCommand } from "citty";

import { openStore } from "../compose/open-store.ts";
import { loadConfig } from "../config/load-config.ts";
import { commandContext, configArgument } from "./command-context.ts";

/** `turnwire migrate`: brings the store's schema up to this release. */
export const migrateCommand = defineCommand({
  meta: { name: "migrate", description: "Bring the store's schema up to this release" },
  args: configArgument,
  async run({ args }) {
    const context = commandContext(args.config);
    const { config, file } = await loadConfig(context.configFile, context.environment.values);
    const store = openStore(config, file, true);
    await store.open();
    await store.close();
    process.stdout.write(`The ${config.store.kind} store is up to date.\n`);
  },
});
