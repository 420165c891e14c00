import { describe, expect, it } from "vitest";

import { findTextBreak, type TextBreak } from "./find-text-break.ts";

const at = (text: string, minChars: number, maxChars: number, breakPreference: TextBreak = "paragraph") => {
  const found = findTextBreak(text, { minChars, maxChars, breakPreference });
  return found === null ? null : [text.slice(0, found.end), text.slice(found.next)];
};

describe("findTextBreak", () => {
  const cases: readonly {
    readonly name: string;
    readonly text: string;
    readonly bounds: readonly [number, number, TextBreak?];
    readonly parts: readonly [string, string] | null;
  }[] = [
    { name: "waits below the least", text: "a\n\nb", bounds: [10, 20], parts: null },
    { name: "waits for a paragraph", text: "one two. three\nfour", bounds: [5, 40], parts: null },
    {
      name: "takes a paragraph as soon as there is one",
      text: "one two\n\nthree",
      bounds: [5, 40],
      parts: ["one two", "three"],
    },
    { name: "waits to see whether a line is a paragraph", text: "one two\n", bounds: [5, 40, "newline"], parts: null },
    {
      name: "takes the last paragraph in its bounds",
      text: "aaaaaa\n\nbbb\n\nccc",
      bounds: [5, 40],
      parts: ["aaaaaa\n\nbbb", "ccc"],
    },
    {
      name: "takes a line when that is preferred",
      text: "one two\nthree",
      bounds: [5, 40, "newline"],
      parts: ["one two", "three"],
    },
    {
      name: "takes a sentence when that is preferred",
      text: "One two. Three",
      bounds: [5, 40, "sentence"],
      parts: ["One two.", "Three"],
    },
    {
      name: "takes a line when full",
      text: "one two. three\nfour five six",
      bounds: [5, 20],
      parts: ["one two. three", "four five six"],
    },
    {
      name: "takes a sentence when full",
      text: "One two. Three four five",
      bounds: [5, 20],
      parts: ["One two.", "Three four five"],
    },
    {
      name: "takes a space when full",
      text: "one two three four five",
      bounds: [5, 16],
      parts: ["one two three", "four five"],
    },
    {
      name: "does not make a fence of what was none",
      text: "one two three ~~~4 five six",
      bounds: [5, 17],
      parts: ["one two", "three ~~~4 five six"],
    },
    {
      name: "does not make an item of a dash",
      text: "one two three - four five six",
      bounds: [5, 17],
      parts: ["one two three -", "four five six"],
    },
    { name: "cuts a word when it must", text: "abcdefghijklmnop", bounds: [5, 10], parts: ["abcdefghij", "klmnop"] },
    { name: "cuts no grapheme", text: "abcdefgh👩‍👧xyz", bounds: [5, 10], parts: ["abcdefgh", "👩‍👧xyz"] },
    { name: "cuts no surrogate pair of an endless grapheme", text: "👩‍👩‍👧‍👦", bounds: [1, 4], parts: ["👩‍", "👩‍👧‍👦"] },
    {
      name: "does not end with a bullet alone",
      text: "1. abcdefghijklmnop",
      bounds: [1, 10],
      parts: ["1. abcdefg", "hijklmnop"],
    },
    {
      name: "keeps the indent of the next line",
      text: "- one two\n\n  - three",
      bounds: [5, 40],
      parts: ["- one two", "  - three"],
    },
    {
      name: "ends before a code block",
      text: "one two\n```js\na\n\nb\n```",
      bounds: [5, 12],
      parts: ["one two", "```js\na\n\nb\n```"],
    },
    { name: "waits for a code block to end", text: "```js\na\n\nb", bounds: [2, 40], parts: null },
    {
      name: "takes a space before a code block, rather than a line within it",
      text: "one two three\n```\naaa\nbbb\nccc\n```",
      bounds: [5, 26],
      parts: ["one two three", "```\naaa\nbbb\nccc\n```"],
    },
    {
      name: "does not take back ticks in a line for a fence",
      text: "```a``` b\n\nc",
      bounds: [5, 40],
      parts: ["```a``` b", "c"],
    },
  ];

  it.each(cases)("$name", ({ text, bounds, parts }) => {
    expect(at(text, ...bounds)).toEqual(parts);
  });

  it("cuts a code block that is too long between its lines, and says how to close it", () => {
    const text = "~~~~ts title\naaa\nbbb\nccc\n~~~~";
    const found = findTextBreak(text, { minChars: 5, maxChars: 22, breakPreference: "paragraph" });
    expect(found).toEqual({ end: 20, next: 21, fence: { opening: "~~~~ts title", closing: "~~~~" } });
    expect(text.slice(found?.next)).toBe("ccc\n~~~~");
  });

  it("does not repeat a fence line for which there is no room", () => {
    const found = findTextBreak("```js\nabcdef", { minChars: 1, maxChars: 6, breakPreference: "paragraph" });
    expect(found).toEqual({ end: 6, next: 6, fence: null });
  });
});
