import type { Logger } from "@turnwire/turn-ports";

/** A log that keeps warnings and errors, so that a test can say that there were none. */
export function createMemoryLog(): Logger & {
  readonly problems: readonly { readonly message: string; readonly fields: object }[];
} {
  const problems: { readonly message: string; readonly fields: object }[] = [];
  const keep = (fields: object, message: string): void => {
    problems.push({ message, fields });
  };
  const log = {
    debug: () => undefined,
    info: () => undefined,
    warn: keep,
    error: keep,
    problems,
    child: (): Logger => log,
  };
  return log;
}
