/** An answer of the Bot API that is no success. */
export class BotApiError extends Error {
  readonly status: number;
  readonly retryAfter: number | undefined;

  constructor(status: number, description: string, retryAfter?: number) {
    super(description);
    this.name = "BotApiError";
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** 400 with the official prefix. */
export function badRequest(description: string): BotApiError {
  return new BotApiError(400, `Bad Request: ${description}`);
}

/** 429 as the server words it. */
export function tooManyRequests(retryAfter: number): BotApiError {
  return new BotApiError(429, `Too Many Requests: retry after ${retryAfter}`, retryAfter);
}
