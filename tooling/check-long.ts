import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");

/** Runs of the tests, each in another order: a test that leans on its neighbour fails in one of them. */
const SHUFFLED_RUNS = 3;

// The seed is printed by vitest, so that an order that fails can be had again.
const shuffled = Array.from({ length: SHUFFLED_RUNS }, (_, run): readonly string[] => [
  "vitest",
  "run",
  "--sequence.shuffle.files",
  "--sequence.shuffle.tests",
  `--sequence.seed=${Date.now() + run}`,
]);
const benches = globSync("bench/*/run.ts", { cwd: root })
  .toSorted()
  .map((file): readonly string[] => ["node", "--conditions=@turnwire/source", file]);

let failed = 0;
const steps = [...shuffled, ...benches];
for (const [file = "", ...args] of steps) {
  console.log(`---- ${file} ${args.join(" ")}`);
  if (spawnSync(file, args, { cwd: root, stdio: ["ignore", "inherit", "inherit"] }).status !== 0) failed += 1;
}
console.log(`${steps.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
