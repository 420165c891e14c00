import type { OutboundBudget } from "@turnwire/adapter-kit";
import type {
  Channel,
  Clock,
  Fence,
  Ids,
  Logger,
  OutboxInsert,
  OutboxRow,
  OutboxStatus,
  ReconcileResult,
  SendOutcome,
  StoreWrite,
  Telemetry,
  TurnStore,
} from "@turnwire/turn-ports";
import { TurnwireError } from "@turnwire/turn-ports";

import type { StepBuffer } from "../step-buffer.ts";
import { wait } from "../supervision/wait.ts";
import {
  type AfterSend,
  decideAfterReconcile,
  decideAfterSend,
  decideBeforeSend,
  type PartFacts,
} from "./decide-delivery.ts";
import { holdNotice } from "./hold-notice.ts";
import { type PendingPart, stepOf } from "./pending-part.ts";

/** How long a receipt may wait for the commit that is due next to join it, ms. */
const RECEIPT_JOIN_MS = 50;
/** Pause before a write is tried again while the store is away, ms. */
const STORE_RETRY_MS = 1_000;

/** What deliveries work with. */
export interface DeliveryOptions {
  readonly key: string;
  readonly fence: Fence;
  readonly store: TurnStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly telemetry: Telemetry;
  readonly random: () => number;
  /** Aborted when the process stops for good. */
  readonly signal: AbortSignal;
}

/** The line that the part is at the head of. */
export interface DeliveryLine {
  /** Takes a part that has come to its end out of the line and tells who waits for it. */
  readonly settle: (item: PendingPart) => void;
  /** Parts behind it. */
  readonly behind: (item: PendingPart) => readonly PendingPart[];
  /** Puts stored parts at the end. */
  readonly append: (inserts: readonly OutboxInsert[]) => void;
}

/** What the account's calls go through. */
export interface DeliveryWay {
  readonly channel: Channel;
  readonly budget: OutboundBudget;
}

/** Does with the part at the head what is to be done next. */
export interface PartDelivery {
  /**
   * One try. `turn_lost`: the turn no longer owns its lane, and no call was made.
   * @throws `fenced` when the store knows another state of the part than this process.
   */
  readonly deliver: (item: PendingPart, way: DeliveryWay) => Promise<"done" | "turn_lost">;
  /** Makes a part wait again whose call was written down and not begun: of it there is no doubt. */
  readonly giveBack: (item: PendingPart) => Promise<void>;
  /** Stores receipts that wait for a commit of their turn. */
  readonly flushReceipts: () => Promise<void>;
}

