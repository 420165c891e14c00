const MARKER: symbol = Symbol.for("turnwire.error");

/** What an error is made of. */
export interface TurnwireErrorInit {
  /** Stable, lower snake case; listed in `docs/errors.md`. Handle errors by it. */
  readonly code: string;
  /** One clear sentence: what was wrong, where, and what to do. No bodies, no secrets. */
  readonly message: string;
  readonly cause?: unknown;
  /** How long to wait before trying again, ms, when the other side said so. */
  readonly retryAfterMs?: number | undefined;
}

/**
 * The one error of all packages. Recognised by its marker and told apart by `code`, never by `instanceof`:
 * that survives two installed copies.
 */
export class TurnwireError extends Error {
  readonly code: string;
  readonly retryAfterMs: number | undefined;

  constructor(init: TurnwireErrorInit) {
    super(init.message, init.cause === undefined ? undefined : { cause: init.cause });
    this.name = "TurnwireError";
    this.code = init.code;
    this.retryAfterMs = init.retryAfterMs;
    Object.defineProperty(this, MARKER, { value: true });
  }

  /** True for an error of any copy of this package; with `code`, only for that code. */
  static isInstance(value: unknown, code?: string): value is TurnwireError {
    if (typeof value !== "object" || value === null || !(MARKER in value)) return false;
    return code === undefined || ("code" in value && value.code === code);
  }
}
