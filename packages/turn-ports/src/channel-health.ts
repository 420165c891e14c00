/** State of one account as `/readyz` shows it. */
export type AccountStatus = "starting" | "ok" | "degraded" | "failed" | "standby" | "stopped";

/**
 * What a listener tells about its exchanges with the platform. Health is derived from these alone,
 * never from "the loop still runs", nor from API calls of another direction.
 */
export interface ChannelHealth {
  /** The platform has accepted us (first successful poll, hello, READY, first sync). */
  connected(): void;
  /** One exchange of the listening direction succeeded. */
  exchangeOk(): void;
  /** One exchange of the listening direction failed; the listener goes on by itself. */
  exchangeFailed(error: unknown): void;
  /** The connection ended. */
  closed(reason: string): void;
  /** Somebody else uses the account's listener (Telegram 409): shown as `degraded` with this sentence. */
  conflict(sentence: string): void;
}
