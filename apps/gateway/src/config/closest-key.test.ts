import { describe, expect, it } from "vitest";

import { closestKey } from "./closest-key.ts";

describe("closestKey", () => {
  it.each([
    ["boToken", ["botToken", "mode"], "botToken"],
    ["adminTokne", ["adminToken", "port"], "adminToken"],
    ["PORT", ["port", "host"], "port"],
    ["prot", ["port", "host"], "port"],
    ["telegrm", ["telegram"], "telegram"],
    ["banana", ["port", "host"], null],
    ["x", [], null],
  ])("takes %s among %j for %s", (wrong, known, expected) => {
    expect(closestKey(wrong, known)).toBe(expected);
  });
});
