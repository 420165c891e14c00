import { globSync } from "node:fs";
import { resolve } from "node:path";
import { cruise } from "dependency-cruiser";
import extractTSConfig from "dependency-cruiser/config-utl/extract-ts-config";
import { forbidden, options } from "./dependency-cruiser.ts";

/** What dependency-cruiser found in one working tree. */
export interface ImportReport {
  readonly moduleCount: number;
  /** `rule: from -> to`, sorted. */
  readonly violations: readonly { readonly rule: string; readonly from: string; readonly to: string }[];
  /** Source files that exist and that the tool did not see: it would call them clean. */
  readonly unseen: readonly string[];
}

/**
 * Runs the import rules over `packages` and `apps` below a root.
 * A cruise that saw nothing passes every rule, so the files that it should have seen are counted beside it.
 */
export async function checkImports(root: string): Promise<ImportReport> {
  const reply = await cruise(["packages", "apps"], { ...options, baseDir: root, ruleSet: { forbidden } }, undefined, {
    tsConfig: extractTSConfig(resolve(root, "tsconfig.base.json")),
  });
  if (typeof reply.output === "string") throw new Error("dependency-cruiser answered with text instead of a result");
  const { modules, summary } = reply.output;
  const seen = new Set(modules.map((module) => module.source));
  const present = globSync("{packages,apps}/*/src/**/*.{ts,tsx}", {
    cwd: root,
    exclude: (name) => name.endsWith(".d.ts"),
  });
  return {
    moduleCount: modules.filter((module) => !module.source.includes("node_modules")).length,
    violations: summary.violations
      .map(({ rule, from, to }) => ({ rule: rule.name, from, to }))
      .toSorted((a, b) => `${a.rule}${a.from}`.localeCompare(`${b.rule}${b.from}`)),
    unseen: present.filter((file) => !seen.has(file)),
  };
}

if (import.meta.main) {
  const { moduleCount, violations, unseen } = await checkImports(resolve(import.meta.dirname, ".."));
  for (const { rule, from, to } of violations) console.error(`${rule}: ${from} -> ${to}`);
  for (const file of unseen) console.error(`not seen by dependency-cruiser: ${file}`);
  if (moduleCount === 0) console.error("dependency-cruiser saw no module at all");
  console.log(`imports: ${moduleCount} modules, ${violations.length} violations`);
  process.exitCode = violations.length + unseen.length > 0 || moduleCount === 0 ? 1 : 0;
}
