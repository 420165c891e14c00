import fc from "fast-check";

/** Pieces that have broken chunkers: wide characters, joined emoji, combining marks, right-to-left text, escapes, long words. */
const words = fc.oneof(
  { weight: 6, arbitrary: fc.stringMatching(/^[a-zA-Z]{1,9}$/) },
  fc.constantFrom(
    "👩‍👩‍👧‍👦",
    "🏳️‍🌈",
    "👍🏽",
    "🇩🇪🇫🇷",
    "e\u0301\u0323",
    "a\u0300\u0301\u0302\u0303\u0304",
    "שָׁלוֹם",
    "مرحبا",
    "漢字。仮名！",
    "한국어",
    "&",
    "<",
    "a&b<c>",
    "&amp;",
    "snake_case_name",
    "~5",
    "2*3*4",
    "\\*",
    "end.",
    "end!\u201d",
    "no\u00a0break",
    "\u200f",
    "#no",
  ),
  fc.stringMatching(/^[a-z]{40,120}$/),
  fc.integer({ min: 20, max: 60 }).map((count) => "😀".repeat(count)),
);

const sentence = fc.array(words, { minLength: 1, maxLength: 14 }).map((list) => list.join(" "));

const inline: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: sentence },
  sentence.map((text) => `**${text}**`),
  sentence.map((text) => `*${text}*`),
  sentence.map((text) => `~~${text}~~`),
  sentence.map((text) => `**${text} _${text}_**`),
  words.map((text) => `\`${text}\``),
  sentence.map((text) => `[${text}](https://example.org/p?q=1&r=2)`),
  fc.constantFrom(
    "https://example.org/a_b_c",
    "<br>",
    "![picture](https://example.org/i.png)",
    "**unclosed",
    "`unclosed",
    "[half](",
    "  \n",
  ),
);

const line = fc.array(inline, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(" "));

const codeLine = fc.oneof(
  fc.constantFrom("", "  let x = 1;", "\tif (a && b < c) {", "}", "```inner", "`tick`", "# not a heading"),
  words,
);
const code = fc.array(codeLine, { maxLength: 12 }).map((lines) => lines.join("\n"));

const block: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => lines.join("\n")) },
  fc.tuple(fc.integer({ min: 1, max: 6 }), sentence).map(([depth, text]) => `${"#".repeat(depth)} ${text}`),
  fc.tuple(fc.constantFrom("", "js", "ts title=x"), code).map(([lang, text]) => `~~~${lang}\n${text}\n~~~`),
  code.map((text) => `\`\`\`\`\n${text}\n\`\`\`\``),
  fc
    .array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.constantFrom("-", "1.", "- [x]"), line), {
      minLength: 1,
      maxLength: 8,
    })
    .map((items) => items.map(([depth, bullet, text]) => `${"    ".repeat(depth)}${bullet} ${text}`).join("\n")),
  fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => lines.map((text) => `> ${text}`).join("\n")),
  fc
    .array(fc.tuple(words, line), { minLength: 1, maxLength: 6 })
    .map((rows) =>
      ["| a | b |", "|:--|--:|", ...rows.map(([left, right]) => `| ${left} | ${right.replaceAll("\n", " ")} |`)].join(
        "\n",
      ),
    ),
  fc.constantFrom(
    "---",
    "[note]: later",
    "[^1]: a note",
    "see [^1]",
    "<div>html</div>",
    "```js\nunclosed",
    "~~~\nunclosed",
  ),
);

/** Markdown as models write it at their worst. */
export const randomMarkdown: fc.Arbitrary<string> = fc
  .array(block, { minLength: 1, maxLength: 7 })
  .map((blocks) => blocks.join("\n\n"));

/** Text without markup, of words that are hard to cut. */
export const randomText: fc.Arbitrary<string> = fc
  .array(words, { minLength: 1, maxLength: 60 })
  .map((list) => list.join(" "));
