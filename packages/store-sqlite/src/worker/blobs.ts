import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

import type { Database } from "./database.ts";
import type { Sql } from "./sql.ts";
import { BLOBS_LIMIT_BYTES } from "./retention.ts";
import type { WriteContext } from "./write-context.ts";

export const blobSql = {
  add: "INSERT INTO blob (id, content_type, size_bytes, at_ms) VALUES (?, ?, ?, ?)" as Sql,
  grow: "UPDATE meta SET value = value + ? WHERE key = 'blob_bytes' RETURNING value" as Sql,
  oldest: "SELECT seq, id, size_bytes FROM blob WHERE seq > 0 ORDER BY seq LIMIT 1" as Sql,
  remove: "DELETE FROM blob WHERE seq = ?" as Sql,
  exists: "SELECT 1 AS found FROM blob WHERE id = ?" as Sql,
};

/** What the worker is told of a blob whose file has been written. */
export interface BlobNote {
  readonly id: string;
  readonly contentType: string;
  readonly sizeBytes: number;
}

/** Notes the blob and makes room for it; answers the ids whose files are to go, oldest first. */
export function addBlob({ db, nowMs }: WriteContext, blob: BlobNote): readonly string[] {
  db.run(blobSql.add, blob.id, blob.contentType, blob.sizeBytes, nowMs);
  let total = db.get<{ value: number }>(blobSql.grow, blob.sizeBytes)?.value ?? 0;
  const gone: string[] = [];
  while (total > BLOBS_LIMIT_BYTES) {
    const oldest = db.get<{ seq: number; id: string; size_bytes: number }>(blobSql.oldest);
    if (oldest === undefined || oldest.id === blob.id) break;
    db.run(blobSql.remove, oldest.seq);
    total = db.get<{ value: number }>(blobSql.grow, -oldest.size_bytes)?.value ?? 0;
    gone.push(oldest.id);
  }
  return gone;
}

/** Removes the files of blobs that are gone. A file that is not there is as good as removed. */
export function removeBlobFiles(blobDir: string, ids: readonly string[]): void {
  for (const id of ids) rmSync(join(blobDir, id), { force: true });
}

/** At open: removes files that no row names, e.g. of a put whose process died before its commit. */
export function sweepBlobFiles(db: Database, blobDir: string): void {
  mkdirSync(blobDir, { recursive: true });
  for (const name of readdirSync(blobDir)) {
    if (db.get(blobSql.exists, name) === undefined) rmSync(join(blobDir, name), { force: true });
  }
}
