import type { OutboxInsert, OutboxRow } from "@turnwire/turn-ports";
import { TurnwireError } from "@turnwire/turn-ports";

import { createPartDelivery, type DeliveryOptions, type DeliveryWay } from "./deliver-part.ts";
import { isHeld, type PartOwner, type PendingPart, reportOf, storedParts, submittedParts } from "./pending-part.ts";

/** Rows read from the store at first; then as many more as it takes to have them all, for their order's sake. */
const READ_LIMIT = 200;

/** What a queue works with. */
export interface DeliveryQueueOptions extends DeliveryOptions {
  /** The account's channel and budget as they are now, or null while the account is stopped. */
  readonly way: () => DeliveryWay | null;
  /** Called for a part that came to its end while nobody waited for it. */
  readonly onUnwaited: (row: OutboxRow) => void;
  /** Called once when this process gives up what it knows of the queue; `stale` when the store knew better. */
  readonly onLost: (reason: "stale" | "stopped" | "error") => void;
}

/** Parts to be stored and sent. */
export interface Submission extends PartOwner {
  readonly inserts: readonly OutboxInsert[];
}

/** One reply target's parts, sent strictly in order by the one who owns the queue. */
export interface DeliveryQueue {
  /** Resolves when the parts are stored. @throws `fenced` when the turn's step is. */
  readonly submit: (submission: Submission) => Promise<void>;
  /** Looks for parts in the store that this process does not know. */
  readonly reload: () => Promise<void>;
  /** Resolves when nothing is on its way and what is known is stored. */
  readonly idle: () => Promise<void>;
  readonly pending: () => number;
  /** True once everything known here is void: another owns it, or a new queue reads it from the store. */
  readonly isLost: () => boolean;
}

/** Opens a queue that was claimed. */
export function openDeliveryQueue(options: DeliveryQueueOptions): DeliveryQueue {
  const { key, fence, store, clock, log, telemetry, signal, way: currentWay, onUnwaited, onLost } = options;
  const line: PendingPart[] = [];
  let working: Promise<void> | null = null;
  let reloading: Promise<void> = Promise.resolve();
  let isLost = false;
  /** Ids that came to their end while the store was being read: what was read of them is out of date. */
  let settledMeanwhile: Set<string> | null = null;

  function take(item: PendingPart): void {
    const index = line.indexOf(item);
    if (index >= 0) line.splice(index, 1);
  }

  function settle(item: PendingPart): void {
    take(item);
    const { row } = item;
    settledMeanwhile?.add(row.id);
    telemetry.count("outbox_parts_total", { channel: row.channel, account: row.accountId, status: row.status });
    if (item.owner?.isWaiting() !== true) onUnwaited(row);
    item.owner?.onSettled(reportOf(row));
  }

  const delivery = createPartDelivery(options, {
    settle,
    behind: (item) => line.slice(line.indexOf(item) + 1),
    append(inserts) {
      line.push(...submittedParts(inserts, { clock, owner: undefined, stored: Promise.resolve() }));
    },
  });

  async function work(): Promise<void> {
    for (let item = line[0]; item !== undefined && !isLost; item = line[0]) {
      if (signal.aborted && !item.isCommitted) return;
      try {
        await item.stored;
      } catch {
        // Its submitter is told, too.
        take(item);
        continue;
      }
      const way = currentWay();
      if (way === null || signal.aborted) {
        await delivery.giveBack(item).catch((error: unknown) => {
          log.warn({ error, outboxId: item.row.id }, "A call that was not begun stays written down as begun");
        });
        if (way === null) lose("stopped");
        return;
      }
      try {
        if ((await delivery.deliver(item, way)) === "turn_lost") {
          // The turn's next owner sends or supersedes it.
          leave(item);
        }
      } catch (error) {
        if (signal.aborted) return;
        // The account was made anew while this part waited for its budget.
        if (currentWay()?.budget !== way.budget && item.row.status !== "sending") continue;
        const isStale = TurnwireError.isInstance(error, "fenced");
        if (!isStale) log.error({ error, deliverKey: key }, "A delivery ended with an error; it is taken up again");
        lose(isStale ? "stale" : "error");
      }
    }
  }

  /** Stored, and somebody else's to send. */
  function leave(item: PendingPart): void {
    if (!line.includes(item)) return;
    take(item);
    item.owner?.onSettled({ ...reportOf(item.row), status: "queued" });
  }

  /** Gives up what is known here: whoever claims the queue next reads it from the store. */
  function lose(reason: "stale" | "stopped" | "error"): void {
    if (isLost) return;
    isLost = true;
    for (const item of line.splice(0)) item.owner?.onSettled(reportOf(item.row));
    onLost(reason);
  }

  function run(): void {
    working ??= work().finally(() => {
      working = null;
      if (line.length > 0 && !isLost && !signal.aborted) run();
    });
  }

  async function reload(): Promise<void> {
    const meanwhile = new Set<string>();
    settledMeanwhile = meanwhile;
    const known = new Set(line.map((item) => item.row.id));
    try {
      const rows = await readPending();
      for (const item of line) known.add(item.row.id);
      const fresh = rows.filter((row) => !known.has(row.id) && !meanwhile.has(row.id));
      if (!isLost) line.push(...storedParts(fresh, clock));
    } finally {
      settledMeanwhile = null;
    }
    if (line.length > 0 && !isLost) run();
  }

  /** Unsettled rows that are the outbox's to work on; those that wait for a person are left out. */
  async function readPending(): Promise<readonly OutboxRow[]> {
    for (let limit = READ_LIMIT; ; limit *= 2) {
      const rows = await store.outbox.pending(key, limit);
      if (rows.length < limit) return rows.filter((row) => !isHeld(row));
    }
  }

  return {
    async submit({ inserts, ...owner }) {
      const [first] = inserts;
      if (first === undefined) return;
      const { step } = owner;
      const { to: chat, chatKind } = first.target;
      const isIdle = line.length === 0 && working === null && !isLost;
      const isDirect = isIdle && currentWay()?.budget.tryTake({ chat, chatKind }) === true;
      const marked = inserts.map((insert, index): OutboxInsert => ({ ...insert, sending: isDirect && index === 0 }));
      const writes = marked.map((row) => ({ op: "outbox.insert", row }) as const);
      step?.add(...writes);
      // What only waits may be stored by anyone.
      const stored = step === undefined ? store.commit(isDirect ? [fence] : [], writes) : step.flush();
      const items = submittedParts(marked, { clock, owner, stored });
      // In line before they are stored: what is submitted in the meantime goes behind them.
      line.push(...items);
      try {
        await stored;
      } catch (error) {
        items.forEach(take);
        throw error;
      } finally {
        if (isLost) items.forEach(leave);
        else if (line.length > 0) run();
      }
    },
    reload() {
      // One after the other, so that each knows what came to its end while it read.
      const next = reloading.then(reload);
      reloading = next.catch(() => undefined);
      return next;
    },
    async idle() {
      while (working !== null) await working;
      await delivery.flushReceipts();
    },
    pending: () => line.length,
    isLost: () => isLost,
  };
}
