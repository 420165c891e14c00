// @boundaries-ignore the one build configuration lives at the root
import { library } from "../../tooling/tsup.ts";

// The worker's entry keeps its place beside the index, where store-thread.ts looks for it.
// `node:sqlite` exists under its full name only.
export default library(
  { index: "src/index.ts", "worker/store-worker": "src/worker/store-worker.ts" },
  { removeNodeProtocol: false },
);
