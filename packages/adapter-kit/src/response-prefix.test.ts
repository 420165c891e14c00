import { describe, expect, it } from "vitest";

import { applyResponsePrefix, choosePrefix, unknownPlaceholders } from "./response-prefix.ts";

const values = { model: "small", modelFull: "acme/small", provider: "acme", identityName: "Ada" };

describe("the response prefix", () => {
  it.each([
    { prefix: "[Ada]", text: "hi", shown: "[Ada] hi" },
    { prefix: "Ada:\n", text: "hi", shown: "Ada:\nhi" },
    { prefix: "[{identity.name} {model}]", text: "hi", shown: "[Ada small] hi" },
    { prefix: "{provider}/{modelFull}", text: "hi", shown: "acme/acme/small hi" },
    { prefix: "{thinkingLevel}", text: "hi", shown: "hi" },
    { prefix: "{nobody}", text: "hi", shown: "hi" },
    { prefix: "[Ada]", text: "[Ada] hi", shown: "[Ada] hi" },
    { prefix: "", text: "hi", shown: "hi" },
    { prefix: "[Ada]", text: "", shown: "" },
  ])("$prefix before $text: $shown", ({ prefix, text, shown }) => {
    expect(applyResponsePrefix(text, prefix, values)).toBe(shown);
  });

  it("is applied once, however often it is applied", () => {
    const once = applyResponsePrefix("hi", "[{model}]", values);
    expect(applyResponsePrefix(once, "[{model}]", values)).toBe(once);
  });

  it.each([
    { levels: ["a", "b", "c"], chosen: "a" },
    { levels: [undefined, "b", "c"], chosen: "b" },
    { levels: ["", "b", "c"], chosen: "" },
    { levels: [undefined, undefined, undefined], chosen: "" },
  ])("of $levels the first that is set is taken", ({ levels, chosen }) => {
    expect(choosePrefix(...levels)).toBe(chosen);
  });

  it("names placeholders that do not exist", () => {
    expect(unknownPlaceholders("{model} {modle} {identity.name} {}")).toEqual(["modle", ""]);
    expect(unknownPlaceholders("{toString}")).toEqual(["toString"]);
  });
});
