import type {
  Channel,
  Clock,
  Fence,
  Ids,
  Logger,
  OutboundPart,
  OutboundTarget,
  OutboxInsert,
  OutboxPurpose,
  SendOutcome,
  Telemetry,
  TurnStore,
} from "@turnwire/turn-ports";
import { TurnwireError } from "@turnwire/turn-ports";

import type { StepBuffer } from "../step-buffer.ts";
import { wait } from "../supervision/wait.ts";
import { createAccountBudgets } from "./account-budgets.ts";
import { DELIVER_PREFIX, deliverKeyOf } from "./deliver-key.ts";
import { type DeliveryQueue, openDeliveryQueue } from "./delivery-queue.ts";
import { type DeliveryReport, deliveryReport, type PartReport } from "./delivery-report.ts";

/** How long `send` waits for parts to be settled, ms; what is not by then goes on by itself and holds up no turn. */
const SETTLE_WAIT_MS = 30_000;
/** How often the store is asked for queues with work, ms: hints are fast, this is the truth. */
const POLL_MS = 5_000;
/** An idle queue is given back after this, ms. */
const IDLE_MS = 5_000;
/** Queues found in one look. */
const CLAIM_BATCH = 256;

/** Parts to be stored and sent in order. */
export interface SendRequest {
  readonly channel: string;
  readonly accountId: string;
  readonly target: OutboundTarget;
  readonly parts: readonly OutboundPart[];
  readonly purpose: OutboxPurpose;
  readonly turnId?: string | undefined;
  readonly sessionKey?: string | undefined;
  /** The turn's step: the insert joins its next commit; the receipt of a final's last part is left in it for the turn's end. */
  readonly step?: StepBuffer | undefined;
  /** Stops the wait, not the delivery of what is stored. */
  readonly signal?: AbortSignal | undefined;
}

/** A call that is not stored: typing, a draft's live edits, native drafts, reactions. */
export interface EphemeralRequest {
  readonly channel: string;
  readonly accountId: string;
  readonly target: OutboundTarget;
  readonly part: OutboundPart;
  /** Only the newest of a slot that waits is sent. */
  readonly slot: string;
  readonly signal: AbortSignal;
}

