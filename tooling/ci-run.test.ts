import { execFile } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "..");
const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true })));

interface Machine {
  /** Shell text of the `npm` that the script calls. */
  readonly npm: string;
  /** Shell text of `apt-get`, on a machine without a browser; absent: it has one. */
  readonly aptGet?: string | undefined;
  /** Shell text of the benchmark's stand-in; absent: there is none. */
  readonly bench?: string | undefined;
}

/** Runs the real script in a folder with stand-ins for what it calls. */
function runCi({ npm, aptGet, bench }: Machine): Promise<{ code: number; last: string }> {
  const folder = mkdtempSync(join(tmpdir(), "turnwire-ci-"));
  folders.push(folder);
  mkdirSync(join(folder, ".ci"));
  cpSync(join(root, ".ci/run"), join(folder, ".ci/run"));
  const script = (file: string, text: string): void => {
    mkdirSync(join(folder, file, ".."), { recursive: true });
    writeFileSync(join(folder, file), `#!/bin/sh\n${text}\n`);
    chmodSync(join(folder, file), 0o755);
  };
  script("bin/npm", `mkdir -p reports\n${npm}`);
  script("bin/apt-get", aptGet ?? "exit 1");
  if (aptGet === undefined) script("bin/chromium", "");
  if (bench !== undefined) {
    script("bench/kernel/run.ts", "");
    script("node_modules/.bin/node", bench);
  }
  return new Promise((done) => {
    const env = {
      ...process.env,
      PATH: `${join(folder, "bin")}:${process.env["PATH"]}`,
      TURNWIRE_CHROMIUM: join(folder, "bin/chromium"),
    };
    execFile(join(folder, ".ci/run"), [], { env }, (error, stdout) => {
      done({ code: error === null ? 0 : Number(error.code), last: stdout.trimEnd().split("\n").at(-1) ?? "" });
    });
  });
}

const summary = (passed: number, failed: number): string =>
  `echo '{ "passed": ${passed}, "failed": ${failed}, "skipped": [] }' > reports/summary.json`;

describe(".ci/run", () => {
  it.each([
    { what: "adds up what passed", machine: { npm: summary(5, 0) }, passed: 5, failed: 0 },
    { what: "counts failed tests", machine: { npm: `${summary(5, 2)}\nexit 1` }, passed: 5, failed: 2 },
    { what: "counts a run that died", machine: { npm: "exit 1" }, passed: 0, failed: 1 },
    { what: "counts a run without a summary", machine: { npm: "exit 0" }, passed: 0, failed: 1 },
    {
      what: "counts an exit that its summary denies",
      machine: { npm: `${summary(5, 0)}\nexit 3` },
      passed: 5,
      failed: 1,
    },
    { what: "counts the benchmarks", machine: { npm: summary(5, 0), bench: "exit 0" }, passed: 6, failed: 0 },
    { what: "counts failed benchmarks", machine: { npm: summary(5, 0), bench: "exit 1" }, passed: 5, failed: 1 },
    {
      what: "installs a browser where there is none",
      machine: { npm: summary(5, 0), aptGet: "exit 0" },
      passed: 6,
      failed: 0,
    },
    {
      what: "counts a browser that it could not install",
      machine: { npm: summary(5, 0), aptGet: "exit 100" },
      passed: 5,
      failed: 1,
    },
  ])("$what", async ({ machine, passed, failed }) => {
    const { code, last } = await runCi(machine);
    expect(last).toBe(`${passed} passed, ${failed} failed`);
    expect(code).toBe(failed === 0 ? 0 : 1);
  });
});
