import { TurnwireError } from "@turnwire/turn-kernel";

/** One thing that is wrong with a config file. */
export interface ConfigProblem {
  /** Where, as a path a person can find: `channels.telegram.accounts.default.botToken`. */
  readonly path: string;
  /** What is wrong and what to do, one sentence without a full stop. */
  readonly message: string;
}

/** Makes the error that ends a command with exit code 2; every problem stands in its message, one a line. */
export function configInvalid(file: string, problems: readonly ConfigProblem[]): TurnwireError {
  const lines = problems.map(
    (problem) => `  ${problem.path === "" ? "(whole file)" : problem.path}: ${problem.message}`,
  );
  const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
  return new TurnwireError({
    code: "config_invalid",
    message: `The config ${file} has ${count}:\n${lines.join("\n")}`,
  });
}
