import { applyDelay } from "../core/apply-delay.ts";
import { DroppedConnection } from "../core/dropped-connection.ts";
import type { RecordedEvent } from "../core/recorder.ts";
import { BotApiError } from "./bot-api-error.ts";
import { optionalNumber } from "./optional-number.ts";
import type { TelegramState } from "./telegram-state.ts";
import { type UpdatePlace, updatePlace } from "./update-place.ts";
import type { Json } from "./world.ts";

/** An update that is not confirmed yet. */
export interface PendingUpdate extends UpdatePlace {
  readonly id: number;
  readonly update: Json;
  readonly record: RecordedEvent;
  readonly atMs: number;
}

/** Kinds that are delivered only when they are asked for. */
const OPT_IN: ReadonlySet<string> = new Set(["message_reaction", "message_reaction_count", "chat_member"]);

/** Updates are kept for a day. */
const KEPT_MS = 24 * 60 * 60 * 1000;
/** Longest poll, seconds. */
const MAX_TIMEOUT_S = 50;

/** Why a poll ends. */
type PollEnd = "more" | "timeout" | "conflict" | "gone";

/** Updates on their way to the bot, by polling or by webhook. */
export interface UpdateQueue {
  readonly push: (kind: string, payload: Json) => { readonly eventId: string };
  /** An update verbatim. */
  readonly emit: (update: Json) => { readonly eventId: string };
  readonly getUpdates: (params: Json, signal: AbortSignal) => Promise<readonly Json[]>;
  /** What waits, in order, without what is too old to be kept. */
  readonly pending: () => readonly PendingUpdate[];
  /** Puts an update behind the next one of its chat. */
  readonly postpone: (update: PendingUpdate) => void;
  /** Takes an update off the queue and records how the bot took it. */
  readonly confirm: (update: PendingUpdate, by: string) => void;
  readonly onPush: (listener: () => void) => void;
  setAllowed: (kinds: readonly string[] | null) => void;
  isWebhookActive: () => boolean;
  readonly clear: () => void;
}

/** Creates the queue; update ids begin at a number that depends on the seed. */
export function createUpdateQueue(state: TelegramState): UpdateQueue {
  let nextId = 100_000_000 + Math.floor(state.random() * 100_000_000);
  let queue: PendingUpdate[] = [];
  let allowed: ReadonlySet<string> | null = null;
  const listeners = new Set<() => void>();
  let poller: { readonly end: (reason: PollEnd) => void } | null = null;

  function isWanted(kind: string): boolean {
    return allowed === null ? !OPT_IN.has(kind) : allowed.has(kind);
  }

  function add(update: Json): { readonly eventId: string } {
    const id = Number(update["update_id"]);
    const record = state.recorder.event(String(id), update);
    const place = updatePlace(update);
    if (isWanted(place.kind)) queue.push({ ...place, id, update, record, atMs: state.clock.now() });
    for (const listener of listeners) listener();
    return { eventId: String(id) };
  }

  function pending(): readonly PendingUpdate[] {
    const oldest = state.clock.now() - KEPT_MS;
    queue = queue.filter((update) => update.atMs > oldest);
    return queue;
  }

  function confirm(update: PendingUpdate, by: string): void {
    queue = queue.filter((other) => other !== update);
    update.record.acknowledgedAt ??= state.clock.now();
    update.record.acknowledgedBy ??= by;
    state.feed.emit({ place: update.chat, kind: "event" });
  }

  /** A batch for a poll, with what faults make of it. */
  async function take(limit: number): Promise<readonly Json[]> {
    const batch = pending().slice(0, limit);
    for (const [index, item] of batch.entries()) {
      const next = batch[index + 1];
      const hit = { method: item.kind, places: item.places, direction: "event", hasNext: next !== undefined } as const;
      const fault = state.faults.take(hit);
      if (fault === null) continue;
      await applyDelay(fault.action, state.clock);
      await fault.released;
      if (fault.action.drop !== undefined || fault.action.close === true) throw new DroppedConnection();
      if (fault.action.reorder === true && next !== undefined) batch.splice(index, 2, next, item);
      if (fault.action.duplicate === true) batch.splice(index + 1, 0, item);
      break;
    }
    for (const item of batch) item.record.deliveries += 1;
    return batch.map((item) => item.update);
  }

  return {
    push(kind, payload) {
      const update = { update_id: nextId, [kind]: payload };
      nextId += 1;
      return add(update);
    },
    emit(given) {
      const update = typeof given["update_id"] === "number" ? given : { update_id: nextId, ...given };
      nextId = Math.max(nextId, Number(update["update_id"]) + 1);
      return add(update);
    },
    async getUpdates(params, signal) {
      if (this.isWebhookActive())
        throw new BotApiError(
          409,
          "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
        );
      // The newer poller wins; the older one is told.
      poller?.end("conflict");
      if (params["allowed_updates"] !== undefined)
        this.setAllowed(Array.isArray(params["allowed_updates"]) ? (params["allowed_updates"] as string[]) : null);
      const offset = Number(params["offset"] ?? 0);
      const limit = Math.min(100, Math.max(1, optionalNumber(params["limit"]) ?? 100));
      const timeoutMs = Math.min(MAX_TIMEOUT_S, Math.max(0, Number(params["timeout"] ?? 0) || 0)) * 1000;
      pending();
      if (offset > 0) for (const update of queue.filter(({ id }) => id < offset)) confirm(update, "offset");
      if (offset < 0)
        for (const update of queue.slice(0, Math.max(0, queue.length + offset))) confirm(update, "offset");
      if (queue.length > 0 || timeoutMs === 0) return take(limit);
      const ended = Promise.withResolvers<PollEnd>();
      const own = { end: ended.resolve };
      poller = own;
      const onPush = (): void => {
        if (queue.length > 0) ended.resolve("more");
      };
      listeners.add(onPush);
      const cancel = state.clock.after(timeoutMs, () => ended.resolve("timeout"));
      const onAbort = (): void => ended.resolve("gone");
      signal.addEventListener("abort", onAbort, { once: true });
      const reason = await ended.promise;
      listeners.delete(onPush);
      cancel();
      signal.removeEventListener("abort", onAbort);
      if (poller === own) poller = null;
      if (reason === "conflict")
        throw new BotApiError(
          409,
          "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
        );
      return reason === "more" ? take(limit) : [];
    },
    pending,
    postpone(update) {
      const at = queue.indexOf(update);
      const next = queue.findIndex((other, index) => index > at && other.chat === update.chat);
      if (at < 0 || next < 0) return;
      queue.splice(next + 1, 0, update);
      queue.splice(at, 1);
    },
    confirm,
    onPush: (listener) => void listeners.add(listener),
    setAllowed(kinds) {
      allowed = kinds === null || kinds.length === 0 ? null : new Set(kinds);
    },
    isWebhookActive: () => false,
    clear() {
      queue = [];
      allowed = null;
      poller?.end("timeout");
    },
  };
}
