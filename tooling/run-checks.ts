import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { changesetBase } from "./changeset-base.ts";
import { countVitest, type TestCounts } from "./vitest-counts.ts";

const root = resolve(import.meta.dirname, "..");
const reports = resolve(root, "reports");
const vitestReport = "reports/vitest.json";

/** One check of `npm test`. Without `counts` it is worth one: passed or failed. */
interface Check {
  readonly title: string;
  readonly command: readonly [file: string, ...args: string[]];
  /** Shown as it comes; otherwise only when it failed. */
  readonly live?: boolean | undefined;
  readonly counts?: ((exitCode: number) => TestCounts) | undefined;
}

const pnpmExec = (...args: string[]): [string, ...string[]] => ["npx", "-y", packageManager(), "exec", ...args];

function packageManager(): string {
  const manifest = JSON.parse(readFileSync(resolve(root, "package.json"), "utf8")) as { packageManager: string };
  return manifest.packageManager;
}

const base = changesetBase(root);

const checks: readonly Check[] = [
  { title: "type check", command: ["tsc", "-b"] },
  { title: "build", command: pnpmExec("turbo", "run", "build", "--output-logs=errors-only") },
  { title: "lint", command: ["oxlint"] },
  { title: "format", command: ["oxfmt", "--check", "."] },
  { title: "package boundaries", command: pnpmExec("turbo", "boundaries") },
  { title: "import rules", command: ["node", "tooling/check-imports.ts"] },
  { title: "unused files, exports and dependencies", command: ["knip"] },
  { title: "packed packages", command: ["node", "tooling/check-packages.ts"] },
  ...(base.ref === undefined
    ? []
    : [
        {
          title: `changesets since ${base.ref}`,
          command: ["changeset", "status", "--since", base.ref],
        } satisfies Check,
      ]),
  {
    title: "tests",
    command: ["vitest", "run", "--reporter=default", "--reporter=json", `--outputFile.json=${vitestReport}`],
    live: true,
    counts: (exitCode) => countVitest(readReport(), exitCode, root),
  },
];

function readReport(): unknown {
  try {
    return JSON.parse(readFileSync(resolve(root, vitestReport), "utf8"));
  } catch {
    // No report is a failed run; countVitest says so.
    return undefined;
  }
}

function run(check: Check): Promise<{ exitCode: number; output: string }> {
  const [file, ...args] = check.command;
  return new Promise((done) => {
    const chunks: Buffer[] = [];
    const child = spawn(file, args, {
      cwd: root,
      stdio: check.live === true ? ["ignore", "inherit", "inherit"] : ["ignore", "pipe", "pipe"],
    });
    const stop = (signal: NodeJS.Signals): void => {
      child.kill(signal);
      process.exitCode = signal === "SIGINT" ? 130 : 143;
    };
    process.once("SIGINT", stop).once("SIGTERM", stop);
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => chunks.push(chunk));
    const end = (exitCode: number, more = ""): void => {
      process.off("SIGINT", stop).off("SIGTERM", stop);
      done({ exitCode, output: `${Buffer.concat(chunks).toString("utf8")}${more}` });
    };
    child.on("error", (error) => end(1, error.message));
    child.on("close", (code) => end(code ?? 1));
  });
}

rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

let passed = 0;
let failed = 0;
const skipped: string[] = base.ref === undefined ? [`changeset status: ${base.reason}`] : [];
const failures: string[] = [];

for (const check of checks) {
  const startedMs = performance.now();
  const { exitCode, output } = await run(check);
  // Stopped by a signal: the run has no result.
  if (process.exitCode !== undefined) process.exit();
  const counts = check.counts?.(exitCode) ?? {
    passed: exitCode === 0 ? 1 : 0,
    failed: exitCode === 0 ? 0 : 1,
    skipped: [],
  };
  passed += counts.passed;
  failed += counts.failed;
  skipped.push(...counts.skipped);
  if (counts.failed > 0) {
    failures.push(check.title);
    process.stdout.write(output.endsWith("\n") || output === "" ? output : `${output}\n`);
  }
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(`${counts.failed === 0 ? "ok  " : "FAIL"} ${check.title} (${seconds} s)`);
}

for (const name of skipped) console.log(`skipped: ${name}`);
for (const title of failures) console.log(`failed: ${title}`);
writeFileSync(resolve(reports, "summary.json"), `${JSON.stringify({ passed, failed, skipped }, null, 2)}\n`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
