import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

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
// Each in its own folder; it fails below the score that its configuration names.
const mutations = globSync("packages/*/stryker.config.json", { cwd: root }).toSorted().map(dirname);

let failed = 0;
const steps = [
  ...[...shuffled, ...benches].map((command) => ({ command, cwd: root })),
  ...mutations.map((folder) => ({
    command: [join(root, folder, "node_modules/.bin/stryker"), "run"],
    cwd: join(root, folder),
  })),
];
for (const { command, cwd } of steps) {
  const [file = "", ...args] = command;
  console.log(`---- ${command.join(" ")}`);
  if (spawnSync(file, args, { cwd, stdio: ["ignore", "inherit", "inherit"] }).status !== 0) failed += 1;
}
console.log(`${steps.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
