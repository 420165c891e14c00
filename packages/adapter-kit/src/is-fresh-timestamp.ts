/** How far a signed timestamp may be from our clock, ms: five minutes, as Slack advises; it also covers clocks that are off. */
const TIMESTAMP_TOLERANCE_MS = 300_000;

/**
 * True when a header holds a time in whole epoch seconds that is neither stale nor early.
 * Both sides count: a signature dated into the future could be kept and used later.
 */
export function isFreshTimestamp(
  seconds: string | undefined,
  nowMs: number,
  toleranceMs: number = TIMESTAMP_TOLERANCE_MS,
): boolean {
  // Twelve digits last for thirty thousand years; more are an attempt to confuse.
  if (seconds === undefined || !/^\d{1,12}$/.test(seconds)) return false;
  return Math.abs(nowMs - Number(seconds) * 1000) <= toleranceMs;
}
