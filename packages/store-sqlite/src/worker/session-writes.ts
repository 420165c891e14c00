import type { StoreWrite } from "@turnwire/turn-ports";

import { TRANSCRIPT_LIMIT } from "./retention.ts";
import { sessionWriteSql } from "./session-sql.ts";
import { StoreFailure } from "./store-failure.ts";
import type { WriteContext } from "./write-context.ts";

type Write<Op extends StoreWrite["op"]> = Extract<StoreWrite, { readonly op: Op }>;

export function putSession(context: WriteContext, write: Write<"session.put">): void {
  const { db, nowMs } = context;
  const settings = json(write.settings);
  const lastRoute = json(write.lastRoute);
  const meta = json(write.meta);
  if (write.createIfMissing) {
    db.run(sessionWriteSql.create, write.key, write.agentId, settings, lastRoute, meta, nowMs, nowMs, settings, meta);
  } else {
    db.run(sessionWriteSql.update, write.agentId, settings, lastRoute, meta, nowMs, write.key);
  }
}

export function resetSession(context: WriteContext, write: Write<"session.reset">): void {
  context.db.run(sessionWriteSql.reset, context.nowMs, write.key);
}

export function appendTranscript(context: WriteContext, write: Write<"transcript.append">): void {
  const { db } = context;
  // A session that was never put counts as one at its first generation.
  const generation = db.get<{ generation: number }>(sessionWriteSql.generation, write.key)?.generation ?? 0;
  if (generation !== write.generation) {
    throw new StoreFailure(
      "fenced",
      `Session ${write.key} is at generation ${generation}, not ${write.generation}: it was reset meanwhile. Nothing was written.`,
    );
  }
  let seq = db.get<{ seq: number | null }>(sessionWriteSql.lastSeq, write.key, generation)?.seq ?? 0;
  for (const entry of write.entries) {
    seq += 1;
    db.run(
      sessionWriteSql.append,
      write.key,
      generation,
      seq,
      entry.turnId,
      entry.role,
      entry.atMs,
      entry.deliveryState ?? null,
      JSON.stringify(entry),
    );
  }
  if (seq > TRANSCRIPT_LIMIT) db.run(sessionWriteSql.trim, write.key, generation, seq - TRANSCRIPT_LIMIT);
}

export function settleTranscript(context: WriteContext, write: Write<"transcript.settle">): void {
  context.db.run(sessionWriteSql.settle, write.deliveryState, write.turnId, write.key);
}

function json(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}
