import { describe, expect, it } from "vitest";

import { formatText, TEXT_LIMIT } from "./format-text.ts";

function format(text: string, parseMode?: string): { readonly text: string; readonly entities: readonly object[] } {
  return formatText({ text, parseMode, limit: TEXT_LIMIT, what: "text" });
}

describe("MarkdownV2", () => {
  it.each([
    ["*bold*", "bold", [{ type: "bold", offset: 0, length: 4 }]],
    [
      "_it_ *b*",
      "it b",
      [
        { type: "italic", offset: 0, length: 2 },
        { type: "bold", offset: 3, length: 1 },
      ],
    ],
    [
      "*a _b_*",
      "a b",
      [
        { type: "bold", offset: 0, length: 3 },
        { type: "italic", offset: 2, length: 1 },
      ],
    ],
    [
      "__u__ ~s~ ||p||",
      "u s p",
      [
        { type: "underline", offset: 0, length: 1 },
        { type: "strikethrough", offset: 2, length: 1 },
        { type: "spoiler", offset: 4, length: 1 },
      ],
    ],
    ["`a\\`b`", "a`b", [{ type: "code", offset: 0, length: 3 }]],
    ["```js\nlet a\n```", "let a", [{ type: "pre", offset: 0, length: 5, language: "js" }]],
    ["[x](http://a.b/c\\)d)", "x", [{ type: "text_link", offset: 0, length: 1, url: "http://a.b/c)d" }]],
    [">q\n>r\nz", "q\nr\nz", [{ type: "blockquote", offset: 0, length: 3 }]],
    ["😀 *b*", "😀 b", [{ type: "bold", offset: 3, length: 1 }]],
    ["1\\.5 \\- \\\\", "1.5 - \\", []],
  ])("%s", (source, text, entities) => {
    expect(format(source, "MarkdownV2")).toEqual({ text, entities });
  });

  it.each([
    ["a.b", "Character '.' is reserved and must be escaped with the preceding '\\'"],
    ["a-b", "Character '-' is reserved and must be escaped with the preceding '\\'"],
    ["*a", "Can't find end of Bold entity at byte offset 0"],
    ["é _a", "Can't find end of Italic entity at byte offset 3"],
    ["`a", "Can't find end of Code entity at byte offset 0"],
    ["```a", "Can't find end of Pre entity at byte offset 0"],
    ["[a](b", "Can't find end of a URL at byte offset 0"],
  ])("refuses %s", (source, complaint) => {
    expect(() => format(source, "MarkdownV2")).toThrow(`Bad Request: can't parse entities: ${complaint}`);
  });
});

describe("HTML", () => {
  it.each([
    [
      "<b>a<i>b</i></b>",
      "ab",
      [
        { type: "bold", offset: 0, length: 2 },
        { type: "italic", offset: 1, length: 1 },
      ],
    ],
    ["&lt;&amp;&#65;&#x42;", "<&AB", []],
    ['<a href="http://x.y">z</a>', "z", [{ type: "text_link", offset: 0, length: 1, url: "http://x.y" }]],
    ['<pre><code class="language-js">x</code></pre>', "x", [{ type: "pre", offset: 0, length: 1, language: "js" }]],
    ['<span class="tg-spoiler">x</span>', "x", [{ type: "spoiler", offset: 0, length: 1 }]],
    ["<blockquote expandable>x</blockquote>", "x", [{ type: "expandable_blockquote", offset: 0, length: 1 }]],
    ["a & b", "a & b", []],
  ])("%s", (source, text, entities) => {
    expect(format(source, "HTML")).toEqual({ text, entities });
  });

  it.each([
    ["<x>", 'Unsupported start tag "x" at byte offset 0'],
    ["é<b>a", `Can't find end tag corresponding to start tag "b"`],
    ["<b>a</i>", 'Unmatched end tag at byte offset 4, expected "</b>", found "</i>"'],
    ["a</b>", "Unexpected end tag at byte offset 1"],
    ["<b", "Unclosed start tag at byte offset 0"],
  ])("refuses %s", (source, complaint) => {
    expect(() => format(source, "HTML")).toThrow(`Bad Request: can't parse entities: ${complaint}`);
  });
});

describe("limits", () => {
  it.each([
    { case: "4096 letters", text: "a".repeat(4096), ok: true },
    { case: "4097 letters", text: "a".repeat(4097), ok: false },
    { case: "4096 code points of two units", text: "😀".repeat(4096), ok: true },
    { case: "4097 code points of two units", text: "😀".repeat(4097), ok: false },
    { case: "marks do not count", text: `<b>${"a".repeat(4096)}</b>`, ok: true },
  ])("$case: taken $ok", ({ text, ok }) => {
    const run = (): object => format(text, "HTML");
    if (ok) expect(run).not.toThrow();
    else expect(run).toThrow("Bad Request: message is too long");
  });

  it("cuts white space and moves the spans along", () => {
    expect(format("  <b>a</b> \n", "HTML")).toEqual({ text: "a", entities: [{ type: "bold", offset: 0, length: 1 }] });
  });

  it("finds commands, mentions and links by itself", () => {
    expect(format("/stop@bot @ann http://x.y/z.").entities).toEqual([
      { type: "bot_command", offset: 0, length: 9 },
      { type: "mention", offset: 10, length: 4 },
      { type: "url", offset: 15, length: 12 },
    ]);
  });
});
