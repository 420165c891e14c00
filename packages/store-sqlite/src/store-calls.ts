import type { DirectCalls, WriteCalls } from "./worker/engine.ts";
import type { reads } from "./worker/reads.ts";
import type { ClockReading } from "./worker/store-time.ts";

/** A call without its first parameter, which the worker adds. */
type Rest<Call> = Call extends (first: never, ...rest: infer Values) => infer Result
  ? (...values: Values) => Result
  : never;

type ReadCalls = { readonly [Name in keyof typeof reads]: Rest<(typeof reads)[Name]> };
type GroupedCalls = { readonly [Name in keyof WriteCalls]: Rest<WriteCalls[Name]> };

/** Everything that the worker can be asked. Arguments and answers are structured data. */
export type StoreCalls = ReadCalls &
  GroupedCalls &
  DirectCalls & {
    open(): null;
    close(): null;
  };

/** One call on its way to the worker. */
export interface StoreRequest {
  readonly id: number;
  readonly call: keyof StoreCalls;
  readonly args: readonly unknown[];
}

/** Calls that were made in the same moment, with the time of it: the worker has no clock of its own. */
export interface StoreBatch extends ClockReading {
  readonly requests: readonly StoreRequest[];
}

/** An error as it crosses the threads. */
export interface StoreError {
  readonly code: string;
  readonly message: string;
  readonly retryAfterMs: number | undefined;
  /** Message of what SQLite or Node said. */
  readonly cause: string | undefined;
}

/** The answer of one call. */
export type StoreSettled =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly error: StoreError };

/** Answers of one flush, and the lanes that got work by it. */
export interface StoreAnswer {
  readonly settled: readonly StoreSettled[];
  readonly ready: readonly string[];
  /** How far the store's due time is ahead of the wall clock. */
  readonly aheadMs: number;
}
