import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

type Versions = Readonly<Record<string, string>>;
type Exports = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The fields of a package.json that the repository has rules about. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean | undefined;
  readonly description?: string | undefined;
  readonly license?: string | undefined;
  readonly type?: string | undefined;
  readonly sideEffects?: boolean | undefined;
  readonly repository?: { readonly type: string; readonly url: string; readonly directory: string } | undefined;
  readonly engines?: Versions | undefined;
  readonly files?: readonly string[] | undefined;
  readonly bin?: Versions | undefined;
  readonly exports?: Exports | undefined;
  readonly publishConfig?:
    | { readonly access: string; readonly provenance: boolean; readonly exports: Exports }
    | undefined;
  readonly dependencies?: Versions | undefined;
  readonly devDependencies?: Versions | undefined;
  readonly peerDependencies?: Versions | undefined;
}

export interface WorkspacePackage {
  /** From the repository's root, as in `packages/turn-kernel`. */
  readonly folder: string;
  readonly manifest: Manifest;
}

/** Every package of the workspace, sorted by folder. */
export function workspacePackages(root: string): readonly WorkspacePackage[] {
  return globSync("{packages/*,apps/*,bench,examples}/package.json", { cwd: root })
    .toSorted()
    .map((file) => ({
      folder: dirname(file),
      manifest: JSON.parse(readFileSync(join(root, file), "utf8")) as Manifest,
    }));
}
