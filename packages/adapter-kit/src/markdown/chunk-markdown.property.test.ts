import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { randomMarkdown, randomText } from "../../test/support/random-markdown.ts";
import { TEST_RENDERERS, type TestRendered } from "../../test/support/renderers.ts";
import { chunkMarkdown } from "./chunk-markdown.ts";
import { measureText } from "./measure-text.ts";
import { parseMarkdown } from "./parse-markdown.ts";
import { plainRoot } from "./plain-root.ts";
import { plainText } from "./plain-text.ts";

/** One code point, escaped, in the largest unit: what every limit must have room for. */
const SMALLEST_LIMIT = 6;
const limits = fc.oneof(fc.integer({ min: SMALLEST_LIMIT, max: 40 }), fc.integer({ min: 40, max: 700 }));

/** The parts stand in the whole in their order, and only white space is between them. */
function expectReassembled(whole: string, parts: readonly string[]): void {
  let rest = whole.trimStart();
  for (const part of parts) {
    const inner = part.trim();
    expect(rest.slice(0, inner.length)).toBe(inner);
    rest = rest.slice(inner.length).trimStart();
  }
  expect(rest).toBe("");
}

/** Every tag that is opened is closed, in the right order. */
function expectBalanced(html: string): void {
  const open: string[] = [];
  for (const [, slash, name = ""] of html.matchAll(/<(\/?)([a-z]+)[^>]*>/g)) {
    if (slash === "") open.push(name);
    else expect(open.pop()).toBe(name);
  }
  expect(open).toEqual([]);
}

function expectWellFormed(text: string): void {
  expect(text.isWellFormed()).toBe(true);
}

describe.each(Object.entries(TEST_RENDERERS))("chunks of random Markdown, measured in %s", (_, render) => {
  const check = (property: (markdown: string, limit: number, chunks: readonly TestRendered[]) => void): void => {
    fc.assert(
      fc.property(randomMarkdown, limits, (markdown, limit) => {
        property(markdown, limit, chunkMarkdown(markdown, { limit, render }));
      }),
      { numRuns: 60 },
    );
  };

  it("are within the limit, and go on: none is empty, and there are no more than characters", () => {
    check((markdown, limit, chunks) => {
      for (const chunk of chunks) {
        expect(chunk.length).toBeLessThanOrEqual(limit);
        expect(chunk.root.children).not.toEqual([]);
      }
      expect(chunks.length).toBeLessThanOrEqual(measureText(markdown, "code_points"));
    });
  });

  it("hold all of the text, in order, but for the white space at the breaks", () => {
    check((markdown, _limit, chunks) => {
      const whole = plainText(parseMarkdown(markdown));
      expectReassembled(
        whole,
        chunks.map(({ root }) => plainText(root)),
      );
    });
  });

  it("are balanced, and never hold half a character", () => {
    check((_markdown, _limit, chunks) => {
      for (const { text } of chunks) {
        expectBalanced(text);
        expectWellFormed(text);
      }
    });
  });

  it("are the same when asked for one by one", () => {
    check((markdown, limit, chunks) => {
      const first = chunkMarkdown(markdown, { limit, render, maxChunks: 1 });
      expect(first).toEqual(chunks.slice(0, 1));
    });
  });
});

describe("chunks of plain text", () => {
  const render = TEST_RENDERERS["code points without markup"] as (typeof TEST_RENDERERS)[string];

  it("never end within a grapheme that fits", () => {
    const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
    const graphemesOf = (text: string): readonly string[] =>
      [...segmenter.segment(text)].map(({ segment }) => segment).filter((segment) => segment.trim() !== "");
    const joined = fc
      .array(fc.constantFrom("👩‍👩‍👧‍👦", "👍🏽", "🇩🇪", "e\u0301\u0323", "漢", "x"), { minLength: 1, maxLength: 80 })
      .map((graphemes) => graphemes.join(""));
    fc.assert(
      // The longest grapheme has 7 code points.
      fc.property(fc.oneof(randomText, joined), fc.integer({ min: 7, max: 60 }), (text, limit) => {
        const chunks = chunkMarkdown(plainRoot(text), { limit, render });
        expect(chunks.flatMap(({ root }) => graphemesOf(plainText(root)))).toEqual(graphemesOf(text));
      }),
    );
  });

  it("break within words only when a word is longer than the limit", () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-z]{1,20}$/), { minLength: 1, maxLength: 80 }),
        fc.integer({ min: 20, max: 100 }),
        (words, limit) => {
          const chunks = chunkMarkdown(plainRoot(words.join(" ")), { limit, render });
          expect(chunks.flatMap(({ root }) => plainText(root).split(" "))).toEqual(words);
        },
      ),
    );
  });

  it("are as few as half-full chunks would be", () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z]{1,20}$/), { minLength: 1, maxLength: 200 }), (words) => {
        const text = words.join(" ");
        const chunks = chunkMarkdown(plainRoot(text), { limit: 100, render });
        expect(chunks.length).toBeLessThanOrEqual(Math.ceil(text.length / 50));
      }),
    );
  });
});
