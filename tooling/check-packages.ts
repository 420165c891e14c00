import { execFile } from "node:child_process";
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { packageManager: string };

/** One command, its output kept for the case that it fails. */
function run(file: string, args: readonly string[], cwd = root): Promise<{ ok: boolean; output: string }> {
  return new Promise((done) => {
    execFile(file, [...args], { cwd, maxBuffer: 16 << 20 }, (error, stdout, stderr) => {
      done({ ok: error === null, output: `${stdout}${stderr}` });
    });
  });
}

const published = globSync("{packages,apps}/*/package.json", { cwd: root })
  .filter((file) => {
    const manifest = JSON.parse(readFileSync(join(root, file), "utf8")) as { private?: boolean };
    return manifest.private !== true;
  })
  .map((file) => dirname(file))
  .toSorted();

const into = mkdtempSync(join(tmpdir(), "turnwire-packed-"));
const problems: string[] = [];
try {
  // What users get is the tarball: publishConfig replaces the exports only in there.
  for (const folder of published) {
    const packed = await run("npx", ["-y", packageManager, "pack", "--pack-destination", into], join(root, folder));
    if (!packed.ok) problems.push(`${folder} could not be packed:\n${packed.output}`);
  }
  for (const tarball of readdirSync(into).toSorted()) {
    const file = join(into, tarball);
    const lint = await run("publint", ["run", file, "--strict"]);
    if (!lint.ok) problems.push(`publint ${tarball}:\n${lint.output}`);
    const types = await run("attw", [file, "--profile", "esm-only", "--no-color", "--no-emoji"]);
    if (!types.ok) problems.push(`attw ${tarball}:\n${types.output}`);
  }
} finally {
  rmSync(into, { recursive: true, force: true });
}

for (const problem of problems) console.error(problem);
if (published.length === 0) console.error("No package to publish was found.");
console.log(`packed packages: ${published.length} packed, ${problems.length} problems`);
process.exitCode = problems.length === 0 && published.length > 0 ? 0 : 1;
