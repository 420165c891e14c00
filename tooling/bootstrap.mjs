// What `npm start` and `npm test` run. Plain JavaScript without dependencies, because it starts on whatever Node the
// machine has (20 or newer), before anything is installed; the rest of the repository runs on the Node it installs.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const [command = "", ...rest] = process.argv.slice(2);
const usage = "Usage: node tooling/bootstrap.mjs start|test";

/** The step that runs now. A signal goes to it, and its end is ours. */
let current;
let stopping;

/** Repeats of one signal within this time are one key press: a terminal sends it to npm and to us, npm sends it again. */
const SAME_SIGNAL_MS = 500;

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => {
    const now = Date.now();
    if (stopping?.signal === signal && now - stopping.atMs < SAME_SIGNAL_MS) return;
    stopping = { signal, atMs: now };
    if (current === undefined) process.exit(exitCodeOf(null, signal));
    // The whole group of the step: npx, pnpm and turbo have children of their own.
    process.kill(-current.pid, signal);
  });
}

function exitCodeOf(code, signal) {
  if (signal === null || signal === undefined) return code ?? 1;
  return { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }[signal] ?? 1;
}

/**
 * Runs one command to its end. Its output is shown as it comes, or, when quiet, only after a failure.
 * `detached` keeps the terminal's own signal from reaching it beside ours. Resolves with its exit code.
 */
function run(file, args, { quiet = false, env = process.env } = {}) {
  return new Promise((done) => {
    const chunks = [];
    const child = spawn(file, args, {
      cwd: root,
      env,
      detached: true,
      stdio: quiet ? ["ignore", "pipe", "pipe"] : ["ignore", "inherit", "inherit"],
    });
    current = child;
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => chunks.push(chunk));
    child.on("error", (error) => {
      console.error(`${file} could not be started: ${error.message}`);
      current = undefined;
      done(1);
    });
    child.on("close", (code, signal) => {
      current = undefined;
      const status = exitCodeOf(code, signal);
      if (status !== 0 && stopping === undefined) process.stderr.write(Buffer.concat(chunks));
      done(status);
    });
  });
}

async function step(title, file, args, options) {
  const startedMs = Date.now();
  const code = await run(file, args, { quiet: true, ...options });
  if (stopping !== undefined) process.exit(exitCodeOf(null, stopping.signal));
  console.log(`${code === 0 ? "ok  " : "FAIL"} ${title} (${((Date.now() - startedMs) / 1000).toFixed(1)} s)`);
  return code;
}

/** A failed preparation ends the run; `npm test` still owes its one summary line. */
function giveUp() {
  if (command === "test") console.log("0 passed, 1 failed");
  process.exit(1);
}

const major = Number(process.versions.node.split(".")[0]);
if (major < 20) {
  console.error(
    `Turnwire needs Node 20 or newer to start, and this is ${process.version}: install a newer Node and run it again.`,
  );
  process.exit(1);
}
if (command !== "start" && command !== "test") {
  console.error(usage);
  process.exit(2);
}

const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const pnpm = ["-y", packageManager];

// CI=true: pnpm asks nothing, and a node_modules folder of another layout is replaced instead of refused.
const install = await step("install", "npx", [...pnpm, "install", "--frozen-lockfile"], {
  env: { ...process.env, CI: process.env.CI ?? "true" },
});
if (install !== 0) giveUp();

process.env.PATH = `${join(root, "node_modules/.bin")}${delimiter}${process.env.PATH ?? ""}`;
if (!process.stdout.isTTY) process.env.NO_COLOR ??= "1";
process.env.TURBO_TELEMETRY_DISABLED = "1";
process.env.DO_NOT_TRACK = "1";

const isNode24 = 'process.exit(process.versions.node.startsWith("24.") ? 0 : 1)';
if ((await run("node", ["-e", isNode24], { quiet: true })) !== 0) {
  console.error("The pinned Node 24 is missing from node_modules/.bin: delete node_modules and run this again.");
  giveUp();
}

if (command === "test") {
  process.exit(await run("node", ["tooling/run-checks.ts", ...rest]));
}

if ((await step("type check", "tsc", ["-b", "apps/gateway"])) !== 0) giveUp();
if ((await step("build", "npx", [...pnpm, "exec", "turbo", "run", "build", "--output-logs=errors-only"])) !== 0)
  giveUp();

const config = "turnwire.config.json5";
const gateway = existsSync(join(root, config)) ? ["start", "--config", config] : ["playground"];
process.exit(await run("node", ["apps/gateway/bin/turnwire.js", ...gateway, ...rest]));
