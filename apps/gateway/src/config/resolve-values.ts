import { readFileSync } from "node:fs";
import { resolve } from "node:path";

import type { ConfigProblem } from "./config-problem.ts";
import { pathText } from "./schema-problems.ts";

/** Keys whose `{ file }` names a file that is used as such, not read in place of the value. */
const FILE_KEYS: ReadonlySet<string> = new Set(["secretsKey"]);

/** What resolving needs from outside. */
export interface ResolveContext {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Folder that relative `{ file }` paths start from: the config file's own. */
  readonly directory: string;
}

function isFileReference(value: object): value is { readonly file: string } {
  const keys = Object.keys(value);
  return keys.length === 1 && keys[0] === "file" && typeof Reflect.get(value, "file") === "string";
}

/**
 * Replaces `${NAME}` in every string from the environment and `{ file: "path" }` by the file's content without its last line end.
 * A missing variable or unreadable file is a problem that names the key; the rest is resolved all the same, so that all problems show at once.
 */
export function resolveValues(
  value: unknown,
  context: ResolveContext,
): { readonly value: unknown; readonly problems: readonly ConfigProblem[] } {
  const problems: ConfigProblem[] = [];

  const visit = (node: unknown, path: readonly PropertyKey[]): unknown => {
    if (typeof node === "string") {
      return node.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (whole, name: string) => {
        const found = context.environment[name];
        if (found === undefined) {
          problems.push({ path: pathText(path), message: `needs the environment variable ${name}, which is not set` });
          return whole;
        }
        return found;
      });
    }
    if (Array.isArray(node)) return node.map((item: unknown, index) => visit(item, [...path, index]));
    if (typeof node !== "object" || node === null) return node;
    if (isFileReference(node) && !FILE_KEYS.has(String(path.at(-1)))) {
      const file = resolve(context.directory, String(visit(node.file, path)));
      try {
        return readFileSync(file, "utf8").replace(/\r?\n$/, "");
      } catch {
        problems.push({ path: pathText(path), message: `names the file ${node.file}, which cannot be read` });
        return "";
      }
    }
    return Object.fromEntries(Object.entries(node).map(([key, item]) => [key, visit(item, [...path, key])]));
  };

  return { value: visit(value, []), problems };
}
