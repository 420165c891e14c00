import type { Clock, Fence, Ids, Logger, Telemetry, TurnStore } from "@turnwire/turn-ports";

import { wait } from "../supervision/wait.ts";
import { DELIVER_PREFIX } from "./deliver-key.ts";
import type { DeliveryWay } from "./deliver-part.ts";
import { type DeliveryQueue, openDeliveryQueue } from "./delivery-queue.ts";
import { createTranscriptSettler } from "./transcript-settler.ts";

/** How often the store is asked for queues with work, ms: hints are fast, this is the truth. */
const POLL_MS = 5_000;
/** A queue that is idle when this is over is given back, ms. */
const IDLE_MS = 5_000;
/** How long closing waits for a call or a commit that does not come back, ms; the next start settles what it left. */
const CLOSE_WAIT_MS = 5_000;
/** Queues found in one look. */
const CLAIM_BATCH = 256;

/** What the queues of this process are kept with. */
export interface QueueKeeperOptions {
  readonly store: TurnStore;
  /** The account's channel and budget for a queue's key, or null while the account is not here. */
  readonly way: (key: string) => DeliveryWay | null;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly telemetry: Telemetry;
  readonly owner: string;
  readonly random: () => number;
  /** Aborted when the process stops for good. */
  readonly signal: AbortSignal;
}

/** The delivery queues that this process owns: claims them when there is work, gives them back when there is none. */
export interface QueueKeeper {
  /** Claimed when nobody has it; null while another process has. @throws `store_unavailable` */
  readonly queueOf: (key: string) => Promise<DeliveryQueue | null>;
  /** Takes up what the store has for a key. */
  readonly pick: (key: string) => Promise<void>;
  /** Begins to take queues with work by itself. */
  readonly start: () => void;
  /** Takes no more queues by itself. */
  readonly stopLooking: () => void;
  readonly held: () => Promise<readonly DeliveryQueue[]>;
  /** Waits for what is under way and gives all queues up; `signal` has aborted by then. */
  readonly close: () => Promise<void>;
}

/** A queue of this process with its proof of ownership. */
interface HeldQueue {
  readonly queue: DeliveryQueue;
  readonly fence: Fence;
}

