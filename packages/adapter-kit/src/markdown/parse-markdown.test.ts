import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { loadParser } from "./load-parser.ts";
import type { MarkdownBlock, MarkdownInline } from "./markdown-nodes.ts";
import { parseMarkdown } from "./parse-markdown.ts";
import { mayHoldMarkdown, plainRoot } from "./plain-root.ts";
import { plainText } from "./plain-text.ts";
import { reduceTree } from "./reduce-tree.ts";

const text = (value: string): MarkdownInline => ({ type: "text", value });
const paragraph = (...children: readonly MarkdownInline[]): MarkdownBlock => ({ type: "paragraph", children });
const link = (url: string, label: string): MarkdownInline => ({ type: "link", url, children: [text(label)] });

describe("parseMarkdown", () => {
  const cases: readonly {
    readonly name: string;
    readonly markdown: string;
    readonly blocks: readonly MarkdownBlock[];
  }[] = [
    {
      name: "a bare link",
      markdown: "see https://x.org/a_b",
      blocks: [paragraph(text("see "), link("https://x.org/a_b", "https://x.org/a_b"))],
    },
    {
      name: "a reference, resolved",
      markdown: "[a][b]\n\n[b]: https://x.org",
      blocks: [paragraph(link("https://x.org", "a"))],
    },
    {
      name: "a definition that nothing refers to, kept as text",
      markdown: "[note]: later",
      blocks: [paragraph(text("[note]: later"))],
    },
    {
      name: "a footnote, as text",
      markdown: "a[^1]\n\n[^1]: b",
      blocks: [paragraph(text("a[^1]")), paragraph(text("[^1]: b"))],
    },
    {
      name: "an image, as a link",
      markdown: "![cat](https://x.org/c.png)",
      blocks: [paragraph(link("https://x.org/c.png", "cat"))],
    },
    {
      name: "an image in a link",
      markdown: "[![cat](c.png)](https://x.org)",
      blocks: [paragraph(link("https://x.org", "cat"))],
    },
    {
      name: "a link without text",
      markdown: "[](https://x.org)",
      blocks: [paragraph(link("https://x.org", "https://x.org"))],
    },
    { name: "HTML, as it was written", markdown: "a <b>c</b>", blocks: [paragraph(text("a <b>c</b>"))] },
    { name: "a line break in HTML", markdown: "a<br/>b", blocks: [paragraph(text("a"), { type: "break" }, text("b"))] },
    {
      name: "one tilde is no stroke",
      markdown: "~5~ ~~6~~",
      blocks: [paragraph(text("~5~ "), { type: "delete", children: [text("6")] })],
    },
    {
      name: "prose behind a fence",
      markdown: `\`\`\`${"word ".repeat(20)}\nx\n\`\`\``,
      blocks: [{ type: "code", lang: null, value: `${"word ".repeat(20).trim()}\nx` }],
    },
    {
      name: "a task",
      markdown: "- [x] a",
      blocks: [
        {
          type: "list",
          ordered: false,
          start: 1,
          spread: false,
          children: [{ type: "listItem", checked: true, continued: false, children: [paragraph(text("a"))] }],
        },
      ],
    },
    {
      name: "line ends of other systems",
      markdown: "a\r\n\r\n*b*\rc",
      blocks: [paragraph(text("a")), paragraph({ type: "emphasis", children: [text("b")] }, text("\nc"))],
    },
    {
      name: "a fence with a language and nothing in it: the word is all there is to see",
      markdown: "~~~a",
      blocks: [{ type: "code", lang: null, value: "a" }],
    },
    { name: "an empty fence, which shows nothing", markdown: "``", blocks: [paragraph(text("``"))] },
  ];

  it.each(cases)("$name", ({ markdown, blocks }) => {
    expect(parseMarkdown(markdown).children).toEqual(blocks);
  });

  it.each([
    { name: "quotes in quotes", markdown: `${">".repeat(20_000)}a` },
    { name: "marks in marks", markdown: `${"**a".repeat(3000)}${"**".repeat(3000)}` },
    { name: "brackets", markdown: "[".repeat(20_000) },
    {
      name: "lists in lists",
      markdown: Array.from({ length: 150 }, (_, depth) => `${"  ".repeat(depth)}- a`).join("\n"),
    },
    { name: "more marks than prose has", markdown: "*a*\n".repeat(20_000) },
    { name: "a text that is too long", markdown: "**a** ".repeat(20_000) },
  ])("stands $name, and loses none of it", ({ markdown }) => {
    const letters = (value: string): number => value.replaceAll(/[^a[]/g, "").length;
    expect(letters(plainText(parseMarkdown(markdown)))).toBe(letters(markdown));
  });

  it("gives a tree with text for every text that has any", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...Array.from("ab \n*_`[]()<>#-|~!:")), maxLength: 60 }),
        (markdown) => {
          const visible = /[ab]/.test(markdown);
          if (visible) expect(plainText(parseMarkdown(markdown))).toMatch(/[ab]/);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe("the way around the parser", () => {
  const parseAlways = (markdown: string): unknown => {
    const { fromMarkdown, gfm, gfmFromMarkdown } = loadParser();
    return reduceTree(
      fromMarkdown(markdown, { extensions: [gfm({ singleTilde: false })], mdastExtensions: [gfmFromMarkdown()] }),
    );
  };

  it("gives what the parser would give", () => {
    const letters = Array.from("abAZ09 \n\n.,;:?!()'\"/-+=%$^{}é漢😀\u0301\u200d\u00a0\u2028");
    const random = fc.string({ unit: fc.constantFrom(...letters), maxLength: 80 });
    fc.assert(
      fc.property(random, (markdown) => {
        fc.pre(!mayHoldMarkdown(markdown));
        expect(plainRoot(markdown)).toEqual(parseAlways(markdown));
      }),
      { numRuns: 2000 },
    );
  });

  it.each(["Hello, how are you?", "One.\n\nTwo (2) - and 3.5 + 4 = 7.5!", "Ünïcode 漢字 😀"])(
    "is taken for %j",
    (markdown) => {
      expect(mayHoldMarkdown(markdown)).toBe(false);
    },
  );

  it.each([
    "*a*",
    "1. a",
    "- a",
    "+ a",
    "a\n===",
    "    a",
    "see www.x.org",
    "http://x",
    "a@b.c",
    "a  \nb",
    "a | b",
    "&amp;",
    "# a",
    "> a",
    "~~a~~",
  ])("is not taken for %j", (markdown) => {
    expect(mayHoldMarkdown(markdown)).toBe(true);
  });
});
