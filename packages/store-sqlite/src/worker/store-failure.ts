/** An error on its way to the caller's thread, where it becomes a `TurnwireError` with this code. */
export class StoreFailure extends Error {
  readonly code: string;
  readonly retryAfterMs: number | undefined;

  constructor(code: string, message: string, more: { readonly cause?: unknown; readonly retryAfterMs?: number } = {}) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = "StoreFailure";
    this.code = code;
    this.retryAfterMs = more.retryAfterMs;
  }
}
