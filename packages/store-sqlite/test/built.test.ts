import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

import { afterAll, beforeAll, expect, test } from "vitest";

const run = promisify(execFile);
const packageFolder = join(import.meta.dirname, "..");
const tsup = join(packageFolder, "../../node_modules/tsup/dist/cli-default.js");

let folder = "";
beforeAll(async () => {
  // Inside the package, so that what the built files import is found as from `dist`.
  await mkdir(join(packageFolder, ".types"), { recursive: true });
  folder = await mkdtemp(join(packageFolder, ".types/built-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("the built package starts its worker and stores", { timeout: 60_000 }, async () => {
  await run(process.execPath, [tsup, "--no-dts", "--out-dir", join(folder, "dist")], { cwd: packageFolder });
  const script = join(folder, "script.mjs");
  await writeFile(
    script,
    `import { createSqliteStore } from "./dist/index.js";
    const clock = { now: () => Date.now(), monotonic: () => performance.now() };
    const store = createSqliteStore({ path: ${JSON.stringify(join(folder, "turnwire.db"))}, clock });
    await store.open();
    await store.accept({ channel: "telegram", accountId: "default", cursor: "7", rows: [] });
    console.log(await store.channelState("telegram", "default").cursor());
    await store.close();`,
  );
  const { stdout } = await run(process.execPath, ["--conditions=@turnwire/source", script]);
  expect(stdout.trim()).toBe("7");
});
