import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { Extractor, ExtractorConfig } from "@microsoft/api-extractor";
import { expect, it } from "vitest";

const folder = resolve(import.meta.dirname, "..");

/** The report of the source as it stands: its declarations, emitted beside nothing else. */
function reportOf(temporary: string): string {
  const compiler = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc");
  const flags = ["--outDir", temporary, "--tsBuildInfoFile", join(temporary, "buildinfo")];
  execFileSync(process.execPath, [compiler, "-p", join(folder, "tsconfig.json"), ...flags]);
  const file = join(folder, "api-extractor.json");
  const configObject = ExtractorConfig.loadFile(file);
  const { apiReport } = configObject;
  if (apiReport === undefined) throw new Error("api-extractor.json asks for no report");
  const extractorConfig = ExtractorConfig.prepare({
    configObject: {
      ...configObject,
      mainEntryPointFilePath: join(temporary, "index.d.ts"),
      apiReport: { ...apiReport, reportFolder: temporary, reportTempFolder: join(temporary, "report") },
    },
    configObjectFullPath: file,
    packageJsonFullPath: join(folder, "package.json"),
  });
  Extractor.invoke(extractorConfig, { localBuild: true, messageCallback: (message) => (message.handled = true) });
  return readFileSync(join(temporary, "turn-kernel.api.md"), "utf8");
}

it("the public types are those of etc/turn-kernel.api.md; after a wanted change: pnpm run api-report", () => {
  const temporary = mkdtempSync(join(tmpdir(), "turn-kernel-api-"));
  try {
    const committed = readFileSync(join(folder, "etc/turn-kernel.api.md"), "utf8");
    expect(committed).toBe(reportOf(temporary));
    expect(committed).toContain("export function createTurnKernel(");
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}, 60_000);
