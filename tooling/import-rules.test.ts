import { execFile } from "node:child_process";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkImports, type ImportReport } from "./check-imports.ts";
import { importTable } from "./import-table.ts";
import { createSeededWorkspace, type SeededWorkspace } from "./seeded-workspace.ts";

/** What a tool said about one file: the names of the rules it broke. */
type Findings = ReadonlyMap<string, readonly string[]>;

interface Seed {
  /** Name that the tool reports. */
  readonly rule: string;
  readonly file: string;
  readonly code: string;
}

const root = resolve(import.meta.dirname, "..");
const bin = (name: string): string => join(root, "node_modules/.bin", name);
const take = (name: string): string => `import type { Thing } from "${name}";\nexport type Taken = Thing;\n`;
const call = (name: string): string => `import { value } from "${name}";\nexport const taken: number = value;\n`;

/** One forbidden import of every row of the table; `chaos`, `bench` and `examples` have none. */
const rowSeeds: readonly Seed[] = [
  { rule: "kernel-imports-nothing", file: "packages/turn-kernel/src/seed-row.ts", code: take("@turnwire/turn-ports") },
  {
    rule: "ports-import-kernel-only",
    file: "packages/turn-ports/src/seed-row.ts",
    code: take("@turnwire/adapter-kit"),
  },
  {
    rule: "kit-imports-kernel-and-ports",
    file: "packages/adapter-kit/src/seed-row.ts",
    code: take("@turnwire/turn-runtime"),
  },
  {
    rule: "runners-import-kernel-and-ports",
    file: "packages/agent-runners/src/seed-row.ts",
    code: take("@turnwire/adapter-kit"),
  },
  {
    rule: "runtime-imports-kernel-kit-ports",
    file: "packages/turn-runtime/src/seed-row.ts",
    code: take("@turnwire/store-sqlite"),
  },
  { rule: "store-imports-ports", file: "packages/store-sqlite/src/seed-row.ts", code: take("@turnwire/turn-runtime") },
  { rule: "store-imports-ports", file: "packages/store-sqlite/src/seed-twin.ts", code: take("@turnwire/store-twin") },
  {
    rule: "channel-imports-kernel-ports-kit",
    file: "packages/channel-telegram/src/seed-channel.ts",
    code: take("@turnwire/channel-twin"),
  },
  {
    rule: "channel-imports-kernel-ports-kit",
    file: "packages/channel-telegram/src/seed-store.ts",
    code: take("@turnwire/store-sqlite"),
  },
  {
    rule: "channel-imports-kernel-ports-kit",
    file: "packages/channel-telegram/src/seed-runtime.ts",
    code: take("@turnwire/turn-runtime"),
  },
  {
    rule: "channel-imports-kernel-ports-kit",
    file: "packages/channel-telegram/src/seed-app.ts",
    code: take("@turnwire/gateway"),
  },
  {
    rule: "sim-imports-none-of-ours",
    file: "packages/platform-sim/src/seed-row.ts",
    code: take("@turnwire/turn-kernel"),
  },
  {
    rule: "testkit-imports-kernel-ports-kit-sim",
    file: "packages/channel-testkit/src/seed-row.ts",
    code: take("@turnwire/turn-runtime"),
  },
  { rule: "console-imports-none-of-ours", file: "apps/console/src/seed-row.ts", code: take("@turnwire/turn-ports") },
];

/** Rules about one package's own files. Both cruise and lint see imports; the cruise alone sees cycles of types. */
const cruiseSeeds: readonly Seed[] = [
  ...rowSeeds,
  {
    rule: "nobody-imports-the-gateway",
    file: "packages/agent-runners/src/seed-gateway.ts",
    code: take("@turnwire/gateway"),
  },
  {
    rule: "runtime-imports-kernel-kit-ports (tests)",
    file: "packages/turn-runtime/src/seed.test.ts",
    code: take("@turnwire/channel-telegram"),
  },
  {
    rule: "kernel-imports-no-library",
    file: "packages/turn-kernel/src/seed-node.ts",
    code: 'export { join } from "node:path";\n',
  },
  { rule: "kernel-imports-no-library", file: "packages/turn-kernel/src/seed-library.ts", code: call("left-pad") },
  { rule: "own-index", file: "packages/turn-runtime/src/seed-index.ts", code: take("./index.ts") },
  { rule: "own-index", file: "packages/turn-runtime/src/seed-self.ts", code: take("@turnwire/turn-runtime") },
  { rule: "no-barrel", file: "packages/turn-runtime/src/seed-barrel.ts", code: take("./folder/index.ts") },
  {
    rule: "no-relative-package",
    file: "packages/adapter-kit/src/seed-relative.ts",
    code: take("../../turn-kernel/src/index.ts"),
  },
  {
    rule: "no-cycle",
    file: "packages/turn-ports/src/seed-cycle-a.ts",
    code: 'import type { B } from "./seed-cycle-b.ts";\nexport interface A {\n  readonly b?: B;\n}\n',
  },
  { rule: "sdk-only-in-client", file: "packages/channel-telegram/src/outbound/seed-sdk.ts", code: call("grammy") },
  { rule: "no-unlisted", file: "packages/channel-telegram/src/seed-unlisted.ts", code: call("left-pad") },
  { rule: "no-unresolvable", file: "packages/adapter-kit/src/seed-nowhere.ts", code: take("./nowhere.ts") },
  { rule: "e2e-by-contract", file: "apps/gateway/test/seed.e2e.test.ts", code: take("../src/index.ts") },
  { rule: "no-dev-dependency", file: "packages/channel-testkit/src/seed-dev.ts", code: call("dev-only") },
];

