/** What the command line asks for. */
export interface CliArguments {
  readonly platforms: readonly { readonly name: "telegram"; readonly port: number }[];
  readonly seed: number;
  readonly clock: "real" | "manual";
  readonly host: string;
  readonly controlToken: string | undefined;
  readonly rateLimits: boolean;
}

/** All that this product simulates, in time; only the first are in this release. */
const KNOWN = ["telegram", "slack", "discord", "matrix"];
const PRESENT = new Set(["telegram"]);

/** How the command is used. */
export const USAGE =
  "Usage: turnwire-sim telegram[:PORT] [--seed N] [--clock real|manual] [--host ADDRESS --control-token TOKEN] [--rate-limits]";

/** A command line that cannot be run; `message` is the one sentence to show. */
export class UsageError extends Error {}

/** @throws UsageError with one sentence. */
export function parseCliArguments(argv: readonly string[]): CliArguments {
  const platforms: { name: "telegram"; port: number }[] = [];
  const options = new Map<string, string>();
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? "";
    if (word === "--rate-limits") options.set(word, "true");
    else if (word.startsWith("--")) {
      const value = argv[index + 1];
      if (!["--seed", "--clock", "--host", "--control-token"].includes(word))
        throw new UsageError(`${word} is not an option. ${USAGE}`);
      if (value === undefined) throw new UsageError(`${word} needs a value. ${USAGE}`);
      options.set(word, value);
      index += 1;
    } else platforms.push(parsePlatform(word));
  }
  if (platforms.length === 0) throw new UsageError(`Name a platform to simulate. ${USAGE}`);
  const clock = options.get("--clock") ?? "real";
  if (clock !== "real" && clock !== "manual") throw new UsageError(`--clock is "real" or "manual", not "${clock}".`);
  const seed = Number(options.get("--seed") ?? 1);
  if (!Number.isInteger(seed)) throw new UsageError("--seed is a whole number.");
  return {
    platforms,
    seed,
    clock,
    host: options.get("--host") ?? "127.0.0.1",
    controlToken: options.get("--control-token"),
    rateLimits: options.has("--rate-limits"),
  };
}

function parsePlatform(word: string): { name: "telegram"; port: number } {
  const [name = "", port = "0"] = word.split(":");
  if (!KNOWN.includes(name)) throw new UsageError(`"${name}" is not a platform; known are ${KNOWN.join(", ")}.`);
  if (!PRESENT.has(name))
    throw new UsageError(`This release does not simulate ${name} yet; it has ${[...PRESENT].join(", ")}.`);
  const number = Number(port);
  if (!Number.isInteger(number) || number < 0 || number > 65_535) throw new UsageError(`"${port}" is not a port.`);
  return { name: "telegram", port: number };
}
