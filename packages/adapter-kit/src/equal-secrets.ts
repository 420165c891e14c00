import { createHash, timingSafeEqual } from "node:crypto";

/**
 * Compares what a request brought with what it must have brought, in time that tells nothing about either.
 * Whatever comes in is fine: absent, empty, of another length, not ASCII, a header that stood twice; all are unequal.
 * A blank `expected` equals nothing: a forgotten secret never opens a door.
 */
export function equalSecrets(given: string | undefined, expected: string): boolean {
  if (given === undefined || expected.trim() === "") return false;
  // Digests have one length, so that the constant-time comparison can be used on texts of any length.
  const digest = (text: string): Buffer => createHash("sha256").update(text, "utf8").digest();
  return timingSafeEqual(digest(given), digest(expected));
}
