import { TurnwireError } from "@turnwire/turn-kernel";

import { exitCodeOf } from "../exit-code.ts";

/** Says in one sentence why a command ended, on stderr, and returns the exit code for it. A crash also shows its stack: it is a fault of ours. */
export function reportFailure(error: unknown): number {
  const code = exitCodeOf(error);
  if (TurnwireError.isInstance(error)) process.stderr.write(`turnwire: ${error.message}\n`);
  else
    process.stderr.write(
      `turnwire: unexpected failure; please report it: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
  return code;
}
