import { defineConfig, type Options } from "tsup";

/**
 * The one build configuration: ESM and declarations from the given entries.
 * Everything that a package.json lists stays an import; `tsc -b` has checked the types before.
 */
export function library(
  entry: Record<string, string> = { index: "src/index.ts" },
  more: Options = {},
): ReturnType<typeof defineConfig> {
  return defineConfig({
    entry,
    format: ["esm"],
    target: "node22",
    dts: true,
    clean: true,
    sourcemap: true,
    treeshake: true,
    ...more,
  });
}
