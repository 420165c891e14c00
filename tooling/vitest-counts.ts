import { relative } from "node:path";

/** What a check adds to the summary line; `skipped` has one line a file, for a person. */
export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: readonly string[];
}

interface VitestFile {
  readonly name: string;
  readonly status: string;
  readonly message?: string | undefined;
  readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
}

function isReport(report: unknown): report is { readonly testResults: readonly VitestFile[] } {
  return typeof report === "object" && report !== null && "testResults" in report && Array.isArray(report.testResults);
}

/**
 * Counts vitest's JSON report. A file that could not even be loaded has no test and counts as one failure, and so does
 * a run that left no report, found no test, or failed for a reason outside of any test (an unhandled rejection).
 */
export function countVitest(report: unknown, exitCode: number, root: string): TestCounts {
  if (!isReport(report)) return { passed: 0, failed: 1, skipped: [] };
  const count = (status: string): number =>
    report.testResults.reduce(
      (sum, file) => sum + file.assertionResults.filter((test) => test.status === status).length,
      0,
    );
  const unloaded = report.testResults.filter(
    (file) => file.status === "failed" && file.assertionResults.every((test) => test.status !== "failed"),
  ).length;
  const passed = count("passed");
  const failed = count("failed") + unloaded;
  const outside = (exitCode !== 0 && failed === 0) || passed + failed === 0 ? 1 : 0;
  return { passed, failed: failed + outside, skipped: report.testResults.flatMap((file) => skippedIn(file, root)) };
}

function skippedIn(file: VitestFile, root: string): string[] {
  const tests = file.assertionResults.filter(({ status }) => status !== "passed" && status !== "failed");
  const [first] = tests;
  if (first === undefined) return [];
  const more = tests.length === 1 ? "" : ` and ${tests.length - 1} more`;
  return [`${relative(root, file.name)}: ${first.fullName}${more}`];
}