const kernelUses = (rule: string, name: string, expression: string): Seed => ({
  rule,
  file: `packages/turn-kernel/src/seed-${name}.ts`,
  code: `export const taken: unknown = ${expression};\n`,
});

const lintSeeds: readonly Seed[] = [
  ...rowSeeds,
  {
    rule: "kernel-imports-nothing",
    file: "packages/turn-kernel/src/seed-node.ts",
    code: 'export { join } from "node:path";\n',
  },
  kernelUses("kernel-is-deterministic", "now", "Date.now()"),
  kernelUses("kernel-is-deterministic", "date", "new Date(0)"),
  kernelUses("kernel-is-deterministic", "random", "Math.random()"),
  kernelUses("kernel-has-no-timers", "timer", "setTimeout(() => {}, 1)"),
  kernelUses("kernel-has-no-timers", "interval", "setInterval(() => {}, 1)"),
  {
    rule: "ports-take-types",
    file: "packages/turn-ports/src/seed-value.ts",
    code: 'import { createTurnKernel } from "@turnwire/turn-kernel";\nexport const taken: unknown = createTurnKernel;\n',
  },
  {
    rule: "ports-import-kernel-only",
    file: "packages/turn-ports/src/seed-node.ts",
    code: 'export { join } from "node:path";\n',
  },
  { rule: "own-index", file: "packages/turn-runtime/src/seed-index.ts", code: take("./index.ts") },
  {
    rule: "no-relative-package",
    file: "packages/channel-telegram/src/seed-relative.ts",
    code: take("../../channel-twin/src/index.ts"),
  },
  {
    rule: "no-process-env",
    file: "packages/adapter-kit/src/seed-env.ts",
    code: "export const taken: unknown = process.env;\n",
  },
  {
    rule: "no-process-env",
    file: "apps/gateway/src/seed-env.ts",
    code: "export const taken: unknown = process.env;\n",
  },
  {
    rule: "env-in-one-place",
    file: "packages/store-sqlite/src/seed-env.ts",
    code: 'import { env } from "node:process";\nexport const taken: unknown = env;\n',
  },
  { rule: "no-explicit-any", file: "packages/turn-ports/src/seed-any.ts", code: "export type Taken = any;\n" },
  {
    rule: "no-console",
    file: "packages/turn-runtime/src/seed-console.ts",
    code: 'console.log("taken");\nexport const taken = 1;\n',
  },
  {
    rule: "max-lines",
    file: "packages/turn-runtime/src/seed-long.ts",
    code: `export const taken = 1;\n${"\n".repeat(400)}`,
  },
  {
    rule: "no-cycle",
    file: "packages/turn-runtime/src/seed-cycle-a.ts",
    code: 'import { b } from "./seed-cycle-b.ts";\nexport const a: () => number = () => b();\n',
  },
  {
    rule: "no-floating-promises",
    file: "packages/turn-runtime/src/seed-floating.ts",
    code: "export function taken(): void {\n  Promise.resolve(1);\n}\n",
  },
  {
    rule: "switch-exhaustiveness-check",
    file: "packages/turn-kernel/src/seed-switch.ts",
    code: 'export function taken(kind: "a" | "b"): number {\n  switch (kind) {\n    case "a":\n      return 1;\n  }\n  return 2;\n}\n',
  },
  {
    rule: "no-focused-tests",
    file: "packages/turn-kernel/src/seed.test.ts",
    code: 'import { expect, it } from "vitest";\nit.only("one", () => {\n  expect(1).toBe(1);\n});\n',
  },
];