/** Makes the deliveries of one queue. */
export function createPartDelivery(options: DeliveryOptions, line: DeliveryLine): PartDelivery {
  const { key, fence, store, clock, ids, log, telemetry, random, signal } = options;

  /** Receipts that wait for their turn's commit. */
  const joins = new Set<() => Promise<void>>();

  function factsOf(item: PendingPart, channel: Channel): PartFacts {
    const { row } = item;
    const nowMs = clock.now();
    const firstWallMs = nowMs - (row.firstAttemptAtMs ?? nowMs);
    const firstMonotonicMs = item.firstTryMs === undefined ? 0 : clock.monotonic() - item.firstTryMs;
    return {
      part: row.part,
      attempts: row.attempts,
      ageMs: nowMs - row.createdAtMs,
      // A wall clock that was set back hides how much time has passed: then no window counts as open.
      sinceFirstMs: firstWallMs < 0 ? Number.POSITIVE_INFINITY : Math.max(firstWallMs, firstMonotonicMs),
      isDoubtful: item.isDoubtful,
      isFallback: item.isFallback,
      capabilities: channel.capabilities,
      onUnknownSend: channel.account.onUnknownSend,
      random: random(),
    };
  }

  function move(
    item: PendingPart,
    to: OutboxStatus,
    fields: Partial<Pick<OutboxRow, "receipt" | "error" | "notBeforeMs" | "part">> = {},
  ): StoreWrite {
    const from = item.row.status;
    const nowMs = clock.now();
    const tried =
      to === "sending"
        ? {
            attempts: item.row.attempts + 1,
            firstAttemptAtMs: item.row.firstAttemptAtMs ?? nowMs,
            lastAttemptAtMs: nowMs,
          }
        : {};
    if (to === "sending") item.firstTryMs ??= clock.monotonic();
    item.row = { ...item.row, ...fields, ...tried, status: to };
    return { op: "outbox.move", id: item.row.id, from: [from], to, ...fields };
  }

  /** Commits, however long the store is away: what happened to a part must be written down. */
  async function persist(commit: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        await commit();
        return;
      } catch (error) {
        if (TurnwireError.isInstance(error, "fenced") || signal.aborted) throw error;
        log.warn({ error, deliverKey: key }, "The store does not take a delivery's state; it is tried again");
        await wait(clock, STORE_RETRY_MS, signal);
      }
    }
  }

  /** What became of a call is the queue's to write, whatever became of the turn. */
  async function write(writes: readonly StoreWrite[]): Promise<void> {
    await persist(async () => store.commit([fence], writes));
  }

  /** Commits `sending`; false when the turn may not start a call any more. */
  async function begin(item: PendingPart): Promise<boolean> {
    const step = stepOf(item);
    const moved = move(item, "sending");
    if (step === undefined) {
      await write([moved]);
      return true;
    }
    // Under the turn's fence: a turn that has lost its lane starts no call.
    step.add(moved);
    try {
      await persist(async () => step.flush());
      return true;
    } catch (error) {
      if (!TurnwireError.isInstance(error, "fenced")) throw error;
      return false;
    }
  }

  async function call(item: PendingPart, { channel, budget }: DeliveryWay): Promise<AfterSend> {
    const { row } = item;
    const labels = labelsOf(row);
    let outcome: SendOutcome;
    try {
      outcome = await channel.send(row.part, row.target, row.id, signal);
    } catch (cause) {
      const message = `${row.channel} threw while it sent a part, so that nobody knows whether it arrived; a channel answers with an outcome.`;
      outcome = { kind: "unknown", error: new TurnwireError({ code: "send_threw", message, cause }) };
    }
    if (outcome.kind !== "sent") telemetry.count("outbox_tries_total", { ...labels, outcome: outcome.kind });
    if (outcome.kind === "retry" && outcome.retryAfterMs !== undefined) {
      budget.pause(outcome.scope ?? "chat", row.target.to, outcome.retryAfterMs);
    }
    const after = decideAfterSend(factsOf(item, channel), outcome);
    return after.kind === "settle" ? settleDoubt(item, channel, after.error) : after;
  }

  /** Asks the platform what became of a call. */
  async function settleDoubt(item: PendingPart, channel: Channel, error: TurnwireError): Promise<AfterSend> {
    const { row } = item;
    let result: ReconcileResult | { readonly kind: "failed" };
    try {
      result = await channel.reconcile(row.part, row.target, row.id, row.firstAttemptAtMs ?? row.createdAtMs, signal);
    } catch (cause) {
      log.warn(
        { error: cause, outboxId: row.id },
        "It could not be read back whether a part arrived; it is tried again",
      );
      result = { kind: "failed" };
    }
    telemetry.count("outbox_reconciled_total", { ...labelsOf(row), result: result.kind });
    return decideAfterReconcile(factsOf(item, channel), result, error);
  }

  /** The next commit of the turn takes the receipt along; when none comes soon, or the turn has lost its lane, it goes alone. */
  function joinSoon(step: StepBuffer, moved: StoreWrite, outboxId: string): void {
    const join = async (): Promise<void> => {
      cancel();
      joins.delete(join);
      try {
        await step.flush();
      } catch (error) {
        // Whatever else it is, the turn's own commits try it again.
        if (!TurnwireError.isInstance(error, "fenced")) return;
        await write([moved]).catch((cause: unknown) => {
          log.warn({ error: cause, outboxId }, "A receipt could not be stored; the next start settles it");
        });
      }
    };
    const cancel = clock.setTimer(() => void join(), RECEIPT_JOIN_MS);
    joins.add(join);
  }

  async function finishSent(item: PendingPart, after: Extract<AfterSend, { readonly kind: "sent" }>): Promise<void> {
    const moved = move(item, "sent", { receipt: after.receipt, error: undefined });
    const step = stepOf(item);
    const [next] = line.behind(item);
    const isFollowed = next !== undefined && stepOf(next) === step;
    // The next part's `sending`, or the turn's end, is about to be committed by the same step: one flush serves both.
    if (step === undefined || !(isFollowed || (item.isLast && item.row.purpose === "final"))) await write([moved]);
    else {
      step.add(moved);
      joinSoon(step, moved, item.row.id);
    }
    telemetry.observe("outbox_delivery_ms", clock.now() - item.row.createdAtMs, labelsOf(item.row));
    line.settle(item);
  }

  async function hold(
    item: PendingPart,
    error: { readonly code: string; readonly message: string },
    channel: Channel,
  ): Promise<void> {
    const notices = noticesFor(item, channel);
    const inserts = notices.map((row): StoreWrite => ({ op: "outbox.insert", row }));
    await write([move(item, "unknown", { error }), ...inserts]);
    line.append(notices);
    line.settle(item);
  }

  function noticesFor(item: PendingPart, channel: Channel): readonly OutboxInsert[] {
    // About a notice nobody is told by a notice.
    if (item.row.purpose === "notice") return [];
    try {
      return holdNotice(item.row, channel, ids);
    } catch (error) {
      log.error(
        { error, outboxId: item.row.id },
        "The channel cannot render a notice; the person is not told that an answer may be missing",
      );
      return [];
    }
  }

  async function apply(item: PendingPart, after: AfterSend, channel: Channel): Promise<void> {
    item.isCommitted = false;
    if (after.kind === "sent") {
      await finishSent(item, after);
      return;
    }
    const error = { code: after.error.code, message: after.error.message };
    const fields = { turnId: item.row.turnId, outboxId: item.row.id, code: error.code };
    switch (after.kind) {
      case "again": {
        const { as, delayMs, part } = after;
        item.isDoubtful = as === "unknown";
        item.isFallback ||= part !== undefined;
        item.dueMs = clock.monotonic() + delayMs;
        const notBeforeMs = Math.ceil(clock.now() + delayMs);
        await write([move(item, as, { notBeforeMs, error, ...(part === undefined ? {} : { part }) })]);
        return;
      }
      case "hold":
        log.warn(
          fields,
          "Whether a part arrived is unknown and cannot be found out: it is held and the person is told",
        );
        await hold(item, error, channel);
        return;
      case "rejected":
      case "given_up": {
        log.warn(
          fields,
          after.kind === "rejected"
            ? "The platform refuses a part for good"
            : "A part could not be sent for too long and is given up",
        );
        // What follows of the same payload makes no sense without it.
        const rest = line.behind(item).filter((other) => other.group === item.group && other.row.status === "queued");
        await write([move(item, after.kind, { error }), ...rest.map((other) => move(other, "superseded"))]);
        [item, ...rest].forEach(line.settle);
        return;
      }
      case "settle":
        throw new TypeError("What became of a part in doubt was not asked.");
    }
  }

  async function tryOnce(item: PendingPart, way: DeliveryWay): Promise<AfterSend | "turn_lost"> {
    if (item.isCommitted) return call(item, way);
    const delayMs = item.dueMs - clock.monotonic();
    if (delayMs > 0) await wait(clock, delayMs, signal);
    const { to: chat, chatKind } = item.row.target;
    await way.budget.take({ chat, chatKind, priority: "final", signal });
    signal.throwIfAborted();
    const next = decideBeforeSend(factsOf(item, way.channel));
    if (next === "call") return (await begin(item)) ? call(item, way) : "turn_lost";
    const message = "A call was cut off before its answer came; whether the part arrived is unknown.";
    const error = new TurnwireError({ code: "send_interrupted", message });
    return next === "settle" ? settleDoubt(item, way.channel, error) : { kind: "hold", error };
  }

  return {
    async deliver(item, way) {
      const after = await tryOnce(item, way);
      if (after === "turn_lost") return "turn_lost";
      await apply(item, after, way.channel);
      return "done";
    },
    async giveBack(item) {
      if (!item.isCommitted) return;
      item.isCommitted = false;
      await write([move(item, "queued")]);
    },
    async flushReceipts() {
      await Promise.all([...joins].map(async (join) => join()));
    },
  };
}

function labelsOf(row: OutboxRow): { readonly channel: string; readonly account: string } {
  return { channel: row.channel, account: row.accountId };
}
