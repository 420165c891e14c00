import { defineCommand } from "citty";

import { loadConfig } from "../config/load-config.ts";
import { runGateway } from "../run/run-gateway.ts";
import { commandContext, configArgument } from "./command-context.ts";

/** `turnwire start`: runs the gateway until it is told to stop. */
export const startCommand = defineCommand({
  meta: { name: "start", description: "Run the gateway" },
  args: configArgument,
  async run({ args }) {
    const context = commandContext(args.config);
    const load = async (): ReturnType<typeof loadConfig> => loadConfig(context.configFile, context.environment.values);
    await runGateway({ resolved: await load(), plain: context.environment.plain, reload: load });
  },
});
