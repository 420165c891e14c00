import { createRequire } from "node:module";

import type { fromMarkdown } from "mdast-util-from-markdown";
import type { gfmFromMarkdown } from "mdast-util-gfm";
import type { gfm } from "micromark-extension-gfm";

/** What parsing needs. The types alone are imported: they load nothing. */
export interface MarkdownParser {
  readonly fromMarkdown: typeof fromMarkdown;
  readonly gfm: typeof gfm;
  readonly gfmFromMarkdown: typeof gfmFromMarkdown;
}

/**
 * Loads the parser, some sixty modules, at its first use: a process that only takes messages in never needs it.
 * Synchronous, since rendering is; Node keeps what it has loaded.
 */
export function loadParser(): MarkdownParser {
  const load = createRequire(import.meta.url);
  return {
    ...(load("mdast-util-from-markdown") as Pick<MarkdownParser, "fromMarkdown">),
    ...(load("micromark-extension-gfm") as Pick<MarkdownParser, "gfm">),
    ...(load("mdast-util-gfm") as Pick<MarkdownParser, "gfmFromMarkdown">),
  };
}
