import { StoreFailure } from "./store-failure.ts";

/** Primary result codes of SQLite (the low byte of an extended code): https://www.sqlite.org/rescode.html */
const SQLITE_BUSY = 5;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_NOTADB = 26;

/** The primary result code of an error that SQLite raised, undefined for every other error. */
function sqliteCode(error: unknown): number | undefined {
  if (typeof error !== "object" || error === null || !("errcode" in error)) return undefined;
  return typeof error.errcode === "number" ? error.errcode & 0xff : undefined;
}

/** Whether SQLite found the file in use by another connection. */
export function isBusy(error: unknown): boolean {
  return sqliteCode(error) === SQLITE_BUSY;
}

/** Whether the file is no database, or a damaged one. */
export function isDamaged(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === SQLITE_CORRUPT || code === SQLITE_NOTADB;
}

/** Gives every error that leaves the worker a code of the port. `path` is the store's file. */
export function toStoreFailure(error: unknown, path: string): StoreFailure {
  if (error instanceof StoreFailure) return error;
  const detail = error instanceof Error ? error.message : String(error);
  if (sqliteCode(error) === SQLITE_FULL) {
    return new StoreFailure(
      "store_full",
      `The disk or the page limit of ${path} is exhausted (${detail}); nothing of this request was stored. Free space and it goes on by itself.`,
      { cause: error, retryAfterMs: 5_000 },
    );
  }
  if (isDamaged(error)) {
    return new StoreFailure(
      "store_unavailable",
      `${path} is damaged (${detail}). Stop the gateway and restore the file from its backup.`,
      { cause: error },
    );
  }
  return new StoreFailure(
    "store_unavailable",
    `The store ${path} could not do this (${detail}); nothing of it was stored.`,
    {
      cause: error,
      retryAfterMs: 1_000,
    },
  );
}
