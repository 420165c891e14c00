import { expect, it } from "vitest";

import { humanDelayMs } from "./human-delay.ts";

it.each([
  { delay: "off", random: 0.5, ms: 0 },
  { delay: "natural", random: 0, ms: 800 },
  { delay: "natural", random: 0.5, ms: 1650 },
  { delay: "natural", random: 1, ms: 2500 },
  { delay: { minMs: 10, maxMs: 20 }, random: 0.5, ms: 15 },
  { delay: { minMs: 20, maxMs: 10 }, random: 0.5, ms: 20 },
] as const)("$delay at $random: $ms ms", ({ delay, random, ms }) => {
  expect(humanDelayMs(delay, random)).toBe(ms);
});
