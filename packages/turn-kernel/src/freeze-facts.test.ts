import { describe, expect, it } from "vitest";

import { freezeFacts } from "./freeze-facts.ts";

describe("freezing facts at the adapter's border", () => {
  it("freezes objects and lists where they stand", () => {
    const facts = { access: { dm: { allowFrom: ["a"] } }, media: [{ path: "x" }] };
    freezeFacts(facts);
    expect(
      [facts, facts.access, facts.access.dm, facts.media, facts.media[0]].map((part) => Object.isFrozen(part)),
    ).toEqual([true, true, true, true, true]);
    expect(() => {
      facts.access.dm = { allowFrom: [] };
    }).toThrow(TypeError);
  });

  it("leaves what is passed through unread, functions, and instances of classes", () => {
    class Client {
      calls = 0;
    }
    const facts = { raw: { a: 1 }, cfg: { b: 1 }, client: new Client(), deliver: (): void => {}, map: new Map() };
    freezeFacts(facts);
    expect([facts.raw, facts.cfg, facts.client, facts.deliver, facts.map].some((part) => Object.isFrozen(part))).toBe(
      false,
    );
  });

  it.each([null, undefined, 1, "x", true])("takes %j, which has nothing to freeze", (value) => {
    expect(() => freezeFacts(value)).not.toThrow();
  });

  it("takes objects without a prototype, and objects that hold themselves", () => {
    const bare = Object.create(null) as object;
    freezeFacts(bare);
    expect(Object.isFrozen(bare)).toBe(true);
    const circle: { self?: object } = {};
    circle.self = circle;
    expect(() => freezeFacts(circle)).not.toThrow();
  });
});
