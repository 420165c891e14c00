/** A field that is wrong. */
export interface ShapeFault {
  readonly field: string;
  readonly expected: string;
  readonly got: unknown;
}

type Shape = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is Shape {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A member that must be there, of one type. `isPartial`: it may be missing, not wrong. */
function member(field: string, got: unknown, type: "string" | "number", isPartial: boolean): ShapeFault | null {
  return typeof got === type || (isPartial && got === undefined) ? null : { field, expected: `a ${type}`, got };
}

function list(field: string, got: unknown): ShapeFault | null {
  return Array.isArray(got) ? null : { field, expected: "an array", got };
}

function part(field: string, got: unknown, check: (shape: Shape) => ShapeFault | null): ShapeFault | null {
  if (got === undefined) return null;
  return isRecord(got) ? check(got) : { field, expected: "an object", got };
}

const nothing = (): null => null;

/**
 * The first fact that has the wrong shape, or null: each member that a fact cannot do without. With `isPartial`, as in
 * preflight, members may be missing. Written out, for it runs on every turn: a table of checks costs four times as much.
 */
export function checkFactShapes(facts: Shape, isPartial: boolean): ShapeFault | null {
  return (
    part("sender", facts["sender"], ({ id }) => member("sender.id", id, "string", isPartial)) ??
    part("conversation", facts["conversation"], (shape) => conversation(shape, isPartial)) ??
    part(
      "route",
      facts["route"],
      ({ agentId, routeSessionKey }) =>
        member("route.agentId", agentId, "string", isPartial) ??
        member("route.routeSessionKey", routeSessionKey, "string", isPartial),
    ) ??
    part("reply", facts["reply"], ({ to }) => member("reply.to", to, "string", isPartial)) ??
    part("message", facts["message"], ({ rawBody }) => member("message.rawBody", rawBody, "string", isPartial)) ??
    part("supplemental", facts["supplemental"], nothing) ??
    part(
      "history",
      facts["history"],
      ({ key, limit }) =>
        member("history.key", key, "string", false) ?? member("history.limit", limit, "number", false),
    ) ??
    part("access", facts["access"], access)
  );
}

function conversation({ kind, id }: Shape, isPartial: boolean): ShapeFault | null {
  const isKnown = kind === "direct" || kind === "group" || kind === "channel" || (isPartial && kind === undefined);
  if (!isKnown) return { field: "conversation.kind", expected: "one of direct, group, channel", got: kind };
  return member("conversation.id", id, "string", isPartial);
}

/** Each part may be missing; one that is there is whole. */
function access({ dm, group, commands, mentions }: Shape): ShapeFault | null {
  return (
    part("access.dm", dm, ({ allowFrom }) => list("access.dm.allowFrom", allowFrom)) ??
    part("access.group", group, ({ allowFrom }) => list("access.group.allowFrom", allowFrom)) ??
    part("access.commands", commands, ({ authorizers }) => list("access.commands.authorizers", authorizers)) ??
    part("access.mentions", mentions, nothing)
  );
}
