import { describe, expect, it } from "vitest";

import { checkClassify, checkIngest, checkPreflight, checkResolved } from "./check-adapter-shapes.ts";

const delivery = { deliver: async (): Promise<void> => {} };
const message = { rawBody: "x" };
const turn = { delivery, message };

/** The field that the error names, or "" for the answer as a whole. */
function faultOf(check: (value: unknown) => unknown, value: unknown): string | null {
  try {
    check(value);
    return null;
  } catch (error) {
    expect(error).toMatchObject({ code: "adapter_shape_invalid" });
    const { message: said } = error as Error;
    expect(said).toMatch(/^The adapter's (ingest|classify|preflight|resolveTurn) returned .+; expected .+\.$/);
    return /returned "([^"]+)"/.exec(said)?.[1] ?? "";
  }
}

describe("ingest", () => {
  it.each<readonly [unknown, string | null]>([
    [null, null],
    [{ id: "1", rawText: "" }, null],
    [undefined, ""],
    ["text", ""],
    [[], ""],
    [{ rawText: "" }, "id"],
    [{ id: 1, rawText: "" }, "id"],
    [{ id: "1" }, "rawText"],
    [{ id: "1", rawText: null }, "rawText"],
  ])("%j: %s", (value, field) => {
    expect(faultOf(checkIngest, value)).toBe(field);
  });
});

describe("classify", () => {
  it.each<readonly [unknown, string | null]>([
    ...["message", "command", "interaction", "reaction", "lifecycle", "unknown"].map(
      (kind) => [{ kind, canStartAgentTurn: true }, null] as const,
    ),
    [undefined, ""],
    [null, ""],
    [{ kind: "other", canStartAgentTurn: true }, "kind"],
    [{ canStartAgentTurn: true }, "kind"],
    [{ kind: "message" }, "canStartAgentTurn"],
    [{ kind: "message", canStartAgentTurn: 1 }, "canStartAgentTurn"],
  ])("%j: %s", (value, field) => {
    expect(faultOf(checkClassify, value)).toBe(field);
  });
});

describe("preflight", () => {
  it.each<readonly [unknown, string | null]>([
    [null, null],
    [undefined, null],
    [{}, null],
    [{ kind: "drop" }, null],
    [{ admission: { kind: "observeOnly" } }, null],
    [{ media: [] }, null],
    [{ media: () => [] }, null],
    [{ sender: {}, conversation: {}, route: {}, reply: {}, message: {}, access: {} }, null],
    [{ history: { key: "k", limit: 1 } }, null],
    ["x", ""],
    [[], ""],
    [{ kind: "x" }, "admission.kind"],
    [{ admission: "drop" }, "admission"],
    [{ admission: { kind: "x" } }, "admission.kind"],
    [{ media: {} }, "media"],
    [{ sender: 5 }, "sender"],
    [{ sender: { id: 5 } }, "sender.id"],
    [{ conversation: { kind: "dm" } }, "conversation.kind"],
    [{ history: { limit: 1 } }, "history.key"],
    [{ history: { key: "k" } }, "history.limit"],
    [{ access: { dm: {} } }, "access.dm.allowFrom"],
  ])("%j: %s", (value, field) => {
    expect(faultOf(checkPreflight, value)).toBe(field);
  });

  it("makes facts of an admission that comes alone, and of nothing", () => {
    expect(checkPreflight({ kind: "drop", reason: "r" })).toEqual({ admission: { kind: "drop", reason: "r" } });
    expect(checkPreflight(null)).toEqual({});
  });
});