/** Everything visible goes through it, in order per reply target. */
export interface Outbox {
  /** Resolves when each part is settled, or after 30 s with those that are not as `queued`. @throws `fenced`, `store_unavailable` when nothing was stored. */
  readonly send: (request: SendRequest) => Promise<DeliveryReport>;
  readonly ephemeral: (request: EphemeralRequest) => Promise<SendOutcome | { readonly kind: "superseded" }>;
  /** Sends what waits in the store, and from then on what comes. */
  readonly start: () => void;
  /** Waits until nothing is on its way, up to the deadline; tells how many parts are left for the next start. */
  readonly drain: (deadlineMs: number) => Promise<{ readonly left: number }>;
  /** Somebody's choice to send a held or given-up part again; does nothing for any other. */
  readonly resend: (id: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** What the outbox works with. */
export interface OutboxOptions {
  readonly store: TurnStore;
  /** The account's channel, or null when it is not here now. */
  readonly channel: (channelId: string, accountId: string) => Channel | null;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly telemetry: Telemetry;
  /** Names this process among the owners of queues. */
  readonly owner: string;
  /** 0 to 1; default `Math.random`. */
  readonly random?: (() => number) | undefined;
}

/** Creates the outbox of this process. */
export function createOutbox(options: OutboxOptions): Outbox {
  const { store, channel: channelOf, clock, ids, log, telemetry, owner, random = Math.random } = options;
  const budgets = createAccountBudgets(clock);
  const queues = new Map<string, Promise<{ readonly queue: DeliveryQueue; readonly fence: Fence } | null>>();
  const stop = new AbortController();
  let isDraining = false;
  let polling: Promise<void> = Promise.resolve();
  let unsubscribe = (): void => {};

  async function claim(
    key: string,
    channel: Channel,
  ): Promise<{ readonly queue: DeliveryQueue; readonly fence: Fence } | null> {
    const fence = await store.lanes.claim(key, owner);
    if (fence === null) return null;
    const budget = budgets.of(channel);
    const queue = openDeliveryQueue({
      key,
      fence,
      store,
      channel,
      budget,
      clock,
      ids,
      log,
      telemetry,
      random,
      signal: stop.signal,
    });
    await queue.reload();
    planRelease(key);
    return { queue, fence };
  }

  /** The queue of a key, claimed when nobody has it; null while another process has. */
  async function queueOf(key: string, channel: Channel): Promise<DeliveryQueue | null> {
    const known = queues.get(key);
    if (known !== undefined) {
      const held = await known.catch(() => null);
      if (held !== null && !held.queue.isLost()) return held.queue;
      if (queues.get(key) === known) queues.delete(key);
    }
    const opening = queues.get(key) ?? claim(key, channel);
    queues.set(key, opening);
    return (await opening)?.queue ?? null;
  }

  function planRelease(key: string): void {
    clock.setTimer(() => void release(key), IDLE_MS);
  }

  async function release(key: string): Promise<void> {
    const known = queues.get(key);
    const held = await known?.catch(() => null);
    if (known === undefined || held == null || stop.signal.aborted) return;
    if (held.queue.pending() > 0) {
      planRelease(key);
      return;
    }
    queues.delete(key);
    try {
      // Work that came between the look and the release keeps the queue ours.
      if (!(await store.lanes.release(held.fence))) await store.lanes.abandon(held.fence);
    } catch (error) {
      log.warn({ error, deliverKey: key }, "An idle delivery queue could not be given back");
    }
  }

  function partsOf(key: string): { readonly channelId: string; readonly accountId: string } {
    const [channelId = "", accountId = ""] = key
      .slice(DELIVER_PREFIX.length)
      .split(":")
      .map((part) => decodeURIComponent(part));
    return { channelId, accountId };
  }

  async function pick(key: string): Promise<void> {
    const { channelId, accountId } = partsOf(key);
    const channel = channelOf(channelId, accountId);
    if (channel === null || stop.signal.aborted || isDraining) return;
    const queue = await queueOf(key, channel);
    await queue?.reload();
  }

  async function look(): Promise<void> {
    const { keys } = await store.lanes.ready(CLAIM_BATCH);
    for (const key of keys) if (key.startsWith(DELIVER_PREFIX)) await pick(key);
  }

  async function poll(): Promise<void> {
    while (!stop.signal.aborted && !isDraining) {
      await look().catch((error: unknown) => {
        log.warn({ error }, "The store could not be asked for unsent parts; it is asked again");
      });
      await wait(clock, POLL_MS, stop.signal);
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

  function insertsOf(request: SendRequest, deliverKey: string): OutboxInsert[] {
    const { channel, accountId, target, parts, purpose, turnId, sessionKey } = request;
    return parts.map((part) => ({
      id: ids.next(),
      deliverKey,
      channel,
      accountId,
      turnId,
      sessionKey,
      purpose,
      part,
      target,
    }));
  }

  async function untilSettled(
    inserts: readonly OutboxInsert[],
    signal: AbortSignal | undefined,
    submit: (onSettled: (report: PartReport) => void) => Promise<void>,
  ): Promise<DeliveryReport> {
    const reports = new Map<string, PartReport>();
    const all = Promise.withResolvers<void>();
    await submit((report) => {
      reports.set(report.id, report);
      if (reports.size === inserts.length) all.resolve();
    });
    const cancel = clock.setTimer(() => {
      all.resolve();
    }, SETTLE_WAIT_MS);
    const onAbort = (): void => {
      all.resolve();
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    if (signal?.aborted === true) all.resolve();
    await all.promise;
    cancel();
    signal?.removeEventListener("abort", onAbort);
    return deliveryReport(inserts.map(({ id }) => reports.get(id) ?? { id, status: "queued" }));
  }

  return {
    async send(request) {
      if (request.parts.length === 0) return deliveryReport([]);
      const key = deliverKeyOf(request.channel, request.accountId, request.target);
      const inserts = insertsOf(request, key);
      const channel = channelOf(request.channel, request.accountId);
      const queue = channel === null || stop.signal.aborted ? null : await queueOf(key, channel);
      if (queue === null) {
        // Whoever has the queue finds the parts in the store.
        const writes = inserts.map((row) => ({ op: "outbox.insert", row }) as const);
        if (request.step === undefined) await store.commit([], writes);
        else {
          request.step.add(...writes);
          await request.step.flush();
        }
        return deliveryReport(inserts.map(({ id }) => ({ id, status: "queued" })));
      }
      return untilSettled(inserts, request.signal, async (onSettled) =>
        queue.submit({ inserts, step: request.step, onSettled }),
      );
    },

    async ephemeral({ channel: channelId, accountId, target, part, slot, signal }) {
      const channel = channelOf(channelId, accountId);
      if (channel === null) {
        const message = `${channelId}:${accountId} is not running; nothing was sent.`;
        return { kind: "retry", error: new TurnwireError({ code: "account_stopped", message }) };
      }
      const budget = budgets.of(channel);
      const priority = part.op === "typing" ? "typing" : "edit";
      const granted = await budget.take({ chat: target.to, chatKind: target.chatKind, priority, slot, signal });
      if (granted === "superseded") return { kind: "superseded" };
      const outcome = await channel.send(part, target, ids.next(), signal);
      if (outcome.kind === "retry" && outcome.retryAfterMs !== undefined)
        budget.pause(outcome.scope ?? "chat", target.to, outcome.retryAfterMs);
      return outcome;
    },

    start() {
      unsubscribe = store.onReady(hint);
      polling = poll();
    },

    async drain(deadlineMs) {
      isDraining = true;
      unsubscribe();
      const held = (await Promise.all([...queues.values()].map(async (opening) => opening.catch(() => null)))).flatMap(
        (entry) => (entry === null ? [] : [entry.queue]),
      );
      const done = Promise.all(held.map(async (queue) => queue.idle()));
      const deadline = Promise.withResolvers<void>();
      const cancel = clock.setTimer(() => {
        deadline.resolve();
      }, deadlineMs);
      await Promise.race([done, deadline.promise]);
      cancel();
      return { left: held.reduce((sum, queue) => sum + queue.pending(), 0) };
    },

    async resend(id) {
      try {
        await store.commit([], [{ op: "outbox.move", id, from: ["unknown", "given_up"], to: "queued" }]);
      } catch (error) {
        // Moved already: a second tap on the same button.
        if (!TurnwireError.isInstance(error, "fenced")) throw error;
        return;
      }
      const row = await store.outbox.get(id);
      if (row !== null) await pick(row.deliverKey);
    },

    async close() {
      isDraining = true;
      unsubscribe();
      stop.abort("shutdown");
      budgets.close();
      await polling;
      for (const opening of queues.values()) {
        const held = await opening.catch(() => null);
        if (held === null) continue;
        await held.queue.idle();
        await store.lanes.abandon(held.fence).catch(() => {});
      }
      queues.clear();
    },
  };
}
