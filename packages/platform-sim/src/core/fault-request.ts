/** Which calls or deliveries a fault hits. */
export interface FaultMatch {
  readonly method?: string;
  /** Only the n-th matching one, from 1. */
  readonly nth?: number;
  /** Name or native id. */
  readonly place?: string;
  /** `call` (default): requests of the bot; `event`: deliveries to it. */
  readonly direction?: "call" | "event";
}

/** What happens to them. */
export interface FaultAction {
  readonly status?: number;
  readonly body?: unknown;
  /** Seconds; answers 429 with it in body and header. */
  readonly retryAfter?: number;
  readonly delayMs?: number;
  /** Closes the socket before the effect, or after it and without an answer. */
  readonly drop?: "before" | "after";
  /** Answers only after release. */
  readonly hold?: boolean;
  /** The effect, or the delivery, happens twice. */
  readonly duplicate?: boolean;
  /** The delivery is swapped with the one behind it; a delivery that has none behind it is not hit. */
  readonly reorder?: boolean;
  /** Closes the connection of the bot. */
  readonly close?: boolean;
}

/** A fault as it is asked for. */
export interface FaultRequest {
  readonly match: FaultMatch;
  /** How many times; default 1. */
  readonly times?: number;
  readonly do: FaultAction;
}
