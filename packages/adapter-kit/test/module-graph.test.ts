import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

/** What only rendering and fetching need. */
const LATE = /^(?:mdast|micromark|unist|undici)/;

describe("the modules that are loaded", () => {
  const script = join(import.meta.dirname, "support/list-loaded-modules.ts");
  const output = execFileSync(process.execPath, ["--conditions=@turnwire/source", script], { encoding: "utf8" });
  const { inbound, afterParse } = JSON.parse(output) as { inbound: readonly string[]; afterParse: readonly string[] };

  it("are neither the Markdown parser nor the HTTP client while messages only come in", () => {
    expect(inbound.filter((name) => LATE.test(name))).toEqual([]);
    expect(inbound).toContain("zod");
  });

  it("are the parser once something is parsed", () => {
    expect(afterParse).toContain("mdast-util-from-markdown");
    expect(afterParse).toContain("micromark-extension-gfm-table");
  });
});
