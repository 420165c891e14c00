import { randomUUID } from "node:crypto";
import { access, mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";

import { TurnwireError, type BlobStore } from "@turnwire/turn-ports";

import type { StoreThread } from "./store-thread.ts";
import { BLOB_LIMIT_BYTES } from "./worker/retention.ts";

/**
 * Media as files of `blobDir`, named in the database. Written here, off both the event loop and the worker,
 * so that 25 MiB never stand between two events.
 */
export function createBlobFiles(blobDir: string, thread: () => StoreThread): BlobStore {
  const pathOf = (id: string): string => join(blobDir, id);
  return {
    async put(bytes, contentType) {
      if (bytes.byteLength > BLOB_LIMIT_BYTES) {
        throw new TurnwireError({
          code: "blob_too_large",
          message: `A media file of ${bytes.byteLength} bytes is over the store's limit of ${BLOB_LIMIT_BYTES}; it was not kept.`,
        });
      }
      const id = randomUUID();
      await writeFlushed(blobDir, pathOf(id), bytes);
      const gone = await thread().call("blobs.add", { id, contentType, sizeBytes: bytes.byteLength });
      await Promise.all(gone.map((old) => rm(pathOf(old), { force: true })));
      return id;
    },
    async materialize(blobId) {
      if ((await thread().call("blobs.get", blobId)) === null) return null;
      try {
        await access(pathOf(blobId));
        return pathOf(blobId);
      } catch {
        return null;
      }
    },
  };
}

/** The row that names the file is committed after this, so the bytes must be on the disk by then. */
async function writeFlushed(folder: string, path: string, bytes: Uint8Array): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    const file = await open(path, "wx");
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (cause) {
    const full = typeof cause === "object" && cause !== null && "code" in cause && cause.code === "ENOSPC";
    throw new TurnwireError({
      code: full ? "store_full" : "store_unavailable",
      message: `A media file could not be written to ${folder}; check its space and permissions.`,
      cause,
    });
  }
}
