import { createHash } from "node:crypto";

import type { Database } from "./database.ts";
import type { Sql } from "./sql.ts";
import type { Migration } from "./migrations.ts";
import { StoreFailure } from "./store-failure.ts";

export const migrateSql = {
  applied: "SELECT id, name, checksum FROM migration ORDER BY id" as Sql,
  record: "INSERT INTO migration (id, name, checksum, applied_at_ms) VALUES (?, ?, ?, ?)" as Sql,
};

/** Made before anything else: it is how a file of a newer or older release is recognised. */
export const MIGRATION_TABLE =
  "CREATE TABLE IF NOT EXISTS migration (id INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at_ms INTEGER NOT NULL) STRICT";

/** How `migrate` is to go about it. */
export interface MigrateOptions {
  readonly path: string;
  readonly nowMs: number;
  /** False: a file that is behind is refused instead of changed. */
  readonly mayMigrate: boolean;
}

/**
 * Brings the file up to `known`, each step in a transaction of its own. Called under the owner's lock.
 * @throws StoreFailure `store_schema_newer`, `store_schema_older`, `store_schema_changed`
 */
export function migrate(db: Database, known: readonly Migration[], options: MigrateOptions): void {
  const { path } = options;
  db.exec(MIGRATION_TABLE);
  const applied = db.all<{ id: number; name: string; checksum: string }>(migrateSql.applied);
  for (const step of applied) {
    const ours = known.find((migration) => migration.id === step.id);
    if (ours === undefined) {
      throw new StoreFailure(
        "store_schema_newer",
        `${path} was made by a newer release (schema step ${step.id}, ${step.name}); run that release, or restore a backup from before its upgrade.`,
      );
    }
    if (checksum(ours) !== step.checksum) {
      throw new StoreFailure(
        "store_schema_changed",
        `Schema step ${step.id} (${step.name}) of ${path} is not the one of this release; the file was made by a changed build. Restore a backup or run the build that made it.`,
      );
    }
  }
  const missing = known.filter((migration) => applied.every((step) => step.id !== migration.id));
  if (missing.length > 0 && !options.mayMigrate) {
    throw new StoreFailure(
      "store_schema_older",
      `${path} lacks ${missing.length} schema step(s) and may not be migrated at start; run \`turnwire migrate\` first.`,
    );
  }
  for (const migration of missing) {
    db.exec("BEGIN IMMEDIATE");
    try {
      db.exec(migration.sql);
      db.run(migrateSql.record, migration.id, migration.name, checksum(migration), options.nowMs);
      db.exec("COMMIT");
    } catch (error) {
      if (db.inTransaction) db.exec("ROLLBACK");
      throw error;
    }
  }
}

/** What a step's text was when it was applied. */
function checksum(migration: Migration): string {
  return createHash("sha256").update(`${migration.name}\n${migration.sql}`).digest("hex");
}
