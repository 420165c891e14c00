import { isCompatible, isSameTarget, type WaitingItem } from "./lane-item.ts";

/**
 * The waiting items that the next run answers: the head alone, or, when it is to be collected,
 * with every compatible one behind it up to the first that waits in the same place for a turn of its own.
 */
export function groupAtHead(waiting: readonly WaitingItem[]): readonly WaitingItem[] {
  const [head, ...rest] = waiting;
  if (head === undefined) return [];
  if (head.mode !== "collect") return [head];
  const group = [head];
  for (const item of rest) {
    if (!isSameTarget(item.target, head.target)) continue;
    if (item.mode !== "collect" || !isCompatible(item, head)) break;
    group.push(item);
  }
  return group;
}

/** When the quiet time behind the newest of them is over, ms on the clock of `atMs`. */
export function dueAtMsOf(items: readonly WaitingItem[]): number {
  return items.reduce((latest, item) => Math.max(latest, item.dueAtMs), 0);
}
