import { library } from "../../tooling/tsup.ts";

export default library({ index: "src/index.ts", cli: "src/cli.ts" });
