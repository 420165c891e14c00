// @boundaries-ignore the one build configuration lives at the root
import { library } from "../../tooling/tsup.ts";

export default library();
