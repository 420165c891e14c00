/** What a field of an adapter's answer must be; null when it is that. */
export type ShapeCheck = (value: unknown) => string | null;

/** A field that is wrong. */
export interface ShapeFault {
  readonly field: string;
  readonly expected: string;
  readonly got: unknown;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const oneOf =
  (...values: readonly string[]): ShapeCheck =>
  (value) =>
    values.includes(value as string) ? null : `one of ${values.join(", ")}`;
const string: ShapeCheck = (value) => (typeof value === "string" ? null : "a string");
const number: ShapeCheck = (value) => (typeof value === "number" ? null : "a number");
const list: ShapeCheck = (value) => (Array.isArray(value) ? null : "an array");

const CONVERSATION_KIND = oneOf("direct", "group", "channel");

/** Members that a fact cannot do without. A table, so that it can be read against `fact-types`. */
const REQUIRED: Readonly<Record<string, Readonly<Record<string, ShapeCheck>>>> = {
  sender: { id: string },
  conversation: { kind: CONVERSATION_KIND, id: string },
  route: { agentId: string, routeSessionKey: string },
  reply: { to: string },
  message: { rawBody: string },
  history: { key: string, limit: number },
  access: {},
  supplemental: {},
};

/** Members of `access`, each there or not, but whole when it is there. */
const ACCESS: Readonly<Record<string, Readonly<Record<string, ShapeCheck>>>> = {
  dm: { allowFrom: list },
  group: { allowFrom: list },
  commands: { authorizers: list },
  mentions: {},
};

/**
 * The first fact that has the wrong shape, or null. With `isPartial`, as in preflight, members may be missing but not wrong.
 */
export function checkFactShapes(facts: Readonly<Record<string, unknown>>, isPartial: boolean): ShapeFault | null {
  for (const name in REQUIRED) {
    const fault = checkMembers(name, facts[name], REQUIRED[name] ?? {}, isPartial && name !== "history");
    if (fault !== null) return fault;
  }
  const { access } = facts;
  if (isRecord(access)) {
    for (const name in ACCESS) {
      const fault = checkMembers(`access.${name}`, access[name], ACCESS[name] ?? {}, false);
      if (fault !== null) return fault;
    }
  }
  return null;
}

function checkMembers(
  field: string,
  value: unknown,
  members: Readonly<Record<string, ShapeCheck>>,
  isPartial: boolean,
): ShapeFault | null {
  if (value === undefined) return null;
  if (!isRecord(value)) return { field, expected: "an object", got: value };
  for (const member in members) {
    const got = value[member];
    if (got === undefined && isPartial) continue;
    const expected = members[member]?.(got) ?? null;
    if (expected !== null) return { field: `${field}.${member}`, expected, got };
  }
  return null;
}
