export { createSqliteStore } from "./create-sqlite-store.ts";
export type { SqliteStore } from "./create-sqlite-store.ts";
export type { SqliteStoreOptions } from "./sqlite-store-options.ts";
export type { PurgeReport } from "./worker/purge.ts";
export type { Retention } from "./worker/retention.ts";
