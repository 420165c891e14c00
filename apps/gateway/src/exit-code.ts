import { TurnwireError } from "@turnwire/turn-kernel";

/** Exit codes of `turnwire`, part of the gateway's contract. */
export const EXIT_CODES = {
  /** A clean stop. */
  clean: 0,
  /** A crash: a fault of ours. */
  crash: 1,
  /** Bad config or arguments: nothing to retry before somebody mends them. */
  config: 2,
  /** Temporary (sysexits' EX_TEMPFAIL): store unreachable at start, port taken. A supervisor may try again. */
  temporary: 75,
} as const;

const CONFIG_CODES: ReadonlySet<string> = new Set([
  "config_invalid",
  "config_missing",
  "config_unreadable",
  "arguments_invalid",
  "plugin_invalid",
  "store_schema_newer",
  "store_schema_older",
  "duplicate_package",
]);
const TEMPORARY_CODES: ReadonlySet<string> = new Set([
  "port_taken",
  "store_unavailable",
  "store_locked",
  "store_full",
  "gateway_unreachable",
]);

/** Maps an error that ended a command to its exit code. */
export function exitCodeOf(error: unknown): number {
  const code = TurnwireError.isInstance(error) ? error.code : "";
  if (CONFIG_CODES.has(code)) return EXIT_CODES.config;
  if (TEMPORARY_CODES.has(code)) return EXIT_CODES.temporary;
  return EXIT_CODES.crash;
}
