import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { describe, expect, it, onTestFinished } from "vitest";

import { resolveValues } from "./resolve-values.ts";

const context = { environment: { TOKEN: "t-1", HOST: "example.org" }, directory: "/" };

describe("resolveValues", () => {
  it("replaces ${NAME} in any string, at any depth, more than once", () => {
    const { value, problems } = resolveValues({ a: ["${TOKEN}", { b: "https://${HOST}/${TOKEN}" }], n: 1 }, context);
    expect(value).toEqual({ a: ["t-1", { b: "https://example.org/t-1" }], n: 1 });
    expect(problems).toEqual([]);
  });

  it("names the key of every missing variable", () => {
    const { problems } = resolveValues({ http: { adminToken: "${NOPE}" }, list: [{ x: "${ALSO_NOT}" }] }, context);
    expect(problems).toEqual([
      { path: "http.adminToken", message: "needs the environment variable NOPE, which is not set" },
      { path: "list[0].x", message: "needs the environment variable ALSO_NOT, which is not set" },
    ]);
  });

  it("reads { file } relative to the config's folder, without the last line end", () => {
    const directory = mkdtempSync(join(tmpdir(), "turnwire-config-"));
    onTestFinished(() => {
      rmSync(directory, { recursive: true, force: true });
    });
    writeFileSync(join(directory, "token"), "secret-1\n");
    expect(resolveValues({ botToken: { file: "token" } }, { environment: {}, directory }).value).toEqual({
      botToken: "secret-1",
    });
  });

  it("names the key of a file that cannot be read", () => {
    const { problems } = resolveValues({ botToken: { file: "missing" } }, context);
    expect(problems).toEqual([{ path: "botToken", message: "names the file missing, which cannot be read" }]);
  });

  it("leaves secretsKey alone: it names a file to be used as such", () => {
    expect(resolveValues({ secretsKey: { file: "key" } }, context)).toEqual({
      value: { secretsKey: { file: "key" } },
      problems: [],
    });
  });
});
