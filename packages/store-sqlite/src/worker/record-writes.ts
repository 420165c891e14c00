import type { StoreWrite } from "@turnwire/turn-ports";

import { recordWriteSql } from "./record-sql.ts";
import { HISTORY_LIMIT, TURN_LIMIT } from "./retention.ts";
import type { WriteContext } from "./write-context.ts";

type Write<Op extends StoreWrite["op"]> = Extract<StoreWrite, { readonly op: Op }>;

export function appendHistory(context: WriteContext, write: Write<"history.append">): void {
  const { db, nowMs } = context;
  const limit = Math.min(write.limit, HISTORY_LIMIT);
  if (limit > 0) db.run(recordWriteSql.appendHistory, write.historyKey, nowMs, JSON.stringify(write.entry));
  db.run(recordWriteSql.trimHistory, write.historyKey, write.historyKey, Math.max(limit, 0));
}

export function clearHistory(context: WriteContext, write: Write<"history.clear">): void {
  context.db.run(recordWriteSql.clearHistory, write.historyKey, write.upToSeq ?? Number.MAX_SAFE_INTEGER);
}

export function putJournal({ db }: WriteContext, { entry }: Write<"journal.put">): void {
  db.run(recordWriteSql.putJournal, entry.turnId, entry.callId, entry.atMs, JSON.stringify(entry));
}

export function putApproval({ db }: WriteContext, { approval }: Write<"approval.put">): void {
  const { token, turnId, status, expiresAtMs } = approval;
  db.run(recordWriteSql.putApproval, token, turnId, status, expiresAtMs, JSON.stringify(approval));
}

export function putTurn({ db }: WriteContext, { turn }: Write<"turn.put">): void {
  db.run(
    recordWriteSql.putTurn,
    turn.turnId,
    turn.pass,
    turn.attempt,
    turn.sessionKey ?? null,
    turn.startedAtMs,
    JSON.stringify(turn),
  );
  db.run(recordWriteSql.trimTurns, TURN_LIMIT);
}
