import { DatabaseSync, type StatementSync } from "node:sqlite";

import type { Sql } from "./sql.ts";

/** What a parameter or a column may be. */
export type SqlValue = string | number | null | Uint8Array;

/** What a statement changed. */
export interface SqlChange {
  readonly changes: number;
  readonly lastId: number;
}

/** One connection. The only file that knows `node:sqlite`, so that another driver can take its place. */
export interface Database {
  readonly inTransaction: boolean;
  run(sql: Sql, ...values: readonly SqlValue[]): SqlChange;
  /** The row's shape is what the statement selects; the caller says it. */
  get<Row>(sql: Sql, ...values: readonly SqlValue[]): Row | undefined;
  all<Row>(sql: Sql, ...values: readonly SqlValue[]): Row[];
  /** Texts without parameters and results: pragmas, migrations, transaction control. */
  exec(text: string): void;
  close(): void;
}

/** Opens a database file, `:memory:` included. `busyTimeoutMs` 0 fails at once when another connection has it. */
export function openDatabase(path: string, busyTimeoutMs: number): Database {
  const connection = new DatabaseSync(path, { timeout: busyTimeoutMs });
  const prepared = new Map<Sql, StatementSync>();
  const statement = (sql: Sql): StatementSync => {
    let found = prepared.get(sql);
    if (found === undefined) {
      found = connection.prepare(sql);
      prepared.set(sql, found);
    }
    return found;
  };
  return {
    get inTransaction() {
      return connection.isTransaction;
    },
    run(sql, ...values) {
      const { changes, lastInsertRowid } = statement(sql).run(...values);
      return { changes: Number(changes), lastId: Number(lastInsertRowid) };
    },
    get: <Row>(sql: Sql, ...values: readonly SqlValue[]) => statement(sql).get(...values) as Row | undefined,
    all: <Row>(sql: Sql, ...values: readonly SqlValue[]) => statement(sql).all(...values) as Row[],
    exec(text) {
      connection.exec(text);
    },
    close() {
      prepared.clear();
      connection.close();
    },
  };
}
