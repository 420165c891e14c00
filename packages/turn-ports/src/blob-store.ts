/**
 * Media named by inbox, history or outbox rows. At most 25 MiB each and 1 GiB in all, kept 7 days;
 * the oldest go first. Kept in the store so that another node can take a turn over.
 */
export interface BlobStore {
  put(bytes: Uint8Array, contentType: string): Promise<string>;
  /** Writes the blob to a file that local code can read, and returns its path; null when it is gone. */
  materialize(blobId: string): Promise<string | null>;
}
