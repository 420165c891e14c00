import { ControlError } from "./control-error.ts";
import type { FaultAction, FaultMatch, FaultRequest } from "./fault-request.ts";

type Check = readonly [isRight: (value: unknown) => boolean, expected: string];

const TEXT: Check = [(value) => typeof value === "string" && value !== "", "a string that is not empty"];
const FLAG: Check = [(value) => typeof value === "boolean", "true or false"];
const MS: Check = [(value) => typeof value === "number" && value >= 0, "a number of 0 or more"];
const COUNT: Check = [(value) => Number.isInteger(value) && Number(value) > 0, "a positive integer"];

const oneOf = (...words: readonly string[]): Check => [
  (value) => words.includes(value as string),
  words.map((word) => `"${word}"`).join(" or "),
];

const MATCH: Readonly<Record<keyof FaultMatch, Check>> = {
  method: TEXT,
  nth: COUNT,
  place: [(value) => TEXT[0](value) || typeof value === "number", "the name or id of a place"],
  direction: oneOf("call", "event"),
};

const DO: Readonly<Record<keyof FaultAction, Check>> = {
  status: [
    (value) => Number.isInteger(value) && Number(value) >= 200 && Number(value) < 600,
    "an HTTP status, 200 to 599",
  ],
  body: [() => true, "anything"],
  retryAfter: [(value) => typeof value === "number" && value >= 0, "seconds, 0 or more"],
  delayMs: MS,
  drop: oneOf("before", "after"),
  hold: FLAG,
  duplicate: FLAG,
  reorder: FLAG,
  close: FLAG,
};

/** What makes sense for one direction only: an answer is made for a call, an order is of deliveries. */
const CALLS_ONLY: readonly (keyof FaultAction)[] = ["status", "body", "retryAfter"];
const EVENTS_ONLY: readonly (keyof FaultAction)[] = ["reorder"];

function checkFields(given: object, checks: Readonly<Record<string, Check>>, path: string): void {
  for (const [name, value] of Object.entries(given)) {
    const check = checks[name];
    if (check === undefined)
      throw new ControlError(
        `A fault has no ${path}.${name}.`,
        `${path}.${name}`,
        `one of ${Object.keys(checks).join(", ")}`,
      );
    if (value !== undefined && !check[0](value))
      throw new ControlError(`A fault's ${path}.${name} is ${check[1]}.`, `${path}.${name}`, check[1]);
  }
}

/** Refuses a fault that could never do what was meant. @throws ControlError naming the field. */
export function checkFault(request: FaultRequest): void {
  const { match, do: action, times } = request;
  if (typeof match !== "object" || match === null)
    throw new ControlError("A fault needs what it matches.", "match", "{ method?, nth?, place?, direction? }");
  if (typeof action !== "object" || action === null)
    throw new ControlError("A fault needs what it does.", "do", `{ ${Object.keys(DO).join("?, ")}? }`);
  if (times !== undefined && !COUNT[0](times))
    throw new ControlError("A fault happens a whole number of times.", "times", COUNT[1]);
  checkFields(match, MATCH, "match");
  checkFields(action, DO, "do");
  const [other, direction] =
    match.direction === "event" ? ([CALLS_ONLY, "call"] as const) : ([EVENTS_ONLY, "event"] as const);
  for (const name of other)
    if (action[name] !== undefined)
      throw new ControlError(
        `A fault does ${name} with match.direction "${direction}" only.`,
        `do.${name}`,
        `match.direction "${direction}"`,
      );
}
