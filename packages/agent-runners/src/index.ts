export { createEchoRunner } from "./echo-runner.ts";
export type { EchoRunnerOptions } from "./echo-runner.ts";
