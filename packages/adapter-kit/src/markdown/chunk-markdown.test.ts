import { describe, expect, it } from "vitest";

import { TEST_RENDERERS } from "../../test/support/renderers.ts";
import { chunkMarkdown } from "./chunk-markdown.ts";
import type { MarkdownRoot } from "./markdown-nodes.ts";
import { parseMarkdown } from "./parse-markdown.ts";
import { plainText } from "./plain-text.ts";

const plain = TEST_RENDERERS["code points without markup"] as (typeof TEST_RENDERERS)[string];
const utf16 = TEST_RENDERERS["UTF-16 with markup"] as (typeof TEST_RENDERERS)[string];

const html = (markdown: string, limit: number, render = plain): readonly string[] =>
  chunkMarkdown(markdown, { limit, render }).map(({ text }) => text);

describe("where a chunk ends", () => {
  const cases: readonly {
    readonly name: string;
    readonly markdown: string;
    readonly limit: number;
    readonly chunks: readonly string[];
  }[] = [
    { name: "nowhere, when all fits", markdown: "one\n\ntwo", limit: 8, chunks: ["one\n\ntwo"] },
    { name: "no text, no chunk", markdown: " \n\n ", limit: 8, chunks: [] },
    {
      name: "at a paragraph",
      markdown: "one two three.\n\nfour five",
      limit: 20,
      chunks: ["one two three.", "four five"],
    },
    { name: "at a line", markdown: "one two. three\nfour five", limit: 18, chunks: ["one two. three", "four five"] },
    { name: "at a sentence", markdown: "One two three. Four five", limit: 20, chunks: ["One two three.", "Four five"] },
    {
      name: "at a sentence without a space",
      markdown: "漢字漢字。漢字漢字",
      limit: 7,
      chunks: ["漢字漢字。", "漢字漢字"],
    },
    { name: "at a space", markdown: "one two three four", limit: 14, chunks: ["one two three", "four"] },
    { name: "within a word, when it must", markdown: "abcdefghij", limit: 4, chunks: ["abcd", "efgh", "ij"] },
    { name: "before a long word, rather than in it", markdown: "a abcdefghij", limit: 10, chunks: ["a", "abcdefghij"] },
    {
      name: "not at a no-break space",
      markdown: "one two\u00a0three four",
      limit: 12,
      chunks: ["one", "two\u00a0three", "four"],
    },
    {
      name: "not between a space and its mark",
      markdown: "ab cde \u0301fgh",
      limit: 9,
      chunks: ["ab", "cde \u0301fgh"],
    },
    {
      name: "not below a heading",
      markdown: "text text\n\n# Head\n\nbody body body",
      limit: 22,
      chunks: ["text text", "<b>Head</b>\n\nbody body body"],
    },
  ];

  it.each(cases)("$name", ({ markdown, limit, chunks }) => {
    expect(html(markdown, limit)).toEqual(chunks);
  });
});

describe("what is cut is closed and opened again", () => {
  it("a code block, with its language and its lines", () => {
    expect(html("```ts\nlet a = 1;\n\n  let b = 2;\n```", 14)).toEqual([
      '<pre lang="ts">let a = 1;\n</pre>',
      '<pre lang="ts">  let b = 2;</pre>',
    ]);
  });

  it("a code block that was never closed", () => {
    expect(html("```js\none\ntwo", 4)).toEqual(['<pre lang="js">one</pre>', '<pre lang="js">two</pre>']);
  });

  it("marks, one in the other", () => {
    expect(html("**one _two three_ four**", 8)).toEqual([
      "<strong>one <emphasis>two</emphasis></strong>",
      "<strong><emphasis>three</emphasis></strong>",
      "<strong>four</strong>",
    ]);
  });

  it("an ordered list, whose numbers go on, and an item without a second number", () => {
    expect(html("7. one\n8. two two two\n9. three", 8)).toEqual(["7. one\n8. two", "  two two", "9. three"]);
  });

  it("a quote", () => {
    expect(html("> one\n>\n> two", 5)).toEqual(["<blockquote>one</blockquote>", "<blockquote>two</blockquote>"]);
  });

  it("a table, between its rows", () => {
    const chunks = chunkMarkdown("| a | b |\n|---|---|\n| c | d |\n| e | f |", { limit: 8, render: plain });
    expect(chunks.map(({ root }) => plainText(root))).toEqual(["a\tb\nc\td", "e\tf"]);
    const headers = chunks.map(({ root }) =>
      root.children.flatMap((node) => (node.type === "table" ? node.children.map((row) => row.header) : [])),
    );
    expect(headers).toEqual([[true, false], [false]]);
  });
});

