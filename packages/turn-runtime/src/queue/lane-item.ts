/** Where the answer to a message goes. Captured at ingest; a session may hold several. */
export interface LaneTarget {
  readonly channel: string;
  readonly accountId: string;
  readonly replyTarget: string;
  readonly threadId?: string | undefined;
  /** Direct chats keep people apart even where they share a session. */
  readonly direct: boolean;
}

/** One message (or one batch that debounce made of several) as the lane's policy sees it: no body, only what queueing decides by. */
export interface LaneItem {
  readonly turnId: string;
  /** Inbox rows, oldest first. */
  readonly rowIds: readonly number[];
  readonly senderId: string;
  readonly target: LaneTarget;
  /** When it reached the lane, ms on a clock that never goes back. */
  readonly atMs: number;
  /** Whether all of it fits into a steering message: text only, and its text is at hand. */
  readonly steerable: boolean;
}

/** How an item waits. An interrupting message waits as `followup` for the run that it aborts. */
export type WaitingMode = "steer" | "followup" | "collect";

/** An item that was deferred. */
export interface WaitingItem extends LaneItem {
  readonly mode: WaitingMode;
  /** When the quiet time behind it is over, ms on the same clock as `atMs`. */
  readonly dueAtMs: number;
}

/** True when both answers go to the same place of the same account. */
export function isSameTarget(left: LaneTarget, right: LaneTarget): boolean {
  return (
    left.channel === right.channel &&
    left.accountId === right.accountId &&
    left.replyTarget === right.replyTarget &&
    left.threadId === right.threadId
  );
}

/** True when the two may share a turn: the same target and, in direct chats, the same person. */
export function isCompatible(left: LaneItem, right: LaneItem): boolean {
  return isSameTarget(left.target, right.target) && (!left.target.direct || left.senderId === right.senderId);
}

/** True when `/stop` or an interruption by this person in this place reaches the item. */
export function isWorkOf(item: LaneItem, senderId: string, target: LaneTarget): boolean {
  return item.senderId === senderId && isSameTarget(item.target, target);
}
