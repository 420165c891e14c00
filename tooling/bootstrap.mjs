// Prepares what `npm start` and `npm test` need. Plain JavaScript without dependencies, because it starts on whatever
// Node the machine has (20 or newer), before anything is installed; the rest runs on the Node that it installs.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const command = process.argv[2];

const signalExitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

/** The step that runs now. A signal goes to it, and its end is ours. */
let current;
let stoppedBy;

for (const signal of Object.keys(signalExitCodes)) {
  process.on(signal, () => {
    stoppedBy = signal;
    if (current === undefined) process.exit(signalExitCodes[signal]);
    current.kill(signal);
  });
}

/** Runs one command to its end; resolves with its exit code. Quiet: its output is shown only when it failed. */
function run(file, args, { quiet = false, env = process.env } = {}) {
  return new Promise((done) => {
    const output = [];
    const streams = quiet ? ["ignore", "pipe", "pipe"] : ["ignore", "inherit", "inherit"];
    const child = spawn(file, args, { cwd: root, env, stdio: streams });
    current = child;
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => output.push(chunk));
    const end = (code, message = "") => {
      current = undefined;
      if (stoppedBy !== undefined) process.exit(signalExitCodes[stoppedBy]);
      if (code !== 0) process.stderr.write(Buffer.concat([...output, Buffer.from(message)]));
      done(code);
    };
    child.on("error", (error) => end(1, `${file} could not be started: ${error.message}\n`));
    child.on("close", (code, signal) => end(code ?? signalExitCodes[signal] ?? 1));
  });
}

async function step(title, file, args, options) {
  const startedMs = Date.now();
  const code = await run(file, args, { quiet: true, ...options });
  console.log(`${code === 0 ? "ok  " : "FAIL"} ${title} (${((Date.now() - startedMs) / 1000).toFixed(1)} s)`);
  if (code === 0) return;
  // `npm test` owes its one summary line, however early it ends.
  if (command === "test") console.log("0 passed, 1 failed");
  process.exit(1);
}

const major = Number(process.versions.node.split(".")[0]);
if (major < 20) {
  console.error(`Turnwire needs Node 20 or newer, and this is ${process.version}: install a newer Node and try again.`);
  process.exit(1);
}
if (command !== "build" && command !== "test") {
  console.error("Usage: node tooling/bootstrap.mjs build|test");
  process.exit(2);
}

const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

// CI=true: pnpm asks nothing, and a node_modules folder of another layout is replaced instead of refused.
await step("install", "npx", ["-y", packageManager, "install", "--frozen-lockfile"], {
  env: { ...process.env, CI: process.env.CI ?? "true" },
});

process.env.PATH = `${join(root, "node_modules/.bin")}${delimiter}${process.env.PATH ?? ""}`;
if (!process.stdout.isTTY) process.env.NO_COLOR ??= "1";
process.env.TURBO_TELEMETRY_DISABLED = "1";
process.env.DO_NOT_TRACK = "1";

const isNode24 = 'if (!process.versions.node.startsWith("24.")) throw new Error("node_modules/.bin has no Node 24")';
if ((await run("node", ["-e", isNode24], { quiet: true })) !== 0) {
  console.error("The pinned Node 24 is missing: delete node_modules and try again.");
  process.exit(1);
}

if (command === "test") process.exit(await run("node", ["tooling/run-checks.ts"]));

// A build does not check types, so the check comes first.
await step("type check", "tsc", ["-b", "apps/gateway"]);
// turbo calls pnpm, so it runs where pnpm is on the PATH.
await step("build", "npx", ["-y", packageManager, "exec", "turbo", "run", "build", "--output-logs=errors-only"]);
