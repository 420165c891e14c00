import type { RecordedEvent } from "../core/recorder.ts";
import { BotApiError } from "./bot-api-error.ts";
import type { TelegramState } from "./telegram-state.ts";
import type { Json } from "./world.ts";

/** An update that is not confirmed yet. */
export interface PendingUpdate {
  readonly id: number;
  readonly update: Json;
  readonly kind: string;
  readonly chat: string;
  readonly record: RecordedEvent;
  readonly atMs: number;
}

/** Kinds that are delivered only when they are asked for. */
const OPT_IN: ReadonlySet<string> = new Set(["message_reaction", "message_reaction_count", "chat_member"]);

/** Updates are kept for a day. */
const KEPT_MS = 24 * 60 * 60 * 1000;
/** Longest poll, seconds. */
const MAX_TIMEOUT_S = 50;

/** Updates on their way to the bot, by polling or by webhook. */
export interface UpdateQueue {
  readonly push: (kind: string, payload: unknown, chat: string) => { readonly eventId: string };
  /** An update verbatim. */
  readonly emit: (update: Json) => { readonly eventId: string };
  readonly getUpdates: (params: Json, signal: AbortSignal) => Promise<readonly Json[]>;
  readonly pending: () => readonly PendingUpdate[];
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
  let poller: { readonly end: () => void } | null = null;

  function isWanted(kind: string): boolean {
    return allowed === null ? !OPT_IN.has(kind) : allowed.has(kind);
  }

  function add(kind: string, update: Json, chat: string): { readonly eventId: string } {
    const id = Number(update["update_id"]);
    const record = state.recorder.event(String(id), update);
    if (isWanted(kind)) queue.push({ id, update, kind, chat, record, atMs: state.clock.now() });
    for (const listener of listeners) listener();
    return { eventId: String(id) };
  }

  function confirm(update: PendingUpdate, by: string): void {
    queue = queue.filter((other) => other !== update);
    update.record.acknowledgedAt ??= state.clock.now();
    update.record.acknowledgedBy ??= by;
    state.feed.emit({ place: update.chat, kind: "event" });
  }

  function take(limit: number): readonly Json[] {
    const fault =
      queue.length === 0
        ? null
        : state.faults.take({ method: queue[0]?.kind ?? "", place: queue[0]?.chat, direction: "event" });
    let batch = queue.slice(0, limit);
    if (fault?.action.reorder === true && batch.length > 1)
      batch = [batch[1], batch[0], ...batch.slice(2)].filter((item) => item !== undefined);
    for (const item of batch) item.record.deliveries += 1;
    const updates = batch.map((item) => item.update);
    return fault?.action.duplicate === true ? [...updates, ...updates.slice(0, 1)] : updates;
  }

  return {
    push(kind, payload, chat) {
      const update = { update_id: nextId, [kind]: payload };
      nextId += 1;
      return add(kind, update, chat);
    },
    emit(given) {
      const update = typeof given["update_id"] === "number" ? given : { update_id: nextId, ...given };
      nextId = Math.max(nextId, Number(update["update_id"]) + 1);
      return add(Object.keys(update).find((key) => key !== "update_id") ?? "unknown", update, "");
    },
    async getUpdates(params, signal) {
      if (this.isWebhookActive())
        throw new BotApiError(
          409,
          "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
        );
      // The newer poller wins; the older one is told.
      poller?.end();
      if (params["allowed_updates"] !== undefined)
        this.setAllowed(Array.isArray(params["allowed_updates"]) ? (params["allowed_updates"] as string[]) : null);
      const offset = Number(params["offset"] ?? 0);
      const limit = Math.min(100, Math.max(1, Number(params["limit"] ?? 100) || 100));
      const timeoutMs = Math.min(MAX_TIMEOUT_S, Math.max(0, Number(params["timeout"] ?? 0) || 0)) * 1000;
      const oldest = state.clock.now() - KEPT_MS;
      queue = queue.filter((update) => update.atMs >= oldest);
      if (offset > 0) for (const update of queue.filter(({ id }) => id < offset)) confirm(update, "offset");
      if (offset < 0)
        for (const update of queue.slice(0, Math.max(0, queue.length + offset))) confirm(update, "offset");
      if (queue.length > 0 || timeoutMs === 0) return take(limit);
      const ended = Promise.withResolvers<"more" | "timeout" | "conflict" | "gone">();
      const own = { end: () => ended.resolve("conflict") };
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
    pending: () => queue,
    confirm,
    onPush: (listener) => void listeners.add(listener),
    setAllowed(kinds) {
      allowed = kinds === null || kinds.length === 0 ? null : new Set(kinds);
    },
    isWebhookActive: () => false,
    clear() {
      queue = [];
      allowed = null;
      poller?.end();
    },
  };
}
