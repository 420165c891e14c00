import type { Logger } from "@turnwire/turn-ports";
import { destination, pino } from "pino";
import pretty from "pino-pretty";

/** Keys that never reach a log line, wherever they stand in the fields. */
const SECRET_KEYS = [
  "token",
  "botToken",
  "appToken",
  "accessToken",
  "secret",
  "secretToken",
  "signingSecret",
  "password",
  "apiKey",
  "authorization",
  "adminToken",
  "recoveryKey",
];

/** How and how much to log. */
export interface LoggerOptions {
  readonly level: "debug" | "info" | "warn" | "error";
  /** Lines for people instead of JSON; the default when stdout is a terminal. */
  readonly pretty: boolean;
}

/** The gateway's logger: JSON lines on stdout, or pretty ones on a terminal. */
export function createLogger(options: LoggerOptions): Logger {
  const settings = {
    level: options.level,
    base: {},
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: SECRET_KEYS.flatMap((key) => [key, `*.${key}`]), censor: "[redacted]" },
  };
  // A file descriptor of its own, written synchronously: the last line of a crash is the one that counts.
  if (!options.pretty) return pino(settings, destination({ dest: 1, sync: true }));
  return pino(
    settings,
    pretty({ colorize: true, sync: true, ignore: "pid,hostname", translateTime: "SYS:HH:MM:ss.l" }),
  );
}
