import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

/** What only rendering and fetching need. */
const LATE = /^(?:mdast|micromark|unist|undici)/;

/** Run in a process of its own: prints which packages were loaded by when. */
const SCRIPT = `
  import { registerHooks } from "node:module";
  const loaded = new Set();
  registerHooks({
    load(url, context, next) {
      const name = /\\/node_modules\\/(?!\\.pnpm)((?:@[^/]+\\/)?[^/]+)\\/[^]*$/.exec(url)?.[1];
      if (name !== undefined) loaded.add(name);
      return next(url, context);
    },
  });
  const kit = await import("@turnwire/adapter-kit");
  // What an inbound event goes through.
  kit.decideAccess({
    channel: "acme",
    account: { dmPolicy: "open", allowFrom: [], groupPolicy: "open", groups: {}, requireMention: true, bots: "deny" },
    sender: { id: "1" },
    conversation: { kind: "direct", id: "1" },
    paired: false,
  });
  const adapter = { path: "/a", secret: "s", bodyLimitBytes: 9, verify: () => true, parse: () => ({ kind: "ignore" }) };
  kit.parseVerifiedWebhook(kit.verifyWebhook(adapter, { method: "POST", headers: {}, bytes: new Uint8Array(1) }, 0));
  kit.redactSecrets("*text* of a message", ["secret"]);
  kit.parseMarkdown("plain text");
  const inbound = [...loaded];
  kit.parseMarkdown("*text*");
  process.stdout.write(JSON.stringify({ inbound, afterParse: [...loaded] }));
`;

describe("the modules that are loaded", () => {
  const output = execFileSync(
    process.execPath,
    ["--conditions=@turnwire/source", "--input-type=module", "--eval", SCRIPT],
    // The package finds itself by its name from its own folder.
    { encoding: "utf8", cwd: join(import.meta.dirname, "..") },
  );
  const { inbound, afterParse } = JSON.parse(output) as {
    readonly inbound: readonly string[];
    readonly afterParse: readonly string[];
  };

  it("are neither the Markdown parser nor the HTTP client while messages only come in", () => {
    expect(inbound.filter((name) => LATE.test(name))).toEqual([]);
    expect(inbound).toContain("zod");
  });

  it("are the parser once something is parsed", () => {
    expect(afterParse).toContain("mdast-util-from-markdown");
    expect(afterParse).toContain("micromark-extension-gfm-table");
  });
});