/** A package that lists what its row forbids. turbo looks at manifests, so no import is needed. */
const manifestSeeds = [
  { folder: "packages/turn-kernel", name: "@turnwire/platform-sim" },
  { folder: "packages/turn-ports", name: "@turnwire/store-twin" },
  { folder: "packages/adapter-kit", name: "@turnwire/store-sqlite" },
  { folder: "packages/agent-runners", name: "@turnwire/adapter-kit" },
  { folder: "packages/turn-runtime", name: "@turnwire/channel-twin" },
  { folder: "packages/store-sqlite", name: "@turnwire/store-twin" },
  { folder: "packages/channel-telegram", name: "@turnwire/channel-twin" },
  { folder: "packages/channel-twin", name: "@turnwire/store-sqlite" },
  { folder: "packages/channel-testkit", name: "@turnwire/store-twin" },
  { folder: "apps/console", name: "@turnwire/turn-ports" },
] as const;

/** Other halves of seeds that need two files, and what every row allows: nothing here may be reported. */
const innocent: Readonly<Record<string, string>> = {
  "packages/turn-ports/src/seed-cycle-b.ts":
    'import type { A } from "./seed-cycle-a.ts";\nexport interface B {\n  readonly a?: A;\n}\n',
  "packages/turn-runtime/src/seed-cycle-b.ts":
    'import { a } from "./seed-cycle-a.ts";\nexport const b: () => number = () => a();\n',
  "packages/turn-runtime/src/folder/index.ts": "export interface Thing {\n  readonly id: string;\n}\n",
  "packages/turn-ports/src/legal.ts": take("@turnwire/turn-kernel"),
  "packages/turn-ports/src/legal-error.ts": 'export { TurnwireError } from "@turnwire/turn-kernel";\n',
  "packages/adapter-kit/src/legal.ts": `${take("@turnwire/turn-kernel")}export type { Thing } from "@turnwire/turn-ports";\nexport { join } from "node:path";\n`,
  "packages/agent-runners/src/legal.ts": `${take("@turnwire/turn-kernel")}export type { Thing } from "@turnwire/turn-ports";\n`,
  "packages/turn-runtime/src/legal.ts": `${take("@turnwire/turn-kernel")}export type { Thing } from "@turnwire/adapter-kit";\n`,
  "packages/turn-runtime/src/legal.test.ts": take("@turnwire/store-sqlite"),
  "packages/store-sqlite/src/legal.ts": take("@turnwire/turn-ports"),
  "packages/channel-telegram/src/legal.ts": `${take("@turnwire/turn-kernel")}export type { Thing } from "@turnwire/adapter-kit";\n`,
  "packages/channel-telegram/src/client.ts": call("grammy"),
  "packages/channel-telegram/src/legal.test.ts": `${take("@turnwire/platform-sim")}export type { Thing } from "@turnwire/channel-testkit";\n`,
  "packages/channel-testkit/src/legal.ts": `${take("@turnwire/turn-kernel")}export type { Thing } from "@turnwire/platform-sim";\n`,
  "apps/gateway/src/legal.ts": `${take("@turnwire/channel-telegram")}export type { Thing } from "@turnwire/store-sqlite";\n`,
  "apps/gateway/src/env.ts": "export const environment: unknown = process.env;\n",
  "node_modules/dev-only/package.json":
    '{ "name": "dev-only", "version": "1.0.0", "type": "module", "main": "index.js" }',
  "node_modules/dev-only/index.js": "export const value = 1;\n",
};

function run(command: string, args: readonly string[], cwd: string): Promise<{ code: number; text: string }> {
  return new Promise((done) => {
    execFile(command, [...args], { cwd, maxBuffer: 64 << 20 }, (error, stdout, stderr) => {
      done({ code: error === null ? 0 : Number(error.code ?? 1), text: `${stdout}\n${stderr}` });
    });
  });
}

interface OxlintReply {
  readonly diagnostics: readonly {
    readonly code?: string;
    readonly help?: string;
    readonly message: string;
    readonly filename: string;
  }[];
}

/** The rule's own name, or for a restriction the name that the configuration gives it in its message. */
function ruleOf(diagnostic: OxlintReply["diagnostics"][number]): string {
  const own = /\(([^)]+)\)/.exec(diagnostic.code ?? "")?.[1] ?? diagnostic.message;
  if (!own.startsWith("no-restricted-")) return own;
  return (
    /^([a-z]+(?:-[a-z0-9]+)+)/.exec(diagnostic.help ?? "")?.[1] ??
    /\b([a-z]+(?:-[a-z0-9]+){2,})/.exec(diagnostic.message)?.[1] ??
    own
  );
}

