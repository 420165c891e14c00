import { existsSync } from "node:fs";

import { DEFAULT_CONFIG_FILE } from "../config/read-config-file.ts";
import { type Environment, readEnvironment } from "../env.ts";

/** What each command starts from. */
export interface CommandContext {
  readonly environment: Environment;
  readonly configFile: string;
  readonly hasConfigFile: boolean;
}

/** The `--config` argument, the same on every command that reads a config. */
export const configArgument = {
  config: {
    type: "string",
    alias: "c",
    description: `Config file (default: $TURNWIRE_CONFIG or ./${DEFAULT_CONFIG_FILE})`,
  },
} as const;

/** Finds the config file: the argument, else the environment, else the working directory. */
export function commandContext(argument: string | undefined): CommandContext {
  const environment = readEnvironment();
  const configFile = argument ?? environment.configFile ?? DEFAULT_CONFIG_FILE;
  return { environment, configFile, hasConfigFile: existsSync(configFile) };
}
