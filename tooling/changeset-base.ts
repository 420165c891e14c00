import { execFileSync } from "node:child_process";

/** The commit that `changeset status` compares with, or why there is none. */
export type ChangesetBase =
  | { readonly ref: string; readonly reason?: undefined }
  | { readonly ref?: undefined; readonly reason: string };

/** The base is `origin/main`, where it exists and the work differs from it. */
export function changesetBase(root: string): ChangesetBase {
  const git = (...args: string[]): string | undefined => {
    try {
      return execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
    } catch {
      // No git, no repository or no such ref: each means that there is nothing to compare with.
      return undefined;
    }
  };
  const ref = "origin/main";
  const base = git("rev-parse", "--verify", "--quiet", `${ref}^{commit}`);
  if (base === undefined) return { reason: `there is no ${ref} to compare with` };
  if (base === git("rev-parse", "HEAD")) return { reason: `nothing was committed since ${ref}` };
  return { ref };
}
