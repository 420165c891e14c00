import { existsSync, readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { renderMethodTable } from "./method-table.ts";
import { BOT_METHODS } from "./telegram/methods/method-table.ts";

const README = new URL("../README.md", import.meta.url);
const SPEC = new URL("../../../../shared/specs/telegram/bot-api-10.1.json", import.meta.url);

describe("the method table", () => {
  it("stands in the README as the code has it", () => {
    expect(readFileSync(README, "utf8").replaceAll(/ +\|/g, " |").replaceAll(/-{3,}/g, "---")).toContain(
      renderMethodTable(),
    );
  });

  it.skipIf(!existsSync(SPEC))("names methods of the Bot API only (needs ../shared/specs)", () => {
    const spec = JSON.parse(readFileSync(SPEC, "utf8")) as { readonly methods: Readonly<Record<string, unknown>> };
    expect(BOT_METHODS.map((method) => method.name).filter((name) => !(name in spec.methods))).toEqual([]);
  });
});
