import { readFileSync } from "node:fs";
import { once } from "node:events";
import { createInterface } from "node:readline";

import { createSqliteStore } from "../src/create-sqlite-store.ts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { sqliteHarness } from "./sqlite-harness.ts";

const clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};

type Harness = Awaited<ReturnType<typeof sqliteHarness>>;

describe("one process owns the file", () => {
  let harness: Harness;
  beforeEach(async () => {
    harness = await sqliteHarness({ clock } as Parameters<typeof sqliteHarness>[0]);
  });
  afterEach(() => harness.dispose());

  const firstLine = async (child: ReturnType<Harness["startChild"]>): Promise<unknown> => {
    const [line] = (await once(createInterface({ input: child.stdout! }), "line")) as [string];
    return JSON.parse(line);
  };

  test("a second process is refused with a sentence that names the file and says what to do", async () => {
    const store = harness.create();
    await store.open();
    const child = harness.startChild();
    expect(await firstLine(child)).toMatchObject({ told: "refused", code: "store_locked" });
    await once(child, "exit");
    await store.close();
  });

  test("a second store of the same process is refused as well, and the first one goes on", async () => {
    const store = harness.create();
    await store.open();
    await expect(harness.create().open()).rejects.toMatchObject({
      code: "store_locked",
      message: expect.stringMatching(new RegExp(`${harness.path}.*Stop that gateway`)),
    });
    await store.ping();
    await store.close();
  });

  test(
    "after a kill -9 of the owner the file is free at once; nothing has to be deleted",
    { timeout: 30_000 },
    async () => {
      const child = harness.startChild();
      expect(await firstLine(child)).toEqual({ told: "opened" });
      const store = harness.create();
      await expect(store.open()).rejects.toMatchObject({ code: "store_locked" });
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
      await store.open();
      await store.ping();
      await store.close();
    },
  );

  test("a store that was refused can be opened later", async () => {
    const owner = harness.create();
    await owner.open();
    const other = harness.create();
    await expect(other.open()).rejects.toMatchObject({ code: "store_locked" });
    await owner.close();
    await other.open();
    await other.close();
  });

  test("a lock file that a power failure damaged is made anew", async () => {
    const { writeFileSync } = await import("node:fs");
    const store = harness.create();
    await store.open();
    await store.close();
    writeFileSync(`${harness.path}.lock`, "no database at all, but long enough to look like one".repeat(100));
    const again = createSqliteStore({ path: harness.path, clock });
    await again.open();
    await again.close();
    expect(readFileSync(`${harness.path}.lock`).subarray(0, 6).toString()).toBe("SQLite");
  });
});
