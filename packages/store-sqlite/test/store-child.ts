// A process of its own on the file named by its argument: the crash tests kill it.
import { serveStoreChild } from "@turnwire/channel-testkit";
import { createSqliteStore } from "../src/create-sqlite-store.ts";

const path = process.argv[2] ?? "";
const clock = { now: () => Date.now(), monotonic: () => performance.now() };
await serveStoreChild(createSqliteStore({ path, clock }));
