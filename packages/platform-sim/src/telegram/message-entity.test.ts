import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { codePoints, givenEntities, MAX_ENTITIES, trimFormatted } from "./message-entity.ts";

describe("entities that a bot gives", () => {
  it.each([
    { what: "a known type inside the text", given: { type: "bold", offset: 0, length: 3 }, kept: 1 },
    { what: "past the end", given: { type: "bold", offset: 1, length: 3 }, kept: 0 },
    { what: "before the start", given: { type: "bold", offset: -1, length: 2 }, kept: 0 },
    { what: "without length", given: { type: "bold", offset: 0, length: 0 }, kept: 0 },
    { what: "of an unknown type", given: { type: "shout", offset: 0, length: 1 }, kept: 0 },
    { what: "that is no object", given: "bold", kept: 0 },
  ])("$what: $kept kept", ({ given, kept }) => {
    expect(givenEntities("abc", [given])).toHaveLength(kept);
  });
});

describe("trimming", () => {
  it("keeps 100 entities at most", () => {
    const entities = Array.from({ length: 150 }, (_, index) => ({ type: "bold", offset: index, length: 1 }));
    expect(trimFormatted({ text: "a".repeat(150), entities }).entities).toHaveLength(MAX_ENTITIES);
  });

  it("leaves every span on the characters that it marked", () => {
    const text = fc.array(fc.constantFrom(" ", "\n", "a", "😀", "é"), { maxLength: 12 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, fc.nat(12), fc.nat(12), (source, offset, length) => {
        const entities = givenEntities(source, [{ type: "bold", offset, length }]);
        const trimmed = trimFormatted({ text: source, entities });
        expect(trimmed.text).toBe(source.trim());
        for (const span of trimmed.entities) {
          const marked = source.slice(offset, offset + length);
          expect(marked).toContain(trimmed.text.slice(span.offset, span.offset + span.length));
          expect(span.offset + span.length).toBeLessThanOrEqual(trimmed.text.length);
        }
      }),
    );
  });
});

it.each([
  ["", 0],
  ["ab", 2],
  ["😀", 1],
  ["👩‍👩‍👧", 5],
])("%j has %i code points", (text, count) => {
  expect(codePoints(text)).toBe(count);
});
