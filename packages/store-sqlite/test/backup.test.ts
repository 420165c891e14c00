import { DatabaseSync } from "node:sqlite";
import { join, dirname } from "node:path";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { createSqliteStore } from "../src/create-sqlite-store.ts";
import { sqliteHarness } from "./sqlite-harness.ts";

const clock = { now: () => Date.now(), monotonic: () => performance.now() };

describe("backup", () => {
  let harness: Awaited<ReturnType<typeof sqliteHarness>>;
  beforeEach(async () => {
    harness = await sqliteHarness({ clock } as Parameters<typeof sqliteHarness>[0]);
  });
  afterEach(() => harness.dispose());

  test("VACUUM INTO beside a running gateway makes a file that a store opens", async () => {
    const store = harness.create();
    await store.open();
    await store.accept({ channel: "telegram", accountId: "default", cursor: "7", rows: [] });
    const copy = join(dirname(harness.path), "backup.db");
    const reader = new DatabaseSync(harness.path);
    reader.exec(`VACUUM INTO '${copy}'`);
    reader.close();
    await store.accept({ channel: "telegram", accountId: "default", cursor: "8", rows: [] });
    await store.close();
    const restored = createSqliteStore({ path: copy, clock });
    await restored.open();
    expect(await restored.channelState("telegram", "default").cursor()).toBe("7");
    await restored.close();
  });
});
