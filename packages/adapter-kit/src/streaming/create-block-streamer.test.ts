import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { randomMarkdown } from "../../test/support/random-markdown.ts";
import { createManualClock, type ManualClock } from "../manual-clock.ts";
import { type BlockStreamer, type BlockStreamerOptions, createBlockStreamer } from "./create-block-streamer.ts";
import { fenceAfter, type OpenFence } from "./fence-lines.ts";

interface Streamed {
  readonly clock: ManualClock;
  readonly streamer: BlockStreamer;
  readonly blocks: string[];
}

function stream(options: Partial<BlockStreamerOptions> = {}): Streamed {
  const clock = createManualClock();
  const blocks: string[] = [];
  const emit = (block: string): Promise<unknown> => Promise.resolve(blocks.push(block));
  return { clock, blocks, streamer: createBlockStreamer({ clock, emit, minChars: 10, maxChars: 30, ...options }) };
}

describe("the block streamer", () => {
  it("emits a block when nothing joins it in time, and the rest at the end", async () => {
    const { clock, streamer, blocks } = stream();
    streamer.push("A first paragraph.\n\nAnd");
    await clock.advance(999);
    expect(blocks).toEqual([]);
    await clock.advance(1);
    expect(blocks).toEqual(["A first paragraph."]);
    streamer.push(" more");
    await streamer.finish();
    expect(blocks).toEqual(["A first paragraph.", "And more"]);
    expect(clock.pendingTimers).toBe(0);
  });

  it("joins blocks that come close together, as they stood", async () => {
    const { clock, streamer, blocks } = stream({ maxChars: 60 });
    for (const delta of [
      "A first paragraph.",
      "\n\n",
      "A second one here.",
      "\n\nA third paragraph which is longer.",
    ]) {
      streamer.push(delta);
      await clock.advance(500);
    }
    await streamer.finish();
    expect(blocks).toEqual(["A first paragraph.\n\nA second one here.", "A third paragraph which is longer."]);
  });

  it("joins nothing when told so", async () => {
    const { clock, streamer, blocks } = stream({ coalesceIdleMs: 0 });
    streamer.push("A first paragraph.\n\nA second one here.\n\nA");
    await clock.advance(0);
    expect(blocks).toEqual(["A first paragraph.", "A second one here."]);
    await streamer.finish();
    expect(blocks).toEqual(["A first paragraph.", "A second one here.", "A"]);
  });

  it("makes a block of a stretch of text that ended, however short", async () => {
    const { clock, streamer, blocks } = stream();
    streamer.push("Look:");
    await clock.advance(5000);
    expect(blocks).toEqual([]);
    streamer.endText();
    await clock.advance(1000);
    expect(blocks).toEqual(["Look:"]);
  });

  it("keeps a code block balanced that it has to cut", async () => {
    const { streamer, blocks } = stream({ coalesceIdleMs: 0 });
    streamer.push("```js\nlet first = 1;\nlet second = 2;\nlet third = 3;\n```");
    await streamer.finish();
    expect(blocks).toEqual(["```js\nlet first = 1;\n```", "```js\nlet second = 2;\n```", "```js\nlet third = 3;\n```"]);
  });

  it.each([
    { name: "the silent token", deltas: ["NO", "_REP", "LY"], blocks: [] },
    { name: "the silent token, ended twice", deltas: ["no_reply", null], blocks: [] },
    { name: "what only begins like it", deltas: ["NO", null, "_REPLACEMENT"], blocks: ["NO_REPLACEMENT"] },
    { name: "nothing", deltas: [" ", "\n"], blocks: [] },
    { name: "the token behind something", deltas: ["Well", null, "NO_REPLY"], blocks: ["Well", "NO_REPLY"] },
  ])("of $name it emits $blocks", async ({ deltas, blocks }) => {
    const streamed = stream();
    for (const delta of deltas) {
      if (delta === null) streamed.streamer.endText();
      else streamed.streamer.push(delta);
    }
    await streamed.clock.advance(2000);
    await streamed.streamer.finish();
    expect(streamed.blocks).toEqual(blocks);
  });

  it("pauses like a person between blocks, and not before the first", async () => {
    const { clock, streamer, blocks } = stream({ coalesceIdleMs: 0, humanDelay: "natural", random: () => 0.5 });
    streamer.push("A first paragraph.\n\nA second one here.");
    const finished = streamer.finish();
    await clock.advance(1649);
    expect(blocks).toEqual(["A first paragraph."]);
    await clock.advance(1);
    await finished;
    expect(blocks).toEqual(["A first paragraph.", "A second one here."]);
  });

  it("emits one block at a time, in order", async () => {
    const begun: string[] = [];
    const waiting: (() => void)[] = [];
    const { clock, streamer } = stream({
      coalesceIdleMs: 0,
      emit: (block) => {
        begun.push(block);
        const { promise, resolve } = Promise.withResolvers<void>();
        waiting.push(resolve);
        return promise;
      },
    });
    streamer.push("A first paragraph.\n\nA second one here.\n\n");
    const finished = streamer.finish();
    await clock.advance(0);
    expect(begun).toEqual(["A first paragraph."]);
    waiting[0]?.();
    await clock.advance(0);
    expect(begun).toEqual(["A first paragraph.", "A second one here."]);
    waiting[1]?.();
    await finished;
  });

  it("ends with the first error, and emits nothing behind it", async () => {
    const begun: string[] = [];
    const { streamer } = stream({
      coalesceIdleMs: 0,
      emit: (block) => {
        begun.push(block);
        return Promise.reject(new Error("chat is gone"));
      },
    });
    streamer.push("A first paragraph.\n\nA second one here.");
    await expect(streamer.finish()).rejects.toThrow("chat is gone");
    expect(begun).toEqual(["A first paragraph."]);
  });

  it("emits nothing more once cancelled, also in a pause", async () => {
    const { clock, streamer, blocks } = stream({ coalesceIdleMs: 0, humanDelay: "natural" });
    streamer.push("A first paragraph.\n\nA second one here.\n\nA third");
    await clock.advance(10);
    streamer.cancel();
    streamer.push("More that nobody wants.");
    await streamer.finish();
    await clock.advance(60_000);
    expect(blocks).toEqual(["A first paragraph."]);
    expect(clock.pendingTimers).toBe(0);
  });

  it("has the bounds of the message settings by default", async () => {
    const clock = createManualClock();
    const blocks: string[] = [];
    const streamer = createBlockStreamer({ clock, emit: (block) => Promise.resolve(blocks.push(block)) });
    streamer.push(`${"word ".repeat(160)}\n\n${"word ".repeat(300)}`);
    await streamer.finish();
    expect(blocks.map(({ length }) => length)).toEqual([800, 1199, 299]);
  });
});

