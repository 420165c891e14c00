/** A code fence that is open at some place of a text. */
export interface OpenFence {
  /** The line that opened it, with its language. */
  readonly opening: string;
  /** What closes it. */
  readonly closing: string;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;

/** The fence that is open behind a line, given the one that is open before it; null when none is. */
export function fenceAfter(line: string, open: OpenFence | null): OpenFence | null {
  const [, marks, info = ""] = FENCE.exec(line) ?? [];
  if (marks === undefined) return open;
  if (open !== null) return marks.startsWith(open.closing) && info.trim() === "" ? null : open;
  // Back ticks behind back ticks are code within a line.
  return marks.startsWith("`") && info.includes("`") ? null : { opening: line.trim(), closing: marks };
}