describe("what is kept whole", () => {
  it.each([
    { name: "a link", markdown: "one two [three four five](https://x.org) six", limit: 24 },
    { name: "a link with a word before it", markdown: "onetwo ([three four](https://x.org)) six", limit: 18 },
    { name: "inline code", markdown: "one two `three four five` six", limit: 24 },
    { name: "a bare link", markdown: "one two https://example.org/a-b-c-d six", limit: 34 },
  ])("$name", ({ markdown, limit }) => {
    const texts = html(markdown, limit);
    expect(texts.length).toBeGreaterThan(1);
    expect(texts.filter((text) => /<(a|code)\b/.test(text))).toHaveLength(1);
  });
});

describe("what does not fit", () => {
  it("a link with an address that is too long is written out, and all of the address is there", () => {
    const url = `https://example.org/${"a".repeat(500)}`;
    const texts = html(`see [this](${url}) now`, 100, utf16);
    expect(texts.join("").replaceAll(" ", "")).toBe(`seethis(${url})now`);
    expect(texts.every((text) => text.length <= 100)).toBe(true);
  });

  it("marks that leave no room are left out, and the text stays", () => {
    expect(html("**_abcdef_**", 6, utf16)).toEqual(["abcdef"]);
  });

  it("a character over the limit goes alone: there is always progress", () => {
    expect(html("a & b", 3, utf16)).toEqual(["a", "&amp;", "b"]);
  });

  it("a grapheme over the limit is cut between code points", () => {
    const zalgo = `a${"\u0301".repeat(50)}`;
    const texts = html(zalgo, 20);
    expect(texts.join("")).toBe(zalgo);
    expect(texts.map((text) => text.length)).toEqual([20, 20, 11]);
  });

  it("the last word is the renderer's: a part that is rendered longer than a longer one is made shorter", () => {
    const render = (root: MarkdownRoot): { readonly text: string; readonly length: number } => {
      const text = plainText(root);
      return { text, length: text.length + (text.endsWith("b") ? 5 : 0) };
    };
    const chunks = chunkMarkdown("aaaa aaab aaaa aaaa", { limit: 10, render });
    expect(chunks.every(({ length }) => length <= 10)).toBe(true);
    expect(
      chunks
        .map(({ text }) => text)
        .join("")
        .replaceAll(" ", ""),
    ).toBe("aaaaaaabaaaaaaaa");
  });
});

describe("work for 100,000 characters", () => {
  /** Characters that the renderer was given, for each character of the text; and calls for each chunk. */
  function workOf(markdown: string): { readonly perChar: number; readonly perChunk: number } {
    const root = parseMarkdown(markdown);
    let chars = 0;
    let calls = 0;
    const chunks = chunkMarkdown(root, {
      limit: 4096,
      render: (part) => {
        const { length } = plainText(part);
        chars += length;
        calls += 1;
        return { length };
      },
    });
    return { perChar: chars / plainText(root).length, perChunk: calls / chunks.length };
  }

  const texts: Readonly<Record<string, (chars: number) => string>> = {
    prose: (chars) => "Some **bold** words, and some more. ".repeat(chars / 36),
    "one word": (chars) => `*a*${"b".repeat(chars)}`,
    "joined emoji": (chars) => `*a*${"👩‍👩‍👧‍👦".repeat(chars / 11)}`,
    code: (chars) => `\`\`\`js\n${"let x = 1;\n".repeat(chars / 11)}\`\`\``,
    "one endless grapheme": (chars) => `*a*${"\u0301".repeat(chars)}`,
    "a list": (chars) => "- an item of a list\n".repeat(chars / 20),
    "a table": (chars) => `| a | b |\n|---|---|\n${"| one | two |\n".repeat(chars / 14)}`,
  };

  it.each(Object.keys(texts))("%s is rendered a few times at most, and no oftener in a longer text", (name) => {
    const text = texts[name] as (chars: number) => string;
    const short = workOf(text(20_000));
    const long = workOf(text(99_000));
    expect(long.perChar).toBeLessThan(8);
    expect(long.perChunk).toBeLessThan(8);
    expect(long.perChar).toBeLessThan(short.perChar * 1.5);
  });
});
