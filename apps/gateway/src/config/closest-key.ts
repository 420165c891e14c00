/** Levenshtein distance of two short strings. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substitution = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substitution, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** The known key that a misspelt one most likely means, or null when none is close. */
export function closestKey(wrong: string, known: readonly string[]): string | null {
  let best: { readonly key: string; readonly distance: number } | null = null;
  for (const key of known) {
    const found = distance(wrong.toLowerCase(), key.toLowerCase());
    if (best === null || found < best.distance) best = { key, distance: found };
  }
  // A third of the letters may be wrong; more than that is another word.
  return best !== null && best.distance <= Math.max(1, Math.floor(wrong.length / 3)) ? best.key : null;
}
