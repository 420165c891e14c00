/** A pause before each block but the first: none, one as a person would make it, or one of one's own. */
export type HumanDelay = "off" | "natural" | { readonly minMs: number; readonly maxMs: number };

/** How long a person takes between two messages, ms. */
const NATURAL = { minMs: 800, maxMs: 2500 } as const;

/** The pause, ms. `random` is from 0 up to 1. */
export function humanDelayMs(delay: HumanDelay, random: number): number {
  if (delay === "off") return 0;
  const { minMs, maxMs } = delay === "natural" ? NATURAL : delay;
  return Math.round(minMs + (Math.max(minMs, maxMs) - minMs) * random);
}