async function lint(cwd: string, files: readonly string[]): Promise<Findings> {
  const { text } = await run(bin("oxlint"), ["-f", "json", ...files], cwd);
  const { diagnostics } = JSON.parse(text.slice(text.indexOf("{"))) as OxlintReply;
  const found = new Map<string, string[]>();
  for (const diagnostic of diagnostics) {
    found.set(diagnostic.filename, [...(found.get(diagnostic.filename) ?? []), ruleOf(diagnostic)]);
  }
  return found;
}

/** `package -> dependency` pairs that turbo refuses; its report wraps lines, so they are joined first. */
function boundaryPairs(report: string): string[] {
  const flat = report.replaceAll(/\s*\n\s*\|?\s*/g, " ");
  const refused = /Package `([^`]+)` found without any tag listed in allowlist for `([^`]+)`/g;
  return [...flat.matchAll(refused)].map(([, dependency, name]) => `${name} -> ${dependency}`);
}

describe("import rules, each with one seeded violation", { timeout: 60_000 }, () => {
  let workspace: SeededWorkspace;
  let cruised: ImportReport;
  let linted: Findings;
  let compiled: string;
  let bounded: string;

  beforeAll(async () => {
    workspace = createSeededWorkspace();
    const seeds = [...cruiseSeeds, ...lintSeeds];
    workspace.write({ ...innocent, ...Object.fromEntries(seeds.map(({ file, code }) => [file, code])) });
    workspace.listDev("packages/channel-testkit", "dev-only");
    const files = [...seeds.map(({ file }) => file), ...Object.keys(innocent)].filter((file) => file.endsWith(".ts"));
    cruised = await checkImports(workspace.path);
    linted = await lint(workspace.path, files);
    compiled = (await run(bin("tsc"), ["--noEmit", "-p", "packages/turn-kernel/tsconfig.json"], workspace.path)).text;
    for (const { folder, name } of manifestSeeds) workspace.depend(folder, [name]);
    bounded = (await run(bin("turbo"), ["boundaries", "--cwd", workspace.path, "--no-color"], workspace.path)).text;
  }, 60_000);

  afterAll(() => workspace.remove());

  it.each(importTable.map(({ rule }) => rule))("%s has a seed", (rule) => {
    expect(cruiseSeeds.map((seed) => seed.rule)).toContain(rule);
  });

  it.each(cruiseSeeds)("dependency-cruiser: $rule in $file", ({ rule, file }) => {
    expect(cruised.violations.filter(({ from }) => from === file).map((violation) => violation.rule)).toContain(rule);
  });

  it.each(lintSeeds)("oxlint: $rule in $file", ({ rule, file }) => {
    expect(linted.get(file) ?? []).toContain(rule);
  });

  it.each(["seed-timer", "seed-interval", "seed-node"])("the kernel's tsconfig refuses %s", (name) => {
    expect(compiled).toContain(`packages/turn-kernel/src/${name}.ts`);
  });

  it.each(manifestSeeds)("turbo boundaries: $folder lists $name", ({ folder, name }) => {
    expect(boundaryPairs(bounded)).toContain(`@turnwire/${folder.slice(folder.indexOf("/") + 1)} -> ${name}`);
  });

  it("turbo boundaries: an import by path leaves its package", () => {
    expect(bounded).toMatch(/import `\.\.\/\.\.\/channel-twin\/src\/index\.ts` leaves the package/);
  });

  it("reports nothing about the legal imports of every row", () => {
    const legal = Object.keys(innocent).filter((file) => /\/(legal|client|env)/.test(file));
    expect(cruised.violations.filter(({ from }) => legal.includes(from))).toEqual([]);
    expect(legal.flatMap((file) => (linted.get(file) ?? []).filter((rule) => rule.includes("import")))).toEqual([]);
    expect(linted.get("apps/gateway/src/env.ts") ?? []).toEqual([]);
  });

  it("sees every file of the seeded workspace", () => {
    expect(cruised.unseen).toEqual([]);
    expect(cruised.moduleCount).toBeGreaterThan(cruiseSeeds.length);
  });
});

describe("the working tree", { timeout: 60_000 }, () => {
  it("has no violation that dependency-cruiser can see", async () => {
    const { violations, unseen, moduleCount } = await checkImports(root);
    expect(violations).toEqual([]);
    expect(unseen).toEqual([]);
    expect(moduleCount).toBeGreaterThan(0);
  });

  it("passes turbo boundaries", async () => {
    const { code, text } = await run(bin("turbo"), ["boundaries", "--cwd", root, "--no-color"], root);
    expect({ code, last: text.match(/Checked .*/)?.[0] }).toEqual({
      code: 0,
      last: expect.stringMatching(/ no issues found$/),
    });
  });
});
