const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Entries kept of one generation of a session: far more than a model's window takes. */
export const TRANSCRIPT_LIMIT = 2_000;

/** Entries kept of one group's pending history, whatever a caller asks for. */
export const HISTORY_LIMIT = 1_000;

/** Turns kept in the log (the port's number). */
export const TURN_LIMIT = 10_000;

/** Keys of one account's state: it is meant to be small, so a leak shows as an error instead of as a full disk. */
export const STATE_KEYS_LIMIT = 100_000;

/** Ended events and settled parts kept with their bodies, however young they are. */
export const ENDED_LIMIT = 500_000;

/** Pairings that wait for an operator, of all accounts. */
export const PENDING_PAIRINGS_LIMIT = 10_000;

/** Rows that one read answers at most. */
export const READ_LIMIT = 2_000;

/** One media file, and all of them (the port's numbers). */
export const BLOB_LIMIT_BYTES: number = 25 * 1024 * 1024;
export const BLOBS_LIMIT_BYTES: number = 1024 * 1024 * 1024;

/** For how long things are kept. Every table has its bound here or above. */
export interface Retention {
  /** Ended events, readable with their bodies. */
  readonly endedMs: number;
  /** Dead letters wait for an operator. */
  readonly deadMs: number;
  /**
   * Dedupe keys, from the end of their event. Longer than `endedMs`, and than any platform's redelivery horizon
   * (the longest is Telegram's: 24 h). Those of a dead letter live at least as long as the letter.
   */
  readonly dedupeMs: number;
  /** Settled parts of the outbox. */
  readonly outboxMs: number;
  /** Sessions that nobody wrote to, with their transcripts. */
  readonly sessionMs: number;
  /** Pending group history, journals of turns, answered or expired approvals, unanswered pairings. */
  readonly historyMs: number;
  readonly journalMs: number;
  readonly approvalMs: number;
  readonly pairingMs: number;
  /** Media files. */
  readonly blobMs: number;
}

export const defaultRetention: Retention = {
  endedMs: 3 * DAY_MS,
  deadMs: 30 * DAY_MS,
  dedupeMs: 7 * DAY_MS,
  outboxMs: 7 * DAY_MS,
  sessionMs: 400 * DAY_MS,
  historyMs: 30 * DAY_MS,
  journalMs: 7 * DAY_MS,
  approvalMs: 7 * DAY_MS,
  pairingMs: 7 * DAY_MS,
  blobMs: 7 * DAY_MS,
};
