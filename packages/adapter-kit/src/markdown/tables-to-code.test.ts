import { expect, it } from "vitest";

import { parseMarkdown } from "./parse-markdown.ts";
import { tablesToCode } from "./tables-to-code.ts";

it("lines the columns up, by what a character fills on the screen", () => {
  const markdown = "| name | n |\n|:-----|--:|\n| **漢字** | 1 |\n| e\u0301 | 100 |\n| | |";
  expect(tablesToCode(parseMarkdown(markdown)).children).toEqual([
    {
      type: "code",
      lang: null,
      value: ["name |   n", "-----|----", "漢字 |   1", "e\u0301    | 100", "     |"].join("\n"),
    },
  ]);
});

it("finds tables in lists and quotes, and leaves the rest", () => {
  const root = parseMarkdown("> | a |\n> |---|\n> | b |\n\n- text\n\n  | c |\n  |---|");
  const types = JSON.stringify(tablesToCode(root));
  expect(types).not.toContain('"table"');
  expect(types.match(/"code"/g)).toHaveLength(2);
  expect(types).toContain('"text"');
});
