import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { expect, it } from "vitest";

const root = resolve(import.meta.dirname, "..");

function bootstrap(args: readonly string[], nodeVersion?: string): Promise<{ code: number; stderr: string }> {
  const pretend = `Object.defineProperty(process, "versions", { value: { node: "${nodeVersion}" } });
    Object.defineProperty(process, "version", { value: "v${nodeVersion}" });`;
  const before = nodeVersion === undefined ? [] : ["--import", `data:text/javascript,${encodeURIComponent(pretend)}`];
  return new Promise((done) => {
    execFile(
      process.execPath,
      [...before, "tooling/bootstrap.mjs", ...args],
      { cwd: root },
      (error, _stdout, stderr) => {
        done({ code: error === null ? 0 : Number(error.code), stderr });
      },
    );
  });
}

it("refuses an old Node with one sentence", async () => {
  expect(await bootstrap(["build"], "18.20.4")).toEqual({
    code: 1,
    stderr: "Turnwire needs Node 20 or newer, and this is v18.20.4: install a newer Node and try again.\n",
  });
});

it("says what it can do when it is asked for something else", async () => {
  expect(await bootstrap(["biuld"])).toEqual({ code: 2, stderr: "Usage: node tooling/bootstrap.mjs build|test\n" });
});
