import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

/** Paths that git tracks or would track, from the repository's root; files that were deleted but not committed are left out. */
export function committedFiles(root: string): readonly string[] {
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 16 << 20,
  });
  return [...new Set(listed.split("\0"))].filter((file) => file !== "" && existsSync(join(root, file))).toSorted();
}
