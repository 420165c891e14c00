import { createRequire } from "node:module";
import { dirname } from "node:path";
import { realpathSync } from "node:fs";

/** Packages of which one copy may be loaded: the webhook proofs and the marker of errors depend on it. */
const SINGLE_PACKAGES = ["@turnwire/turn-kernel", "@turnwire/turn-ports", "@turnwire/adapter-kit"] as const;

/** Packages that load them beside the gateway itself. */
const DEPENDENTS = [
  "@turnwire/turn-runtime",
  "@turnwire/channel-telegram",
  "@turnwire/store-sqlite",
  "@turnwire/agent-runners",
] as const;

function resolveFrom(from: string, name: string): string | null {
  try {
    return realpathSync(dirname(createRequire(from).resolve(name)));
  } catch {
    return null;
  }
}

/** One sentence for each package that is installed twice, naming both places; empty when all is well. `plugins` are checked too. */
export function duplicatePackages(plugins: readonly string[] = []): readonly string[] {
  const here = import.meta.url;
  const findings: string[] = [];
  for (const name of SINGLE_PACKAGES) {
    const own = resolveFrom(here, name);
    for (const dependent of [...DEPENDENTS, ...plugins]) {
      const entry = (() => {
        try {
          return createRequire(here).resolve(dependent);
        } catch {
          return null;
        }
      })();
      const other = entry === null ? null : resolveFrom(entry, name);
      if (own !== null && other !== null && own !== other) {
        findings.push(
          `There are two copies of ${name}, ${own} and ${other} (used by ${dependent}); install versions that share one, for example with "npm dedupe".`,
        );
      }
    }
  }
  return findings;
}
