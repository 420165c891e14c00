import { parseMarkdown, plainText } from "@turnwire/adapter-kit";
import type { OutboundPart } from "@turnwire/turn-ports";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { bodyOf } from "./part-body.ts";
import { render } from "./render.ts";

const TARGET = { to: "1", chatKind: "direct" } as const;
const ACCOUNT = { replyToMode: "off" } as const;

interface Entity {
  readonly type: string;
  readonly offset: number;
  readonly length: number;
}

function sent(part: OutboundPart): { readonly text: string; readonly entities: readonly Entity[] } {
  const params = bodyOf(part)?.params ?? {};
  const text = params["text"] ?? params["caption"] ?? "";
  return {
    text: typeof text === "string" ? text : "",
    entities: (params["entities"] ?? params["caption_entities"] ?? []) as unknown as readonly Entity[],
  };
}

/** What of `wanted` is not found in `shown`, in its order. */
function leftOut(wanted: string, shown: string): string {
  let at = 0;
  for (const [index, unit] of wanted.split("").entries()) {
    const found = shown.indexOf(unit, at);
    if (found < 0) return wanted.slice(index);
    at = found + 1;
  }
  return "";
}

const word = fc.oneof(
  { weight: 5, arbitrary: fc.string({ minLength: 1, maxLength: 12 }) },
  { weight: 2, arbitrary: fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 }) },
  { weight: 1, arbitrary: fc.constantFrom("&", "<", ">", "👩‍👩‍👧", "_", "*", "`", "[", "](", "|", "\\") },
);
const inline = fc.oneof(
  word,
  word.map((text) => `**${text}**`),
  word.map((text) => `*${text}*`),
  word.map((text) => `\`${text}\``),
  word.map((text) => `[${text}](https://example.org/${encodeURIComponent(text.toWellFormed())})`),
);
const line = fc.array(inline, { minLength: 1, maxLength: 12 }).map((words) => words.join(" "));
const block = fc.oneof(
  line,
  line.map((text) => `# ${text}`),
  line.map((text) => `> ${text}`),
  fc.array(line, { minLength: 1, maxLength: 6 }).map((items) => items.map((item) => `- ${item}`).join("\n")),
  fc
    .array(line, { minLength: 1, maxLength: 30 })
    .map((lines) => `\`\`\`ts\n${lines.join("\n").replaceAll("```", "")}\n\`\`\``),
  fc
    .array(fc.tuple(word, word), { minLength: 1, maxLength: 8 })
    .map((rows) =>
      [
        "| a | b |",
        "| - | - |",
        ...rows.map(([a, b]) => `| ${a.replaceAll(/[|\n\r]/g, "")} | ${b.replaceAll(/[|\n\r]/g, "")} |`),
      ].join("\n"),
    ),
);
const shortText = fc.array(block, { minLength: 1, maxLength: 6 }).map((blocks) => blocks.join("\n\n"));
const longText = fc
  .tuple(shortText, fc.integer({ min: 1, max: 12 }))
  .map(([text, times]) => Array.from({ length: times }, () => text).join("\n\n"));

describe("any answer", () => {
  it("fits into Telegram's messages, with entities that lie within them and nest", () => {
    fc.assert(
      fc.property(longText, (text) => {
        for (const part of render({ text }, { target: TARGET, mode: "final" }, ACCOUNT)) {
          const { text: shown, entities } = sent(part);
          expect(Array.from(shown).length).toBeLessThanOrEqual(4096);
          expect(shown.trim()).not.toBe("");
          expect(shown.isWellFormed()).toBe(text.isWellFormed() || shown.isWellFormed());
          expect(entities.length).toBeLessThanOrEqual(100);
          const open: Entity[] = [];
          for (const entity of entities) {
            expect(Number.isInteger(entity.offset) && entity.offset >= 0 && entity.length > 0).toBe(true);
            expect(entity.offset + entity.length).toBeLessThanOrEqual(shown.length);
            while (open.length > 0 && (open.at(-1)?.offset ?? 0) + (open.at(-1)?.length ?? 0) <= entity.offset)
              open.pop();
            const around = open.at(-1);
            if (around !== undefined) {
              expect(entity.offset + entity.length).toBeLessThanOrEqual(around.offset + around.length);
              expect(["code", "pre"]).not.toContain(around.type);
            }
            open.push(entity);
          }
        }
      }),
      { numRuns: 40 },
    );
  });

  it("arrives whole: the parts together hold every visible character, in order", () => {
    fc.assert(
      fc.property(longText, (text) => {
        const parts = render({ text }, { target: TARGET, mode: "final" }, ACCOUNT);
        // Bullets, rules, table borders and spelled-out addresses are added; nothing is left out.
        const shown = parts
          .map((part) => sent(part).text)
          .join("")
          .replaceAll(/\s/gu, "");
        const wanted = plainText(parseMarkdown(text)).replaceAll(/\s/gu, "");
        expect(leftOut(wanted, shown)).toBe("");
      }),
      { numRuns: 40 },
    );
  });

  it("has a draft of at most one message, which is the beginning of the answer", () => {
    fc.assert(
      fc.property(longText, fc.nat(), (text, cut) => {
        const growing = text.slice(0, cut % (text.length + 1));
        const parts = render({ text: growing }, { target: TARGET, mode: "draft", draftId: 1 }, ACCOUNT);
        expect(parts.length).toBeLessThanOrEqual(1);
        for (const part of parts) expect(Array.from(sent(part).text).length).toBeLessThanOrEqual(4096);
        const [final] = render({ text: growing }, { target: TARGET, mode: "final" }, ACCOUNT);
        if (final !== undefined) expect(parts.map((part) => sent(part).text)).toEqual([sent(final).text]);
      }),
      { numRuns: 40 },
    );
  });
});
