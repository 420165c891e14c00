export { createEchoRunner } from "./echo-runner.ts";
export type { EchoRunnerOptions } from "./echo-runner.ts";
export { createHttpRunner } from "./http-runner.ts";
export type { HttpRunnerOptions } from "./http-runner.ts";
