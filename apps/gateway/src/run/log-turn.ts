import { TurnwireError } from "@turnwire/turn-kernel";
import type { Logger } from "@turnwire/turn-ports";
import type { TurnEvent } from "@turnwire/turn-runtime";

/** Writes a line for each stage of each turn: a failed one is a warning, the rest is for those who look closely. No bodies. */
export function logTurn(log: Logger): (event: TurnEvent) => void {
  return ({ stage, event, error, preview: _, ...fields }) => {
    const message = `turn.${stage}:${event}`;
    if (event === "error") log.warn({ ...fields, ...failureOf(error) }, message);
    else log.debug(fields, message);
  };
}

/** Only our own errors have sentences without bodies and secrets. */
function failureOf(error: unknown): { readonly code: string; readonly error?: string } {
  if (TurnwireError.isInstance(error)) return { code: error.code, error: error.message };
  return { code: error instanceof Error ? error.name : "unknown" };
}
