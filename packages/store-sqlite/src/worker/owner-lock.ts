import { rmSync } from "node:fs";

import { openDatabase, type Database } from "./database.ts";
import type { Sql } from "./sql.ts";
import { isBusy, isDamaged } from "./sqlite-error.ts";
import { StoreFailure } from "./store-failure.ts";

export const ownerLockSql = {
  claims: "SELECT key FROM claim" as Sql,
  boot: "SELECT boot FROM owner" as Sql,
  clear: "DELETE FROM claim" as Sql,
  forget: "DELETE FROM owner" as Sql,
  own: "INSERT INTO owner (boot) VALUES (?)" as Sql,
  add: "INSERT INTO claim (key) VALUES (?) ON CONFLICT DO NOTHING" as Sql,
  remove: "DELETE FROM claim WHERE key = ?" as Sql,
};

export const OWNER_LOCK_SCHEMA =
  "CREATE TABLE IF NOT EXISTS owner (boot INTEGER NOT NULL) STRICT; CREATE TABLE IF NOT EXISTS claim (key TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;";

/** What the owner before this one left behind. */
export interface FormerOwner {
  /** Its start, by the number that the main file gave it; undefined when nothing was left or it cannot be read. */
  readonly boot: number | undefined;
  /** Lanes that it had claimed. */
  readonly claims: readonly string[];
}

/** Proof that this process alone has the store's file. The operating system drops it when the process dies, however it dies. */
export interface OwnerLock {
  readonly former: FormerOwner;
  /** From here on the claims that are noted belong to this start. */
  begin(boot: number): void;
  /** Notes a claimed lane. Not flushed to the disk: it has to outlive the process, not the machine. */
  noteClaim(key: string): void;
  noteRelease(key: string): void;
  close(): void;
}

/**
 * Takes `<path>.lock`, a small SQLite file whose exclusive lock is held until `close`.
 * @throws StoreFailure `store_locked` when another process, or another store of this one, has it
 */
export function takeOwnerLock(path: string): OwnerLock {
  const lockPath = `${path}.lock`;
  let opened: { db: Database; former: FormerOwner };
  try {
    opened = open(lockPath);
  } catch (error) {
    if (isBusy(error)) {
      throw new StoreFailure(
        "store_locked",
        `${path} is in use by another process (lock file ${lockPath}). Stop that gateway first, or give this one another store.path; the lock goes with its owner, so there is no file to delete.`,
        { cause: error },
      );
    }
    if (!isDamaged(error)) throw error;
    // It was never flushed, so a power failure may have damaged it. Nothing in it is worth keeping.
    for (const suffix of ["", "-wal", "-journal"]) rmSync(lockPath + suffix, { force: true });
    opened = open(lockPath);
  }
  const { db, former } = opened;
  return {
    former,
    begin(boot) {
      db.exec("BEGIN");
      db.run(ownerLockSql.clear);
      db.run(ownerLockSql.forget);
      db.run(ownerLockSql.own, boot);
      db.exec("COMMIT");
    },
    noteClaim(key) {
      db.run(ownerLockSql.add, key);
    },
    noteRelease(key) {
      try {
        db.run(ownerLockSql.remove, key);
      } catch {
        // On a full disk the note stays: after a crash the lane's first row would count one attempt too many.
      }
    },
    close() {
      db.close();
    },
  };
}

function open(lockPath: string): { db: Database; former: FormerOwner } {
  const db = openDatabase(lockPath, 0);
  try {
    // In exclusive locking mode the lock that the first write takes is kept until the connection closes.
    db.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;");
    db.exec(`BEGIN EXCLUSIVE; ${OWNER_LOCK_SCHEMA} COMMIT;`);
    const boot = db.get<{ boot: number }>(ownerLockSql.boot)?.boot;
    const claims = db.all<{ key: string }>(ownerLockSql.claims).map((row) => row.key);
    return { db, former: { boot, claims } };
  } catch (error) {
    db.close();
    throw error;
  }
}
