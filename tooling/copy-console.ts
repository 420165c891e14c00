import { cpSync, existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const from = fileURLToPath(new URL("../apps/console/dist/", import.meta.url));
const to = fileURLToPath(new URL("../apps/gateway/dist/console/", import.meta.url));

// The gateway serves the page from its own package: what is published needs no other folder.
if (!existsSync(from)) throw new Error("apps/console/dist is missing; build @turnwire/console before the gateway.");
cpSync(from, to, { recursive: true });
