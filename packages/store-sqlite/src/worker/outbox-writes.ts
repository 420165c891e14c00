import type { OutboxStatus, StoreWrite } from "@turnwire/turn-ports";

import { HELD_MS } from "./lane-schedule.ts";
import { outboxWriteSql } from "./outbox-sql.ts";
import { StoreFailure } from "./store-failure.ts";
import type { WriteContext } from "./write-context.ts";

type Write<Op extends StoreWrite["op"]> = Extract<StoreWrite, { readonly op: Op }>;

/** States in which a row still has something to happen to it. */
const PENDING: ReadonlySet<OutboxStatus> = new Set<OutboxStatus>(["queued", "sending", "unknown"]);

export function insertOutbox(context: WriteContext, { row }: Write<"outbox.insert">): void {
  const status = row.sending === true ? "sending" : "queued";
  const triedAtMs = row.sending === true ? context.nowMs : null;
  const { changes } = context.db.run(
    outboxWriteSql.insert,
    row.id,
    row.deliverKey,
    status,
    row.sending === true ? 1 : 0,
    context.dueMs,
    context.nowMs,
    triedAtMs,
    triedAtMs,
    row.channel,
    row.accountId,
    row.turnId ?? null,
    row.sessionKey ?? null,
    row.purpose,
    JSON.stringify(row.target),
    JSON.stringify(row.part),
  );
  if (changes === 0) {
    throw new StoreFailure(
      "store_conflict",
      `There is an outbox row ${row.id} already; ids are allotted once. Nothing was written.`,
    );
  }
  context.count(`outbox.${status}`, 1);
  context.touch(row.deliverKey);
  context.wake(row.deliverKey);
}

export function moveOutbox(context: WriteContext, write: Write<"outbox.move">): void {
  const found = context.db.get<{ status: OutboxStatus; deliver_key: string }>(outboxWriteSql.find, write.id);
  if (found === undefined || !write.from.includes(found.status)) {
    throw new StoreFailure(
      "fenced",
      `Outbox row ${write.id} is ${found?.status ?? "not there"}, not ${write.from.join(" or ")}; somebody else moved it. Nothing was written.`,
    );
  }
  const triedAtMs = write.to === "sending" ? context.nowMs : null;
  context.db.run(
    outboxWriteSql.move,
    write.to,
    notBefore(context, write),
    write.to === "sending" ? 1 : 0,
    triedAtMs,
    triedAtMs,
    PENDING.has(write.to) ? null : context.nowMs,
    json(write.receipt),
    json(write.error),
    json(write.part),
    write.id,
  );
  context.count(`outbox.${found.status}`, -1);
  context.count(`outbox.${write.to}`, 1);
  context.touch(found.deliver_key);
  if (PENDING.has(write.to)) context.wake(found.deliver_key);
}

export function supersedeOutbox(context: WriteContext, write: Write<"outbox.supersede">): void {
  const rows = context.db.all<{ deliver_key: string }>(outboxWriteSql.supersede, context.nowMs, write.turnId);
  for (const { deliver_key: deliverKey } of rows) {
    context.count("outbox.queued", -1);
    context.count("outbox.superseded", 1);
    context.touch(deliverKey);
  }
}

/** An unknown row without a time of its own is held: it waits for a person. */
function notBefore(context: WriteContext, write: Write<"outbox.move">): number {
  if (write.notBeforeMs !== undefined) return context.toDue(write.notBeforeMs);
  return write.to === "unknown" ? HELD_MS : context.dueMs;
}

function json(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}
