import { defineCommand } from "citty";

import { readEnvironment } from "../env.ts";
import { runPlayground } from "../playground/run-playground.ts";

/** `turnwire playground`: everything on this machine, nothing to set up. `npm start` runs it when there is no config file. */
export const playgroundCommand = defineCommand({
  meta: { name: "playground", description: "Try Turnwire with simulated platforms and a web page" },
  args: {
    port: { type: "string", default: "8787", description: "Port of the web page; 0 takes a free one" },
  },
  async run({ args }) {
    const environment = readEnvironment();
    await runPlayground({ port: Number(args.port), plain: environment.plain });
  },
});
