import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");

/** Files by their path from the workspace's root. */
export type SeededFiles = Readonly<Record<string, string>>;

/** A copy of this repository's frame (configuration and manifests, no source) in a temporary folder. */
export interface SeededWorkspace {
  readonly path: string;
  /** Writes more files into it. */
  readonly write: (files: SeededFiles) => void;
  /** Adds entries to one package's `dependencies`. */
  readonly depend: (folder: string, names: readonly string[]) => void;
  /** Adds an npm package to one package's `devDependencies`. */
  readonly listDev: (folder: string, name: string) => void;
  readonly remove: () => void;
}

const rootFiles = [
  ".oxlintrc.json",
  "package.json",
  "pnpm-lock.yaml",
  "pnpm-workspace.yaml",
  "tsconfig.base.json",
  "turbo.json",
];
const packageFiles = ["package.json", "tsconfig.json", "tsconfig.test.json", "turbo.json"];

/** Packages that stand for the second of their kind, so that "never another channel" has another channel. */
const twins: Readonly<Record<string, string>> = {
  "packages/channel-twin": "packages/channel-telegram",
  "packages/store-twin": "packages/store-sqlite",
};

const workspaceFolders = (): string[] =>
  ["packages", "apps"].flatMap((parent) => readdirSync(join(root, parent)).map((name) => `${parent}/${name}`));

function copyPackage(path: string, folder: string, from: string): void {
  for (const file of packageFiles) {
    const text = readIfPresent(join(root, from, file));
    if (text === undefined) continue;
    const name = folder.slice(folder.indexOf("/") + 1);
    const original = from.slice(from.indexOf("/") + 1);
    writeInto(path, { [`${folder}/${file}`]: text.replaceAll(`${original}"`, `${name}"`) });
  }
  writeInto(path, { [`${folder}/src/index.ts`]: "export interface Thing {\n  readonly id: string;\n}\n" });
}

function readIfPresent(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

function writeInto(path: string, files: SeededFiles): void {
  for (const [file, text] of Object.entries(files)) {
    const target = join(path, file);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
}

function extendManifest(path: string, folder: string, added: Readonly<Record<string, Record<string, string>>>): void {
  const file = `${folder}/package.json`;
  const manifest = JSON.parse(readFileSync(join(path, file), "utf8")) as Record<string, Record<string, string>>;
  for (const [field, entries] of Object.entries(added)) manifest[field] = { ...manifest[field], ...entries };
  writeInto(path, { [file]: JSON.stringify(manifest, null, 2) });
}

/** Builds the copy. The npm packages that seeds import are empty stand-ins; siblings are linked as pnpm links them. */
export function createSeededWorkspace(): SeededWorkspace {
  const path = mkdtempSync(join(tmpdir(), "turnwire-seeded-"));
  for (const file of rootFiles) cpSync(join(root, file), join(path, file));
  const folders = workspaceFolders();
  for (const folder of folders) copyPackage(path, folder, folder);
  for (const [folder, from] of Object.entries(twins)) copyPackage(path, folder, from);

  mkdirSync(join(path, "node_modules/@turnwire"), { recursive: true });
  for (const folder of [...folders, ...Object.keys(twins)]) {
    const name = folder.slice(folder.indexOf("/") + 1);
    symlinkSync(join(path, folder), join(path, "node_modules/@turnwire", name));
  }
  mkdirSync(join(path, "node_modules/@types"));
  symlinkSync(realpathSync(join(root, "node_modules/@types/node")), join(path, "node_modules/@types/node"));
  for (const name of ["grammy", "left-pad"]) {
    writeInto(path, {
      [`node_modules/${name}/package.json`]: JSON.stringify({
        name,
        version: "1.0.0",
        type: "module",
        main: "index.js",
      }),
      [`node_modules/${name}/index.js`]: "export const value = 1;\n",
      [`node_modules/${name}/index.d.ts`]: "export declare const value: number;\n",
    });
  }
  return {
    path,
    write: (files) => writeInto(path, files),
    depend: (folder, names) =>
      extendManifest(path, folder, { dependencies: Object.fromEntries(names.map((name) => [name, "workspace:^"])) }),
    listDev: (folder, name) => extendManifest(path, folder, { devDependencies: { [name]: "1.0.0" } }),
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}
