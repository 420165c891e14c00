/** Levels of a fact object: deeper ones are the platform's own objects, which are not ours to freeze. */
const DEPTH = 3;

/** Freezes plain fact objects where they stand, so that a stage that changes one fails in tests. Functions and class instances are left. */
export function freezeFacts(value: unknown, depth: number = DEPTH): void {
  if (depth === 0 || typeof value !== "object" || value === null || Object.isFrozen(value)) return;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null && !Array.isArray(value)) return;
  for (const [key, item] of Object.entries(value)) {
    // What is passed through unread is not a fact.
    if (key !== "raw" && key !== "cfg") freezeFacts(item, depth - 1);
  }
  Object.freeze(value);
}
