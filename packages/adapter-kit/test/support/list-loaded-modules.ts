// Run by module-graph.test.ts in a process of its own: prints which packages were loaded by when.
import { registerHooks } from "node:module";

const loaded = new Set<string>();
registerHooks({
  load(url, context, next) {
    const name = /\/node_modules\/(?!\.pnpm)((?:@[^/]+\/)?[^/]+)\/[^]*$/.exec(url)?.[1];
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
const adapter = {
  path: "/a",
  secret: "s",
  bodyLimitBytes: 9,
  verify: () => true,
  parse: () => ({ kind: "ignore" }) as const,
};
const ingress = kit.verifyWebhook(adapter, { method: "POST", headers: {}, bytes: new Uint8Array(1) }, 0);
if (!("refused" in ingress)) kit.parseVerifiedWebhook(ingress);
kit.redactSecrets("*text* of a message", ["secret"]);
kit.parseMarkdown("plain text");
const inbound = [...loaded];
kit.parseMarkdown("*text*");
process.stdout.write(JSON.stringify({ inbound, afterParse: [...loaded] }));