describe("blocks of random Markdown in random pieces", () => {
  const bounds = fc.record({ minChars: fc.integer({ min: 1, max: 80 }), more: fc.integer({ min: 0, max: 200 }) });
  const openAtEnd = (text: string): OpenFence | null =>
    text.split("\n").reduce<OpenFence | null>((open, line) => fenceAfter(line, open), null);
  /** What stays the same when fences are closed and opened again. */
  const content = (text: string): string =>
    text
      .split("\n")
      .filter((line) => !/^\s*(?:`{3,}|~{3,})/.test(line))
      .join("")
      .replaceAll(/\s/g, "");

  it("hold everything in order, close what they open, and keep their bounds", async () => {
    await fc.assert(
      fc.asyncProperty(
        randomMarkdown,
        bounds,
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
        async (markdown, { minChars, more }, sizes) => {
          // Long enough for a fence line: shorter blocks cannot repeat one.
          const maxChars = Math.max(40, minChars + more);
          // Prose behind a fence is no language: a line of it that has to be cut is a fence no more.
          fc.pre(!/^\s*(?:`{3}|~{3}).{30}/m.test(markdown));
          const { streamer, blocks } = stream({ minChars, maxChars, coalesceIdleMs: 0 });
          for (let from = 0, turn = 0; from < markdown.length; turn += 1) {
            const to = from + (sizes[turn % sizes.length] ?? 1);
            streamer.push(markdown.slice(from, to));
            from = to;
          }
          await streamer.finish();
          expect(content(blocks.join("\n"))).toBe(content(markdown));
          for (const [index, block] of blocks.entries()) {
            expect(block.isWellFormed()).toBe(true);
            expect(block.length).toBeLessThanOrEqual(maxChars + 10);
            if (index < blocks.length - 1) expect(openAtEnd(block)).toBeNull();
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});
