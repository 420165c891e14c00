import { readdirSync, readFileSync } from "node:fs";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { openDatabase, type Database, type SqlValue } from "./database.ts";
import { LANE_SCHEMA } from "./lane-schedule.ts";
import { migrate } from "./migrate.ts";
import { migrations } from "./migrations.ts";
import { OWNER_LOCK_SCHEMA } from "./owner-lock.ts";
import type { Sql } from "./sql.ts";

/** Tables that grow with use. Those of one row an account, a counter or a schema step may be read as a whole. */
const BIG = [
  "inbox",
  "outbox",
  "session",
  "transcript",
  "history",
  "journal",
  "approval",
  "turn",
  "pairing",
  "blob",
  "channel_state",
];

/** May read an index from end to end: once, at open, a partial index over what is pending. */
const ONCE_AT_OPEN: Readonly<Record<string, string>> = { "laneSql.pendingQueues": "outbox_pending" };

/** Every statement there is: files that mark a text `as Sql` export it in a table named `…Sql`. */
async function everyStatement(): Promise<readonly (readonly [string, Sql])[]> {
  const folder = new URL(".", import.meta.url);
  const files = readdirSync(folder).filter(
    (file) => !file.endsWith(".test.ts") && readFileSync(new URL(file, folder), "utf8").includes(" as Sql,"),
  );
  const found: [string, Sql][] = [];
  for (const file of files) {
    const module = (await import(new URL(file, folder).href)) as Readonly<Record<string, Record<string, Sql>>>;
    for (const [table, statements] of Object.entries(module)) {
      if (!table.endsWith("Sql")) continue;
      for (const [name, sql] of Object.entries(statements)) found.push([`${table}.${name}`, sql]);
    }
  }
  return found;
}

const statements = await everyStatement();

describe("query plans", () => {
  let db: Database;
  beforeAll(() => {
    db = openDatabase(":memory:", 0);
    migrate(db, migrations, { path: ":memory:", nowMs: 0, mayMigrate: true });
    db.exec(LANE_SCHEMA);
    db.exec(OWNER_LOCK_SCHEMA);
  });
  afterAll(() => {
    db.close();
  });

  const planOf = (sql: Sql): readonly string[] => {
    const parameters: readonly SqlValue[] = Array.from({ length: sql.split("?").length - 1 }, () => null);
    return db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}` as Sql, ...parameters).map((row) => row.detail);
  };

  test("every statement is known to this test", () => {
    expect(statements.length).toBeGreaterThan(80);
    expect(new Set(statements.map(([name]) => name)).size).toBe(statements.length);
  });

  test.each(statements)("%s reads no big table from end to end", (name, sql) => {
    const scans = planOf(sql).filter((detail) => BIG.some((table) => new RegExp(`^SCAN ${table}\\b`).test(detail)));
    const allowed = ONCE_AT_OPEN[name];
    expect(scans).toEqual(allowed === undefined ? [] : [expect.stringContaining(`INDEX ${allowed}`)]);
  });

  test("a scan would be seen", () => {
    expect(planOf("SELECT id FROM inbox WHERE sender_id = ?" as Sql)).toEqual(["SCAN inbox"]);
  });

  test.each([
    ["inboxReadSql.readyOther", "inbox_waiting"],
    ["inboxReadSql.open", "inbox_open"],
    ["inboxWriteSql.waitingMessage", "inbox_message"],
    ["inboxWriteSql.extendScope", "inbox_debounce"],
    ["inboxWriteSql.runningOfLane", "inbox_running"],
    ["outboxReadSql.pending", "outbox_pending"],
    ["laneSql.firstUnknown", "outbox_unknown"],
    ["laneSql.ready", "lane_ready"],
    ["purgeSql.strip", "inbox_status"],
  ])("%s goes by %s", (name, index) => {
    const sql = statements.find(([known]) => known === name)?.[1] ?? ("" as Sql);
    expect(planOf(sql).join("\n")).toMatch(new RegExp(`SEARCH .* INDEX ${index}\\b`));
  });

  test.each(["inboxReadSql.readyControl", "inboxReadSql.readyOther", "inboxReadSql.open", "outboxReadSql.pending"])(
    "%s sorts nothing",
    (name) => {
      const sql = statements.find(([known]) => known === name)?.[1] ?? ("" as Sql);
      expect(planOf(sql).join("\n")).toContain("SEARCH");
      expect(planOf(sql).join("\n")).not.toContain("TEMP B-TREE");
    },
  );
});
