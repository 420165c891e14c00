import { describe, expect, it } from "vitest";
import { countVitest } from "./vitest-counts.ts";

const file = (status: string, ...tests: readonly string[]): object => ({
  name: "/repo/packages/a/src/a.test.ts",
  status,
  assertionResults: tests.map((test, index) => ({ status: test, fullName: `case ${index}` })),
});

const counted = (exitCode: number, ...testResults: readonly object[]): object => {
  const { passed, failed } = countVitest({ testResults }, exitCode, "/repo");
  return { passed, failed };
};

describe("counts of a vitest report", () => {
  it.each([
    {
      what: "passes and failures",
      exit: 1,
      files: [file("failed", "passed", "failed", "passed")],
      passed: 2,
      failed: 1,
    },
    {
      what: "a file that could not be loaded",
      exit: 1,
      files: [file("failed"), file("passed", "passed")],
      passed: 1,
      failed: 1,
    },
    { what: "a failure outside of any test", exit: 1, files: [file("passed", "passed")], passed: 1, failed: 1 },
    { what: "a run that found no test", exit: 0, files: [], passed: 0, failed: 1 },
    { what: "nothing but skipped tests", exit: 0, files: [file("passed", "pending")], passed: 0, failed: 1 },
    { what: "a clean run", exit: 0, files: [file("passed", "passed", "pending")], passed: 1, failed: 0 },
  ])("$what", ({ exit, files, passed, failed }) => {
    expect(counted(exit, ...files)).toEqual({ passed, failed });
  });

  it.each([undefined, null, {}, { testResults: 3 }])("a missing or broken report (%j) is a failure", (report) => {
    expect(countVitest(report, 0, "/repo")).toEqual({ passed: 0, failed: 1, skipped: [] });
  });

  it("names what was skipped, one line a file", () => {
    const { skipped } = countVitest(
      { testResults: [file("passed", "passed", "pending", "skipped", "todo")] },
      0,
      "/repo",
    );
    expect(skipped).toEqual(["packages/a/src/a.test.ts: case 1 and 2 more"]);
  });
});
