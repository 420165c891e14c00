import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { collectErrorCodes, errorSources } from "./error-codes.ts";

const root = resolve(import.meta.dirname, "..");

/** Rows of the table: `| code | packages | meaning | mend |`. */
const documented = [
  ...readFileSync(join(root, "docs/errors.md"), "utf8").matchAll(/^\| `([^`]+)`\s*\|([^|]*)\|([^|]*)\|([^|]*)\|$/gm),
].map(([, code = "", where = "", meaning = "", mend = ""]) => ({
  code,
  packages: where.split(",").map((name) => name.trim().replaceAll("`", "")),
  meaning: meaning.trim(),
  mend: mend.trim(),
}));

describe("docs/errors.md", () => {
  const { codes, restoring, unread } = collectErrorCodes(errorSources(root));

  it("lists the codes that the source has, with the packages that have them, and no other", () => {
    expect(Object.fromEntries(documented.map(({ code, packages }) => [code, packages]))).toEqual(
      Object.fromEntries(codes),
    );
    expect(codes.size).toBeGreaterThan(0);
  });

  it("lists each code once, in order", () => {
    const listed = documented.map(({ code }) => code);
    expect(listed).toEqual([...new Set(listed)].toSorted((a, b) => a.localeCompare(b)));
  });

  it.each(documented)("$code says what happened and what to do", ({ code, meaning, mend }) => {
    expect(code).toMatch(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/);
    expect(meaning).not.toBe("");
    expect(mend).not.toBe("");
  });

  it("can read every code off the source", () => {
    expect(unread).toEqual([]);
    // The store lives in a worker; errors do not keep their class on the way.
    expect(restoring).toEqual(["packages/store-sqlite/src/store-thread.ts"]);
  });
});

describe("the collector", () => {
  const collect = (text: string): { codes: object; unread: readonly string[] } => {
    const { codes, unread } = collectErrorCodes([{ file: "packages/a/src/a.ts", text }]);
    return { codes: Object.fromEntries(codes), unread };
  };

  it.each([
    { text: 'throw new TurnwireError({ code: "a_b", message: "" });', codes: ["a_b"] },
    { text: 'throw new TurnwireError({ code: full ? "a" : "b", message: "" });', codes: ["a", "b"] },
    {
      text: 'function failed(code: string): Error {\n  return new TurnwireError({ code, message: "" });\n}\nthrow failed("made");',
      codes: ["made"],
    },
    {
      text: 'const failed = (at: number, code: Code) => new TurnwireError({ code: code, message: "" });\nfailed(1, "made");',
      codes: ["made"],
    },
    {
      text: 'class Failure extends Error {\n  constructor(code: string) {\n    super(code);\n  }\n}\nthrow new Failure("made");',
      codes: ["made"],
    },
  ])("reads $codes", ({ text, codes }) => {
    expect(collect(text)).toEqual({ codes: Object.fromEntries(codes.map((code) => [code, ["a"]])), unread: [] });
  });

  it("says where it cannot read one", () => {
    expect(collect('\nthrow new TurnwireError({ code: other.code, message: "" });')).toEqual({
      codes: {},
      unread: ["packages/a/src/a.ts:2"],
    });
  });
});
