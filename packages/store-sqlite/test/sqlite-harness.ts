import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import type { StoreHarness, StoreSetup } from "@turnwire/channel-testkit";
import { createSqliteStore } from "../src/create-sqlite-store.ts";

const CHILD = fileURLToPath(new URL("store-child.ts", import.meta.url));

/** A database file in a folder of its own. */
export async function sqliteHarness({ clock }: StoreSetup): Promise<StoreHarness & { readonly path: string }> {
  const folder = await mkdtemp(join(tmpdir(), "turnwire-store-"));
  const path = join(folder, "turnwire.db");
  return {
    path,
    create: () => createSqliteStore({ path, clock }),
    startChild: () =>
      spawn(process.execPath, ["--conditions=@turnwire/source", CHILD, path], { stdio: ["pipe", "pipe", "pipe"] }),
    dispose: () => rm(folder, { recursive: true, force: true }),
  };
}
