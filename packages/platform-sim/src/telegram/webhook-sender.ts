import { applyDelay } from "../core/apply-delay.ts";
import type { ActiveFault } from "../core/faults.ts";
import { textOf } from "../core/text-of.ts";
import { badRequest, tooManyRequests } from "./bot-api-error.ts";
import { type Attempt, failedAttempt, postUpdate } from "./post-update.ts";
import type { TelegramState } from "./telegram-state.ts";
import type { PendingUpdate, UpdateQueue } from "./update-queue.ts";
import type { Json } from "./world.ts";

/** First pause after the immediate repeat, ms; it doubles. */
const FIRST_RETRY_MS = 1_000;
/** Pauses grow to a random time between these, ms. */
const MAX_RETRY_MS = [60_000, 120_000] as const;
const SECRET_PATTERN = /^[A-Za-z0-9_-]{1,256}$/;

/** Calls the bot's webhook: in order per chat, several chats at once, again until it is taken. */
export interface WebhookSender {
  readonly set: (params: Json) => void;
  readonly remove: (dropPending: boolean) => void;
  readonly info: () => Json;
  readonly close: () => void;
}

interface Hook {
  readonly url: string;
  readonly secret: string | undefined;
  readonly maxConnections: number;
  readonly allowed: readonly string[] | undefined;
}

/** Creates a sender without a webhook. `answer` carries out a call that the bot puts into its answer. */
export function createWebhookSender(
  state: TelegramState,
  queue: UpdateQueue,
  answer: (method: string, params: Json) => Promise<void>,
): WebhookSender {
  let hook: Hook | null = null;
  let lastSetMs = Number.NEGATIVE_INFINITY;
  let lastError: { readonly date: number; readonly message: string } | null = null;
  const lanes = new Map<string, { failures: number; notBeforeMs: number; isSending: boolean }>();
  const stop = new AbortController();

  async function carryOut(body: string): Promise<void> {
    if (!body.startsWith("{")) return;
    let call: Json;
    try {
      call = JSON.parse(body) as Json;
    } catch {
      state.recorder.violate("The webhook answered with JSON that does not parse.");
      return;
    }
    const { method, ...params } = call;
    const isRefused = typeof method !== "string" || /^(get|setWebhook$|deleteWebhook$|close$|logOut$)/i.test(method);
    if (!isRefused) await answer(method, params);
  }

  /** One attempt, with what a fault makes of it. */
  async function send(target: Hook, update: PendingUpdate, fault: ActiveFault | null): Promise<Attempt | "postponed"> {
    const action = fault?.action ?? {};
    await applyDelay(action, state.clock);
    await fault?.released;
    if (action.reorder === true) {
      queue.postpone(update);
      return "postponed";
    }
    update.record.deliveries += 1;
    if (action.drop === "before" || action.close === true) return failedAttempt("Connection closed");
    const attempt = await postUpdate(target, update.update, stop.signal);
    if (action.duplicate === true) {
      update.record.deliveries += 1;
      await postUpdate(target, update.update, stop.signal);
    }
    if (action.drop === "after") return failedAttempt("Connection closed before the answer was read");
    if (attempt.isTaken) {
      queue.confirm(update, `http ${attempt.status}`);
      await carryOut(attempt.body);
    }
    return attempt;
  }

  async function deliver(target: Hook, update: PendingUpdate): Promise<void> {
    const lane = lanes.get(update.chat) ?? { failures: 0, notBeforeMs: 0, isSending: false };
    lanes.set(update.chat, lane);
    lane.isSending = true;
    const hasNext = queue.pending().some((other) => other !== update && other.chat === update.chat);
    const hit = { method: update.kind, places: update.places, direction: "event", hasNext } as const;
    const result = await send(target, update, state.faults.take(hit));
    lane.isSending = false;
    if (result !== "postponed" && result.isTaken) lanes.delete(update.chat);
    else if (result !== "postponed") {
      lastError = { date: Math.floor(state.clock.now() / 1000), message: result.message };
      lane.failures += 1;
      const ceiling = MAX_RETRY_MS[0] + state.random() * (MAX_RETRY_MS[1] - MAX_RETRY_MS[0]);
      // The first repeat comes at once.
      const pauseMs = lane.failures === 1 ? 0 : Math.min(ceiling, FIRST_RETRY_MS * 2 ** (lane.failures - 2));
      lane.notBeforeMs = state.clock.now() + Math.max(pauseMs, result.retryAfterMs);
      if (lane.notBeforeMs > state.clock.now()) state.clock.after(lane.notBeforeMs - state.clock.now(), pump);
    }
    pump();
    // Told of after the next attempt is set, so that who listens may move the clock to it.
    state.feed.emit({ place: update.chat, kind: "event" });
  }

  function pump(): void {
    const target = hook;
    if (target === null || stop.signal.aborted) return;
    const seen = new Set<string>();
    for (const update of queue.pending()) {
      if (seen.has(update.chat)) continue;
      seen.add(update.chat);
      const lane = lanes.get(update.chat);
      const sending = [...lanes.values()].filter((other) => other.isSending).length;
      if (lane?.isSending === true || (lane?.notBeforeMs ?? 0) > state.clock.now() || sending >= target.maxConnections)
        continue;
      void deliver(target, update);
    }
  }

  queue.onPush(pump);
  queue.isWebhookActive = () => hook !== null;

  return {
    set(params) {
      const url = textOf(params["url"]);
      const secret = params["secret_token"];
      if (url !== "" && !/^https?:\/\//.test(url))
        throw badRequest("bad webhook: An HTTPS URL must be provided for webhook");
      if (secret !== undefined && (typeof secret !== "string" || !SECRET_PATTERN.test(secret)))
        throw badRequest("secret token contains unallowed characters");
      const nowMs = state.clock.now();
      if (nowMs - lastSetMs < 1_000) throw tooManyRequests(1);
      lastSetMs = nowMs;
      if (params["drop_pending_updates"] === true)
        for (const update of queue.pending().slice()) queue.confirm(update, "dropped");
      const allowed = Array.isArray(params["allowed_updates"]) ? (params["allowed_updates"] as string[]) : undefined;
      if (allowed !== undefined) queue.setAllowed(allowed);
      hook =
        url === ""
          ? null
          : {
              url,
              secret: typeof secret === "string" ? secret : undefined,
              maxConnections: Number(params["max_connections"] ?? 40),
              allowed,
            };
      pump();
    },
    remove(dropPending) {
      hook = null;
      lanes.clear();
      if (dropPending) for (const update of queue.pending().slice()) queue.confirm(update, "dropped");
    },
    info() {
      return {
        url: hook?.url ?? "",
        has_custom_certificate: false,
        pending_update_count: queue.pending().length,
        ...(hook === null ? {} : { max_connections: hook.maxConnections }),
        ...(hook?.allowed === undefined ? {} : { allowed_updates: hook.allowed }),
        ...(lastError === null ? {} : { last_error_date: lastError.date, last_error_message: lastError.message }),
      };
    },
    close() {
      stop.abort();
      hook = null;
    },
  };
}
