import { readFileSync } from "node:fs";
import { resolve } from "node:path";

import { TurnwireError } from "@turnwire/turn-kernel";
import json5 from "json5";

import { configInvalid } from "./config-problem.ts";

/** Name looked for in the working directory when nothing else is said. */
export const DEFAULT_CONFIG_FILE = "turnwire.config.json5";

/**
 * Reads a JSON5 file.
 * @throws TurnwireError `config_missing` when there is none, `config_unreadable` when it cannot be read, `config_invalid` with line and column when it does not parse.
 */
export function readConfigFile(file: string): { readonly file: string; readonly content: unknown } {
  const path = resolve(file);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    const missing = cause instanceof Error && "code" in cause && cause.code === "ENOENT";
    throw missing
      ? new TurnwireError({
          code: "config_missing",
          message: `There is no config file at ${path}; run "turnwire init" to write one, or name another with --config.`,
          cause,
        })
      : new TurnwireError({
          code: "config_unreadable",
          message: `The config file ${path} cannot be read; check its permissions.`,
          cause,
        });
  }
  try {
    return { file: path, content: json5.parse(text) };
  } catch (cause) {
    const where = cause instanceof Error ? cause.message.replace(/^JSON5: /, "") : String(cause);
    throw configInvalid(path, [{ path: "", message: `is not valid JSON5: ${where}` }]);
  }
}
