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
  SendOutcome,
  StoreWrite,
  Telemetry,
  TurnStore,
} from "@turnwire/turn-ports";
import { TurnwireError } from "@turnwire/turn-ports";

import type { StepBuffer } from "../step-buffer.ts";
import { wait } from "../supervision/wait.ts";
import { type AfterSend, decideAfterReconcile, decideAfterSend, type SentPart } from "./decide-after-send.ts";
import { holdNotice } from "./hold-notice.ts";
import { type PendingPart, reportOf, rowOf } from "./pending-part.ts";

/** How long a receipt may wait for the turn's end to join its commit, ms. */
const RECEIPT_JOIN_MS = 50;
/** Pause before a write is tried again while the store is away, ms. */
const STORE_RETRY_MS = 1_000;
/** Rows read from the store at a time. */
const READ_LIMIT = 200;

/** What a queue works with. */
export interface DeliveryQueueOptions {
  readonly key: string;
  readonly fence: Fence;
  readonly store: TurnStore;
  readonly channel: Channel;
  readonly budget: OutboundBudget;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly telemetry: Telemetry;
  readonly random: () => number;
  /** Aborted when the process stops for good. */
  readonly signal: AbortSignal;
}

/** Parts to be stored and sent. */
export interface Submission {
  readonly inserts: readonly OutboxInsert[];
  readonly step: StepBuffer | undefined;
  readonly onSettled: (report: ReturnType<typeof reportOf>) => void;
}

/** One reply target's parts, sent strictly in order by the one who owns the queue. */
export interface DeliveryQueue {
  /** Resolves when the parts are stored. @throws `fenced` when the turn's step is. */
  readonly submit: (submission: Submission) => Promise<void>;
  /** Looks for parts in the store that this process does not know. */
  readonly reload: () => Promise<void>;
  /** Resolves when nothing is on its way. */
  readonly idle: () => Promise<void>;
  readonly pending: () => number;
  /** True once another owns it: everything known here is void. */
  readonly isLost: () => boolean;
}

