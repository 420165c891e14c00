import { describe, expect, it } from "vitest";

import { formatText } from "./format-text.ts";
import { parseMarkdown } from "./parse-markdown.ts";

describe("legacy Markdown", () => {
  it.each([
    ["*bold*", "bold", [{ type: "bold", offset: 0, length: 4 }]],
    [
      "_it_ `c`",
      "it c",
      [
        { type: "italic", offset: 0, length: 2 },
        { type: "code", offset: 3, length: 1 },
      ],
    ],
    ["```a_b```", "a_b", [{ type: "pre", offset: 0, length: 3 }]],
    ["[x](http://y.z)", "x", [{ type: "text_link", offset: 0, length: 1, url: "http://y.z" }]],
    ["[x] (y)", "[x] (y)", []],
    ["2 \\* 3 \\_ \\` \\[", "2 * 3 _ ` [", []],
    ["*a _b_*", "a _b_", [{ type: "bold", offset: 0, length: 5 }]],
    ["😀 *b*", "😀 b", [{ type: "bold", offset: 3, length: 1 }]],
    ["a.b-c!", "a.b-c!", []],
    ["**", "", []],
  ])("%s", (source, text, entities) => {
    expect(parseMarkdown(source)).toEqual({ text, entities });
  });

  it.each([
    ["*a", 0],
    ["é _a", 3],
    ["x `a", 2],
    ["```a", 0],
    ["😀 [a", 5],
  ])("refuses %s, which begins something at byte %i and does not end it", (source, offset) => {
    expect(() => formatText({ text: source, parseMode: "Markdown", limit: 100, what: "text" })).toThrow(
      `Bad Request: can't parse entities: Can't find end of the entity starting at byte offset ${offset}`,
    );
  });
});
