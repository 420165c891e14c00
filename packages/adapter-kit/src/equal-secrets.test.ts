import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { equalSecrets } from "./equal-secrets.ts";

describe("equalSecrets", () => {
  it.each([
    { given: "secret", expected: "secret", equal: true },
    { given: "secret", expected: "Secret", equal: false },
    { given: "secret ", expected: "secret", equal: false },
    { given: "secret, secret", expected: "secret", equal: false },
    { given: undefined, expected: "secret", equal: false },
    { given: "", expected: "secret", equal: false },
    { given: "", expected: "", equal: false },
    { given: " ", expected: " ", equal: false },
    { given: undefined, expected: "", equal: false },
    { given: "ключ", expected: "ключ", equal: true },
    { given: "ключ", expected: "????", equal: false },
  ])("$given against $expected: $equal", ({ given, expected, equal }) => {
    expect(equalSecrets(given, expected)).toBe(equal);
  });

  it("is equality for whatever two texts, and never throws", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1 }), fc.string({ unit: "binary" }), (expected, given) => {
        expect(equalSecrets(given, expected)).toBe(given === expected && expected.trim() !== "");
        expect(equalSecrets(expected, expected)).toBe(expected.trim() !== "");
      }),
    );
  });
});