/** Opens a queue that was claimed. */
export function openDeliveryQueue(options: DeliveryQueueOptions): DeliveryQueue {
  const { key, fence, store, channel, budget, clock, ids, log, telemetry, random, signal } = options;
  const labels = { channel: channel.id, account: channel.accountId };
  const line: PendingPart[] = [];
  let working: Promise<void> | null = null;
  let isLost = false;

  function sentPart(item: PendingPart): SentPart {
    const { row } = item;
    const nowMs = clock.now();
    return {
      part: row.part,
      attempts: row.attempts,
      ageMs: nowMs - row.createdAtMs,
      sinceFirstMs: nowMs - (row.firstAttemptAtMs ?? nowMs),
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
    item.row = { ...item.row, ...fields, ...tried, status: to };
    return { op: "outbox.move", id: item.row.id, from: [from], to, ...fields };
  }

  function settle(item: PendingPart): void {
    const index = line.indexOf(item);
    if (index >= 0) line.splice(index, 1);
    telemetry.count("outbox_parts_total", { ...labels, status: item.row.status });
    item.onSettled?.(reportOf(item.row));
  }

  /** Parts of the same payload behind one that will never be sent: the rest alone makes no sense. */
  function supersedeRest(item: PendingPart): StoreWrite[] {
    const rest = line.filter((other) => other !== item && other.group === item.group && other.row.status === "queued");
    const writes = rest.map((other) => move(other, "superseded"));
    rest.forEach(settle);
    return writes;
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

  async function begin(item: PendingPart): Promise<void> {
    const delayMs = item.row.notBeforeMs - clock.now();
    if (delayMs > 0) await wait(clock, delayMs, signal);
    await budget.take({ chat: item.row.target.to, chatKind: item.row.target.chatKind, priority: "final", signal });
    signal.throwIfAborted();
    const moved = move(item, "sending");
    const { step } = item;
    if (step === undefined) await write([moved]);
    else {
      // Under the turn's fence: a turn that has lost its lane starts no call.
      step.add(moved);
      await persist(async () => step.flush());
    }
    item.isCommitted = true;
  }

  async function call(item: PendingPart): Promise<AfterSend> {
    const { row } = item;
    let outcome: SendOutcome;
    if (item.isInterrupted && !item.isCommitted) {
      const message = "The process stopped while this part was being sent; whether it arrived is unknown.";
      outcome = { kind: "unknown", error: new TurnwireError({ code: "send_interrupted", message }) };
    } else outcome = await channel.send(row.part, row.target, row.id, signal);
    if (outcome.kind === "retry" && outcome.retryAfterMs !== undefined) {
      budget.pause(outcome.scope ?? "chat", row.target.to, outcome.retryAfterMs);
    }
    if (outcome.kind !== "sent") telemetry.count("outbox_tries_total", { ...labels, outcome: outcome.kind });
    const sent = sentPart(item);
    const after = decideAfterSend(sent, outcome);
    if (after.kind !== "settle") return after;
    const firstMs = row.firstAttemptAtMs ?? clock.now();
    const result = await channel.reconcile(row.part, row.target, row.id, firstMs, signal);
    telemetry.count("outbox_reconciled_total", { ...labels, result: result.kind });
    return decideAfterReconcile(sent, result, after.error);
  }

  function joinSoon(step: StepBuffer, outboxId: string): void {
    clock.setTimer(() => {
      step.flush().catch((error: unknown) => {
        log.warn({ error, outboxId }, "A receipt could not be stored with its turn; recovery settles it");
      });
    }, RECEIPT_JOIN_MS);
  }

  async function finishSent(item: PendingPart, after: Extract<AfterSend, { readonly kind: "sent" }>): Promise<void> {
    const moved = move(item, "sent", { receipt: after.receipt, error: undefined });
    const { step } = item;
    const isFollowed = line[1]?.step !== undefined && line[1].step === step;
    if (step === undefined || !(isFollowed || (item.isLast && item.row.purpose === "final"))) await write([moved]);
    else {
      // The next part's `sending`, or the turn's end, is about to be committed by the same step: one flush serves both.
      step.add(moved);
      if (!isFollowed) joinSoon(step, item.row.id);
    }
    settle(item);
  }

  async function apply(item: PendingPart, after: AfterSend): Promise<void> {
    item.isCommitted = false;
    if (after.kind === "sent") {
      await finishSent(item, after);
      return;
    }
    const error = { code: after.error.code, message: after.error.message };
    const fields = { turnId: item.row.turnId, outboxId: item.row.id, code: error.code };
    switch (after.kind) {
      case "again": {
        const part = after.part === undefined ? {} : { part: after.part };
        await write([move(item, "queued", { notBeforeMs: clock.now() + Math.ceil(after.delayMs), error, ...part })]);
        return;
      }
      case "hold": {
        log.warn(
          fields,
          "Whether a part arrived is unknown, and the platform gives no means to know: it is held and the person is told",
        );
        const notices = item.row.purpose === "notice" ? [] : holdNotice(item.row, channel, ids);
        const writes = [
          move(item, "unknown", { error }),
          ...notices.map((row): StoreWrite => ({ op: "outbox.insert", row })),
        ];
        await write(writes);
        const nowMs = clock.now();
        const group = {};
        const items = notices.map((insert): PendingPart => ({
          row: rowOf(insert, nowMs),
          isCommitted: false,
          isInterrupted: false,
          group,
          step: undefined,
          isLast: true,
          stored: Promise.resolve(),
          onSettled: undefined,
        }));
        line.splice(1, 0, ...items);
        settle(item);
        return;
      }
      case "rejected":
      case "given_up":
        log.warn(
          fields,
          after.kind === "rejected"
            ? "The platform refuses a part for good"
            : "A part could not be sent for too long and is given up",
        );
        await write([move(item, after.kind, { error }), ...supersedeRest(item)]);
        settle(item);
        return;
      case "settle":
        throw new TypeError("A settled part has been read back already.");
    }
  }

  async function work(): Promise<void> {
    for (let item = line[0]; item !== undefined && !isLost && !signal.aborted; item = line[0]) {
      try {
        await item.stored;
      } catch {
        // Its submitter was told, and took it out of the line.
        continue;
      }
      try {
        if (!item.isCommitted && item.row.status === "queued") await begin(item);
        await apply(item, await call(item));
      } catch (error) {
        if (signal.aborted) return;
        if (item.step !== undefined && !item.isCommitted) {
          // The turn has lost its lane; the part stays queued for the turn's next owner to send or supersede.
          line.splice(line.indexOf(item), 1);
          item.onSettled?.({ ...reportOf(item.row), status: "queued" });
          continue;
        }
        if (!TurnwireError.isInstance(error, "fenced"))
          log.error({ error, deliverKey: key }, "A delivery ended with an error");
        lose();
      }
    }
  }

  /** Gives up what is known here: another process, or a new queue after it, reads the rest from the store. */
  function lose(): void {
    isLost = true;
    for (const item of line.splice(0)) item.onSettled?.(reportOf(item.row));
  }

  function run(): void {
    working ??= work().finally(() => {
      working = null;
      if (line.length > 0 && !isLost && !signal.aborted) run();
    });
  }

  return {
    async submit({ inserts, step, onSettled }) {
      const [first] = inserts;
      if (first === undefined) return;
      const nowMs = clock.now();
      const { to: chat, chatKind } = first.target;
      const isDirect = line.length === 0 && working === null && budget.tryTake({ chat, chatKind });
      const marked = inserts.map((insert, index): OutboxInsert => ({ ...insert, sending: isDirect && index === 0 }));
      const writes = marked.map((row): StoreWrite => ({ op: "outbox.insert", row }));
      step?.add(...writes);
      const stored = step === undefined ? store.commit([fence], writes) : step.flush();
      const group = {};
      const items = marked.map((insert, index): PendingPart => ({
        row: rowOf(insert, nowMs),
        isCommitted: insert.sending === true,
        isInterrupted: false,
        isLast: index === inserts.length - 1,
        group,
        step,
        stored,
        onSettled,
      }));
      // In line before they are stored: what is submitted in the meantime goes behind them.
      line.push(...items);
      try {
        await stored;
      } catch (error) {
        for (const item of items) line.splice(line.indexOf(item), 1);
        throw error;
      } finally {
        if (line.length > 0) run();
      }
    },
    async reload() {
      const rows = await store.outbox.pending(key, READ_LIMIT);
      const known = new Set(line.map((item) => item.row.id));
      // Held rows wait for a person.
      const fresh = rows.filter((row) => !known.has(row.id) && (row.status === "queued" || row.status === "sending"));
      const groups = new Map<string, object>();
      for (const row of fresh) {
        const group = groups.get(row.turnId ?? row.id) ?? {};
        groups.set(row.turnId ?? row.id, group);
        line.push({
          row,
          isCommitted: false,
          isInterrupted: row.status === "sending",
          group,
          step: undefined,
          isLast: true,
          stored: Promise.resolve(),
          onSettled: undefined,
        });
      }
      if (line.length > 0) run();
    },
    async idle() {
      while (working !== null) await working;
    },
    pending: () => line.length,
    isLost: () => isLost,
  };
}
