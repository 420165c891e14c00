/**
 * The text of one statement. Statements stand in exported tables named `…Sql`, one a file, whose entries are marked
 * `as Sql`: the query-plan test collects those tables, and a connection runs nothing else.
 */
export type Sql = string & { readonly sql: unique symbol };
