/** Edits between two short words, where two neighbours that changed places count as one (optimal string alignment). */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, index) => index)];
  const at = (i: number, j: number): number => rows[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j += 1) {
      const isEqual = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const edits = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (isEqual ? 0 : 1));
      row.push(isSwapped ? Math.min(edits, at(i - 2, j - 2) + 1) : edits);
    }
  }
  return at(a.length, b.length);
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
