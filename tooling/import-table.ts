/** One row of "Who may import whom" (docs/architecture.md). */
export interface ImportRow {
  /** Name of the rule, as the tools report it. */
  readonly rule: string;
  /** Folders that the row speaks about, as a regular expression over paths from the repository's root. */
  readonly from: string;
  /** Workspace folders whose published surface may be imported, as regular expressions. */
  readonly may: readonly string[];
  /** The row's tests may also use these (contract suites, simulators, the real store). */
  readonly testsMay?: readonly string[] | undefined;
}

const kernel = "packages/turn-kernel";
const ports = "packages/turn-ports";
const kit = "packages/adapter-kit";
const sim = "packages/platform-sim";
const runners = "packages/agent-runners";
const testkit = "packages/channel-testkit";
const store = "packages/store-[^/]+";

/** Real adapters only: the contract suites' package shares their prefix. */
const channel = "packages/channel-(?!testkit)[^/]+";

/**
 * The architecture's import rules as data. dependency-cruiser's rules are made of it, and the test over every
 * package.json reads it; .oxlintrc.json and turbo.json say the same in their own words, and
 * import-rules.test.ts seeds a violation of every row and wants it caught.
 * `chaos`, `bench` and `examples` import what they like, and so have no row.
 */
export const importTable: readonly ImportRow[] = [
  { rule: "kernel-imports-nothing", from: kernel, may: [] },
  { rule: "ports-import-kernel-only", from: ports, may: [kernel] },
  { rule: "kit-imports-kernel-and-ports", from: kit, may: [kernel, ports] },
  { rule: "runners-import-kernel-and-ports", from: runners, may: [kernel, ports] },
  {
    rule: "runtime-imports-kernel-kit-ports",
    from: "packages/turn-runtime",
    may: [kernel, ports, kit],
    testsMay: [runners, store, testkit, sim],
  },
  { rule: "store-imports-ports", from: store, may: [ports], testsMay: [kernel, testkit] },
  {
    rule: "channel-imports-kernel-ports-kit",
    from: channel,
    may: [kernel, ports, kit],
    testsMay: [testkit, sim],
  },
  { rule: "sim-imports-none-of-ours", from: sim, may: [] },
  { rule: "testkit-imports-kernel-ports-kit-sim", from: testkit, may: [kernel, ports, kit, sim] },
  { rule: "console-imports-none-of-ours", from: "apps/console", may: [] },
  { rule: "nobody-imports-the-gateway", from: "packages/(?!chaos)[^/]+", may: ["packages/[^/]+"] },
];

/** Test files and what stands in a package's test folder, in the tools' path notation. */
export const testFiles = String.raw`(\.test(-d)?\.tsx?$|^(packages|apps)/[^/]+/test/)`;
