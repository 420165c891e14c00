import type {
  Channel,
  Clock,
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
import { createAccountBudgets } from "./account-budgets.ts";
import { accountOf, deliverKeyOf } from "./deliver-key.ts";
import type { DeliveryWay } from "./deliver-part.ts";
import { type DeliveryReport, deliveryReport, type PartReport } from "./delivery-report.ts";
import { isHeld, type PartOwner } from "./pending-part.ts";
import { createQueueKeeper } from "./queue-keeper.ts";

/** How long `send` waits for parts to be settled, ms; what is not by then goes on by itself and holds up no turn. */
const SETTLE_WAIT_MS = 30_000;

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
  const stop = new AbortController();
  const keeper = createQueueKeeper({
    store,
    way: wayOf,
    clock,
    ids,
    log,
    telemetry,
    owner,
    random,
    signal: stop.signal,
  });

  function wayOf(key: string): DeliveryWay | null {
    const { channelId, accountId } = accountOf(key);
    const channel = channelOf(channelId, accountId);
    return channel === null ? null : { channel, budget: budgets.of(channel) };
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
    submit: (owner: Omit<PartOwner, "step">) => Promise<void>,
  ): Promise<DeliveryReport> {
    const reports = new Map<string, PartReport>();
    const all = Promise.withResolvers<void>();
    let isWaiting = true;
    await submit({
      isWaiting: () => isWaiting,
      onSettled(report) {
        reports.set(report.id, report);
        if (reports.size === inserts.length) all.resolve();
      },
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
    isWaiting = false;
    cancel();
    signal?.removeEventListener("abort", onAbort);
    return deliveryReport(inserts.map(({ id }) => reports.get(id) ?? { id, status: "queued" }));
  }

  return {
    async send(request) {
      if (request.parts.length === 0) return deliveryReport([]);
      const key = deliverKeyOf(request.channel, request.accountId, request.target);
      const inserts = insertsOf(request, key);
      const queue = stop.signal.aborted || wayOf(key) === null ? null : await keeper.queueOf(key);
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
      return untilSettled(inserts, request.signal, async (owner) =>
        queue.submit({ inserts, step: request.step, ...owner }),
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
      keeper.start();
    },

    async drain(deadlineMs) {
      keeper.stopLooking();
      const held = await keeper.held();
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
      const row = await store.outbox.get(id);
      // One that is tried again anyway needs no one's choice.
      if (row === null || !(row.status === "given_up" || isHeld(row))) return;
      try {
        await store.commit([], [{ op: "outbox.move", id, from: [row.status], to: "queued" }]);
      } catch (error) {
        // Moved already: a second tap on the same button.
        if (!TurnwireError.isInstance(error, "fenced")) throw error;
        return;
      }
      telemetry.count("outbox_resent_total", { channel: row.channel, account: row.accountId });
      await keeper.pick(row.deliverKey);
    },

    async close() {
      keeper.stopLooking();
      stop.abort("shutdown");
      budgets.close();
      await keeper.close();
    },
  };
}
