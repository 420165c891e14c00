import type { ICruiseOptions, IForbiddenRuleType } from "dependency-cruiser";
import { importTable, testFiles } from "./import-table.ts";

const ours = "^(packages|apps|bench|examples)/";

/** Two rules a row: one for the source, a wider one for its tests. */
const rows = importTable.flatMap(({ rule, from, may, testsMay = [] }): IForbiddenRuleType[] => {
  const allowed = (folders: readonly string[]): string[] => folders.map((folder) => `^${folder}/`);
  return [
    {
      name: rule,
      severity: "error",
      from: { path: `^(${from})/`, pathNot: testFiles },
      to: { path: ours, pathNot: ["^$1/", ...allowed(may)] },
    },
    {
      name: `${rule} (tests)`,
      severity: "error",
      from: { path: `^(${from})/.*(${testFiles.replaceAll("^(packages|apps)/[^/]+/", "")})` },
      to: { path: ours, pathNot: ["^$1/", ...allowed([...may, ...testsMay])] },
    },
  ];
});

/** What must not be, beside the table's rows: each with the reason a reader of the report needs. */
export const forbidden: IForbiddenRuleType[] = [
  ...rows,
  {
    name: "kernel-imports-no-library",
    comment: "The kernel has no dependency and no Node API.",
    severity: "error",
    from: { path: "^packages/turn-kernel/src/", pathNot: testFiles },
    to: { pathNot: ours },
  },
  {
    name: "no-cycle",
    comment: "Types included: a cycle of types is two files that should be three.",
    severity: "error",
    from: {},
    to: { circular: true },
  },
  {
    name: "own-index",
    comment: "A file imports what it needs by its own name; index.ts is for other packages. Its own test may.",
    severity: "error",
    from: { path: "^((packages|apps)/[^/]+)/", pathNot: "/index\\.test(-d)?\\.ts$" },
    to: { path: "^$1/src/index\\.ts$" },
  },
  {
    name: "no-barrel",
    comment: "src/index.ts is a package's only barrel.",
    severity: "error",
    from: {},
    to: { path: "^(packages|apps)/[^/]+/src/.+/index\\.tsx?$" },
  },
  {
    name: "no-relative-package",
    comment: "Another package is imported by its name, never by a path.",
    severity: "error",
    from: { path: "^((packages|apps)/[^/]+|bench|examples)/" },
    to: { path: ours, pathNot: "^$1/", dependencyTypes: ["local"] },
  },
  {
    name: "sdk-only-in-client",
    comment: "One narrow file speaks to the platform's SDK; the others may take its types.",
    severity: "error",
    from: { path: "^packages/channel-(?!testkit)[^/]+/src/", pathNot: [testFiles, "/src/client\\.ts$"] },
    to: {
      path: "node_modules/(grammy|@grammyjs|@slack|discord\\.js|@discordjs|matrix-js-sdk)/",
      dependencyTypesNot: ["type-only"],
    },
  },
  {
    name: "e2e-by-contract",
    comment: "End-to-end suites drive the gateway as a process.",
    severity: "error",
    from: { path: "\\.e2e\\.test\\.ts$" },
    to: { path: "^apps/gateway/src/" },
  },
  {
    name: "no-unresolvable",
    comment: "What a tool could not resolve, it could not check.",
    severity: "error",
    from: {},
    to: { couldNotResolve: true },
  },
  {
    name: "no-unlisted",
    comment: "Every package lists what its source imports; the test tools are the root's.",
    severity: "error",
    from: { path: "^(packages|apps)/", pathNot: [testFiles, "/[^/]+\\.config\\.ts$"] },
    to: { dependencyTypes: ["npm-no-pkg", "npm-unknown"] },
  },
  {
    name: "no-dev-dependency",
    comment: "The build bundles what only devDependencies list, so a published package would carry a copy.",
    severity: "error",
    from: { path: "^(packages/[^/]+|apps/gateway)/src/", pathNot: testFiles },
    to: { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["type-only", "npm", "npm-peer"] },
  },
];

export const options: ICruiseOptions = {
  doNotFollow: { path: "node_modules" },
  exclude: { path: "(^|/)(dist|\\.types|\\.turbo)/" },
  tsPreCompilationDeps: true,
  combinedDependencies: false,
  validate: true,
  enhancedResolveOptions: {
    // Without the source condition an import of a sibling package would resolve to its build, or not at all.
    conditionNames: ["@turnwire/source", "import", "node", "types", "default"],
    exportsFields: ["exports"],
    extensions: [".ts", ".tsx", ".mts", ".js", ".mjs", ".cjs", ".json"],
  },
};
