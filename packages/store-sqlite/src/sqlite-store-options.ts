import type { Clock } from "@turnwire/turn-ports";

import type { Retention } from "./worker/retention.ts";

/** How the store is set up. */
export interface SqliteStoreOptions {
  /**
   * The database file; its folder is made when it is not there. Beside it lie `<path>-wal`, `<path>-shm` and `<path>.lock`.
   * `:memory:` keeps everything in memory, for tests.
   */
  readonly path: string;
  /** Wall time stamps rows; the monotonic one measures delays and leases, whatever the wall clock does. */
  readonly clock: Pick<Clock, "now" | "monotonic">;
  /**
   * `full` (default): every answered write is flushed to the disk and survives a power failure.
   * `normal`: survives the death of the process, but a power failure may take back the last answered writes.
   */
  readonly synchronous?: "full" | "normal" | undefined;
  /** Where media files lie. Default is `<path>.blobs`; for `:memory:` it must be given. */
  readonly blobDir?: string | undefined;
  /** False: `open` refuses a file that is behind (`store_schema_older`) instead of migrating it. Default is true. */
  readonly migrate?: boolean | undefined;
  /** For how long ended things are kept; what is not named keeps its default. */
  readonly retention?: Partial<Retention> | undefined;
  /** Calls that may wait for the worker before further ones are refused with `store_unavailable`. Default is 20,000. */
  readonly maxWaiting?: number | undefined;
  /** Greatest size of the database file; over it, writes are refused with `store_full`. Default is no bound but the disk. */
  readonly maxFileBytes?: number | undefined;
}
