import type { Logger } from "@turnwire/turn-ports";

/** For commands whose output is their own lines. */
export const silentLogger: Logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  child: () => silentLogger,
};