describe("resolveTurn", () => {
  const whole = {
    ...turn,
    sender: { id: "a" },
    conversation: { kind: "group", id: "g" },
    route: { agentId: "m", routeSessionKey: "s" },
    reply: { to: "g" },
    access: { dm: { allowFrom: [] }, group: { allowFrom: [] }, commands: { authorizers: [] }, mentions: {} },
    history: { key: "k", limit: 1 },
    supplemental: {},
    media: [],
  };

  it.each<[string, unknown, string | null]>([
    ["an assembled turn", turn, null],
    ["a prepared turn", { message, runDispatch: async () => {} }, null],
    ["a turn with all facts", whole, null],
    ["a finished context", { delivery, ctxPayload: { CommandAuthorized: false } }, null],
    ["a drop alone", { admission: { kind: "drop" } }, null],
    ["a handled one alone", { admission: { kind: "handled" } }, null],
    ["nothing", undefined, ""],
    ["a list", [], ""],
    ["an unknown admission", { ...turn, admission: { kind: "x" } }, "admission.kind"],
    ["an admission that is none", { ...turn, admission: 1 }, "admission"],
    ["no delivery", { message }, "delivery"],
    ["no delivery to observe with", { message, admission: { kind: "observeOnly" } }, "delivery"],
    ["a delivery that is none", { message, delivery: "x" }, "delivery.deliver"],
    ["a delivery without deliver", { message, delivery: {} }, "delivery.deliver"],
    ["both ways of dispatch", { ...turn, runDispatch: async () => {} }, "runDispatch"],
    ["a runDispatch that is none", { message, runDispatch: 1 }, "runDispatch"],
    ["neither facts nor context", { delivery }, "message"],
    ["a context and a message", { ...turn, ctxPayload: {} }, "ctxPayload"],
    ["a context and media", { delivery, ctxPayload: {}, media: [] }, "ctxPayload"],
    ["a context and a quote", { delivery, ctxPayload: {}, supplemental: {} }, "ctxPayload"],
    ["a context that is none", { delivery, ctxPayload: "x" }, "ctxPayload"],
    ["media as a function", { ...turn, media: () => [] }, "media"],
    ["a message without body", { delivery, message: {} }, "message.rawBody"],
    ["a sender without id", { ...whole, sender: {} }, "sender.id"],
    ["a conversation of no kind", { ...whole, conversation: { id: "g" } }, "conversation.kind"],
    ["a conversation without id", { ...whole, conversation: { kind: "group" } }, "conversation.id"],
    ["a route without agent", { ...whole, route: { routeSessionKey: "s" } }, "route.agentId"],
    ["a route without key", { ...whole, route: { agentId: "m" } }, "route.routeSessionKey"],
    ["a reply to nowhere", { ...whole, reply: {} }, "reply.to"],
    ["access that is none", { ...whole, access: "open" }, "access"],
    ["dm without list", { ...whole, access: { dm: {} } }, "access.dm.allowFrom"],
    ["a group that is none", { ...whole, access: { group: true } }, "access.group"],
    ["a group without list", { ...whole, access: { group: {} } }, "access.group.allowFrom"],
    ["commands without authorizers", { ...whole, access: { commands: {} } }, "access.commands.authorizers"],
    ["mentions that are none", { ...whole, access: { mentions: true } }, "access.mentions"],
    ["a history without limit", { ...whole, history: { key: "k" } }, "history.limit"],
    ["a quote that is none", { ...whole, supplemental: [] }, "supplemental"],
  ])("%s: %s", (_case, value, field) => {
    expect(faultOf(checkResolved, value)).toBe(field);
  });

  it.each([
    [
      { ...whole, conversation: { kind: "dm", id: "g" } },
      /"conversation.kind" as string; expected one of direct, group, channel\.$/,
    ],
    [{ ...whole, sender: null }, /"sender" as null; expected an object\.$/],
    [{ ...whole, supplemental: [] }, /"supplemental" as an array; expected an object\.$/],
    [{ ...whole, reply: { to: {} } }, /"reply.to" as an object; expected a string\.$/],
    [{ ...whole, history: { key: "k", limit: "1" } }, /"history.limit" as string; expected a number\.$/],
  ])("says what it got and what it expected", (value, says) => {
    expect(() => checkResolved(value)).toThrow(says);
  });
});
