import type { OwnedTurnScope } from "@turnwire/turn-kernel";
import type { InboxRow } from "@turnwire/turn-ports";

import type { LaneItem, LaneTarget } from "../queue/lane-item.ts";
import { lastOf, type RowBatch } from "./batch-rows.ts";
import type { ArrivedText } from "./turn-pass.ts";

/** A turn of the lane that has not come to its end: what its driver holds of it in memory. */
export interface OpenTurn {
  readonly turnId: string;
  readonly rows: RowBatch;
  readonly last: InboxRow;
  readonly item: LaneItem;
  /** Runs begun for it before this process read it. */
  readonly attempt: number;
  /** True once a pass of it has been written: the next one is a resumed pass. */
  recorded: boolean;
  /** The scope of its admission pass while that is undecided: what `/stop` aborts. */
  admission: OwnedTurnScope | null;
  /** `/stop` reached it before it was decided. */
  stopped: boolean;
  /** The queue dropped it. */
  overflow: boolean;
  /** Resolves once its admission pass has written its end; a run of the turn waits for it. */
  admitted: Promise<void>;
  text: ArrivedText | null;
}

/** Opens a turn for rows that were read. */
export function openTurn(
  rows: RowBatch,
  options: { readonly newTurnId: () => string; readonly atMs: number },
): OpenTurn {
  const last = lastOf(rows);
  const turnId = last.turnId ?? options.newTurnId();
  return {
    turnId,
    rows,
    last,
    attempt: Math.max(...rows.map((row) => row.attempt)),
    recorded: last.turnId !== undefined,
    admission: null,
    stopped: false,
    overflow: false,
    admitted: Promise.resolve(),
    text: null,
    item: {
      turnId,
      rowIds: rows.map((row) => row.id),
      senderId: last.senderId,
      target: targetOf(last),
      atMs: options.atMs,
      steerable: false,
    },
  };
}

/** Where the answer to a row goes. */
export function targetOf(row: InboxRow): LaneTarget {
  return {
    channel: row.channel,
    accountId: row.accountId,
    replyTarget: row.replyTarget,
    threadId: row.threadId,
    direct: row.routePeer.kind === "direct",
  };
}

/** True for a row of which a pass was written before: it keeps its place and is not admitted a second time. */
export function hasBegun(row: InboxRow): boolean {
  return row.attempt > 0 || row.deferredAs !== undefined;
}
