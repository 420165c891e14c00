import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { openDatabase, type Database } from "./database.ts";
import { migrate, migrateSql } from "./migrate.ts";
import { migrations, type Migration } from "./migrations.ts";
import type { Sql } from "./sql.ts";

const first: Migration = { id: 1, name: "first", sql: "CREATE TABLE one (a INTEGER) STRICT;" };
const second: Migration = { id: 2, name: "second", sql: "CREATE TABLE two (a INTEGER) STRICT;" };
const options = { path: "turnwire.db", nowMs: 5, mayMigrate: true };

describe("migrations", () => {
  let db: Database;
  beforeEach(() => {
    db = openDatabase(":memory:", 0);
  });
  afterEach(() => {
    db.close();
  });
  const applied = (): readonly number[] => db.all<{ id: number }>(migrateSql.applied).map((row) => row.id);
  const has = (table: string): boolean =>
    db.get("SELECT 1 AS found FROM sqlite_master WHERE name = ?" as Sql, table) !== undefined;

  test("go forward, each once", () => {
    migrate(db, [first], options);
    migrate(db, [first, second], options);
    migrate(db, [first, second], options);
    expect(applied()).toEqual([1, 2]);
    expect(has("two")).toBe(true);
  });

  test("a step that fails leaves nothing of itself, and those before it stay", () => {
    const broken: Migration = { id: 2, name: "broken", sql: "CREATE TABLE two (a INTEGER) STRICT; SELECT nonsense;" };
    expect(() => {
      migrate(db, [first, broken], options);
    }).toThrow(/nonsense/);
    expect(applied()).toEqual([1]);
    expect(has("two")).toBe(false);
  });

  test.each([
    { what: "a newer file", known: [first], code: "store_schema_newer", says: "newer release" },
    {
      what: "a file of a changed build",
      known: [{ ...first, sql: "" }, second],
      code: "store_schema_changed",
      says: "changed build",
    },
  ])("$what is refused: $code", ({ known, code, says }) => {
    migrate(db, [first, second], options);
    expect(() => {
      migrate(db, known, options);
    }).toThrow(expect.objectContaining({ code, message: expect.stringContaining(says) }));
  });

  test("a file that is behind is refused when it may not be migrated, and left as it is", () => {
    migrate(db, [first], options);
    expect(() => {
      migrate(db, [first, second], { ...options, mayMigrate: false });
    }).toThrow(
      expect.objectContaining({ code: "store_schema_older", message: expect.stringContaining("turnwire migrate") }),
    );
    expect(applied()).toEqual([1]);
  });

  test("our own are numbered from 1 without a gap", () => {
    expect(migrations.map((migration) => migration.id)).toEqual(migrations.map((_, index) => index + 1));
  });
});
