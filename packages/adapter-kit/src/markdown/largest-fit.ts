/** What is searched. Positions are whole numbers; a longer part is, but for a hair, measured longer. */
export interface FitQuery {
  readonly from: number;
  readonly end: number;
  readonly limit: number;
  /** Length of what lies between `from` and a position. */
  readonly measure: (end: number) => number;
  /** The position, or one just before it where a part may end. */
  readonly snap: (at: number) => number;
}

/** Hundredth of the limit that may stay unused: finding the very last character costs more calls than it is worth. */
const SLACK = 0.01;

/**
 * A position close to the last one up to which everything fits; `from` when nothing does. Only parts that were measured
 * are answered. Looks at parts in proportion to the limit, never at all that is left: each probe is at most four times as
 * far as one that fitted, and the way between is guessed from the lengths so far, and halved every other time.
 */
export function largestFit(query: FitQuery): number {
  const { from, end, limit, measure, snap } = query;
  let low = from;
  let lowLength = 0;
  let high = end + 1;
  let highLength = Number.POSITIVE_INFINITY;
  let probe = Math.min(end, from + Math.max(1, Math.floor(limit)));
  for (let step = 0; high - low > 1; step += 1) {
    const snapped = snap(probe);
    // Between two units of one character: the next border up, when that is still open.
    const at = snapped > low ? snapped : probe + 1;
    if (at >= high || at > end) break;
    const length = measure(at);
    if (length <= limit) {
      low = at;
      lowLength = length;
      if (low === end || limit - length <= limit * SLACK) break;
    } else {
      high = at;
      highLength = length;
    }
    probe = nextProbe(low, high, step);
  }
  return low;

  function nextProbe(below: number, above: number, step: number): number {
    if (above > end) {
      const reach = below - from;
      const perUnit = lowLength === 0 ? 4 : limit / lowLength;
      return Math.min(end, from + Math.ceil(reach * Math.min(4, perUnit)) + 1);
    }
    const share = step % 2 === 0 ? 0.5 : (limit - lowLength) / Math.max(1, highLength - lowLength);
    const guess = below + Math.floor((above - below) * share);
    return Math.min(above - 1, Math.max(below + 1, guess));
  }
}