/** Keeps the queues of one process. */
export function createQueueKeeper(options: QueueKeeperOptions): QueueKeeper {
  const { store, way: wayOf, clock, ids, log, telemetry, owner, random, signal } = options;
  const queues = new Map<string, Promise<HeldQueue | null>>();
  const transcripts = createTranscriptSettler({ store, clock, log });
  let isLooking = true;
  let isClosing = false;
  let polling: Promise<void> = Promise.resolve();
  let unsubscribe = (): void => {};

  async function claim(key: string): Promise<HeldQueue | null> {
    const fence = await store.lanes.claim(key, owner);
    if (fence === null) return null;
    const queue = openDeliveryQueue({
      key,
      fence,
      store,
      clock,
      ids,
      log,
      telemetry,
      random,
      signal,
      way: () => wayOf(key),
      onUnwaited: transcripts.note,
      onLost: (reason) => void giveUp(key, { queue, fence }, reason === "stale"),
    });
    try {
      await queue.reload();
    } catch (error) {
      await abandon(fence);
      throw error;
    }
    planRelease(key);
    return { queue, fence };
  }

  /** The queue of a key, claimed when nobody has it; null while another process has. */
  async function queueOf(key: string): Promise<DeliveryQueue | null> {
    const known = queues.get(key);
    if (known !== undefined) {
      const held = await known.catch(() => null);
      if (held !== null && !held.queue.isLost()) return held.queue;
      if (queues.get(key) === known) queues.delete(key);
    }
    const opening = queues.get(key) ?? claim(key);
    queues.set(key, opening);
    return (await opening)?.queue ?? null;
  }

  function planRelease(key: string): void {
    clock.setTimer(() => void release(key), IDLE_MS);
  }

  async function release(key: string): Promise<void> {
    const known = queues.get(key);
    const held = await known?.catch(() => null);
    if (held == null || held.queue.isLost() || isClosing || queues.get(key) !== known) return;
    if (held.queue.pending() > 0) {
      planRelease(key);
      return;
    }
    // Whoever wants the queue in the meantime waits, and then claims it anew.
    const closing = giveBack(held.fence);
    queues.set(key, closing);
    await closing;
    if (queues.get(key) === closing) queues.delete(key);
  }

  /** Gives an idle queue back, with or without new work in the store: that has a next owner. */
  async function giveBack(fence: Fence): Promise<null> {
    try {
      if (!(await store.lanes.release(fence))) await store.lanes.abandon(fence);
    } catch (error) {
      log.warn({ error, deliverKey: fence.key }, "An idle delivery queue could not be given back");
    }
    return null;
  }

  async function abandon(fence: Fence): Promise<void> {
    await store.lanes.abandon(fence).catch((error: unknown) => {
      log.warn({ error, deliverKey: fence.key }, "A delivery queue could not be given up");
    });
  }

  /** A queue that knows no better than the store is read anew. */
  async function giveUp(key: string, { queue, fence }: HeldQueue, isStale: boolean): Promise<void> {
    await abandon(fence);
    const known = queues.get(key);
    const held = await known?.catch(() => null);
    if (held?.queue === queue && queues.get(key) === known) queues.delete(key);
    // After any other error the next look takes it up: not at once, for it may happen again.
    if (isStale) await pick(key).catch(() => undefined);
  }

  async function pick(key: string): Promise<void> {
    if (!isLooking || wayOf(key) === null) return;
    const isNew = !queues.has(key);
    const queue = await queueOf(key);
    if (!isNew) await queue?.reload();
  }

  /** Takes every queue with work that nobody has. Lanes of turns, and of accounts that are not here, may fill the first list. */
  async function look(): Promise<void> {
    const tried = new Set<string>();
    for (let limit = CLAIM_BATCH; isLooking;) {
      const { keys } = await store.lanes.ready(limit);
      const mine = keys.filter((key) => key.startsWith(DELIVER_PREFIX) && !tried.has(key) && wayOf(key) !== null);
      for (const key of mine) {
        await pick(key);
        tried.add(key);
      }
      if (keys.length < limit) return;
      if (mine.length === 0) limit *= 4;
    }
  }

  async function poll(): Promise<void> {
    while (isLooking) {
      await look().catch((error: unknown) => {
        log.warn({ error }, "The store could not be asked for unsent parts; it is asked again");
      });
      await wait(clock, POLL_MS, signal);
    }
  }

  function hint(keys: readonly string[]): void {
    for (const key of keys) {
      // A queue that is worked here knows its parts; only others need a look.
      if (!key.startsWith(DELIVER_PREFIX) || queues.has(key)) continue;
      pick(key).catch((error: unknown) => {
        log.warn({ error, deliverKey: key }, "A delivery queue could not be taken; the next look tries again");
      });
    }
  }

  async function heldQueues(): Promise<readonly HeldQueue[]> {
    const held = await Promise.all([...queues.values()].map(async (opening) => opening.catch(() => null)));
    return held.filter((entry) => entry !== null);
  }

  async function giveUpAll(): Promise<void> {
    await polling;
    for (const { queue, fence } of await heldQueues()) {
      await queue.idle();
      await abandon(fence);
    }
  }

  function stopLooking(): void {
    isLooking = false;
    unsubscribe();
  }

  return {
    queueOf,
    pick,
    start() {
      unsubscribe = store.onReady(hint);
      polling = poll();
    },
    stopLooking,
    held: async () => (await heldQueues()).map(({ queue }) => queue),
    async close() {
      isClosing = true;
      stopLooking();
      const over = Promise.withResolvers<void>();
      const cancel = clock.setTimer(() => {
        log.warn({}, "A delivery does not come back; it is left as it is for the next start to settle");
        over.resolve();
      }, CLOSE_WAIT_MS);
      await Promise.race([over.promise, giveUpAll()]);
      cancel();
      transcripts.close();
      queues.clear();
    },
  };
}
