import { parseMarkdown, tablesToCode } from "@turnwire/adapter-kit";
import { describe, expect, it } from "vitest";

import { formatText, type TextEntity } from "./format-text.ts";

function format(markdown: string): {
  readonly text: string;
  readonly marks: readonly string[];
  readonly length: number;
} {
  const { text, entities, length } = formatText(tablesToCode(parseMarkdown(markdown)));
  const show = ({ type, offset, length: chars, url, language }: TextEntity): string =>
    [type, text.slice(offset, offset + chars), url ?? language].filter((part) => part !== undefined).join("|");
  return { text, marks: entities.map(show), length };
}

describe("Markdown as text and entities", () => {
  it.each([
    ["plain words", "plain words", []],
    ["a < b & c > d, 100% *", "a < b & c > d, 100% *", []],
    [
      "**bold** and *italic* and ~~gone~~",
      "bold and italic and gone",
      ["bold|bold", "italic|italic", "strikethrough|gone"],
    ],
    ["***both***", "both", ["italic|both", "bold|both"]],
    ["`x < y`", "x < y", ["code|x < y"]],
    ["# Title\n\ntext", "Title\n\ntext", ["bold|Title"]],
    ["```ts\nlet a = 1;\n```", "let a = 1;", ["pre|let a = 1;|ts"]],
    ["```\nplain\n```", "plain", ["pre|plain"]],
    ["```py\nopen(", "open(", ["pre|open(|py"]],
    ["[docs](https://example.org/a_b)", "docs", ["text_link|docs|https://example.org/a_b"]],
    ["<https://example.org>", "https://example.org", []],
    ["[mail](mailto:a@example.org)", "mail (mailto:a@example.org)", []],
    ["[here](./local)", "here (./local)", []],
    ["![a cat](https://example.org/cat.png)", "a cat", ["text_link|a cat|https://example.org/cat.png"]],
    ["> said\n> twice", "said\ntwice", ["blockquote|said\ntwice"]],
    ["> outer\n>\n> > inner", "outer\n\ninner", ["blockquote|outer\n\ninner"]],
    ["- a\n- b", "• a\n• b", []],
    ["3. a\n4. b", "3. a\n4. b", []],
    ["- a\n  - b", "• a\n  • b", []],
    ["- [x] done\n- [ ] open", "• ☑ done\n• ☐ open", []],
    ["a\n\n---\n\nb", "a\n\n———\n\nb", []],
    ["<b>no markup</b>", "<b>no markup</b>", []],
    ["| a | b |\n| - | - |\n| 1 | 22 |", "a | b\n--|---\n1 | 22", ["pre|a | b\n--|---\n1 | 22"]],
  ])("%j", (markdown, text, marks) => {
    expect(format(markdown)).toMatchObject({ text, marks });
  });

  it("counts offsets in UTF-16 units and the length in code points", () => {
    const { entities, length, text } = formatText(parseMarkdown("👋🏽 **x** 👋"));
    expect(entities).toEqual([{ type: "bold", offset: 5, length: 1 }]);
    expect(text.length).toBe(9);
    expect(length).toBe(6);
  });

  it("keeps other marks off code, and code out of links: Telegram would drop one of the two", () => {
    expect(format("**a `b` c**").marks).toEqual(["bold|a ", "code|b", "bold| c"]);
    expect(format("# use `x`").marks).toEqual(["bold|use ", "code|x"]);
    expect(format("[`x`](https://example.org)").marks).toEqual(["text_link|x|https://example.org"]);
  });
});
