import { textOf } from "../core/text-of.ts";
import { badRequest, tooManyRequests } from "./bot-api-error.ts";
import type { TelegramState } from "./telegram-state.ts";
import type { PendingUpdate, UpdateQueue } from "./update-queue.ts";
import type { Json } from "./world.ts";

/** First pause after the immediate repeat, ms; it doubles. */
const FIRST_RETRY_MS = 1_000;
/** Pauses grow to a random time between these, ms. */
const MAX_RETRY_MS = [60_000, 120_000] as const;
/** A bot's own Retry-After is respected up to an hour, seconds. */
const MAX_RETRY_AFTER_S = 3_600;
/** How long the bot may take to answer, ms. */
const ANSWER_TIMEOUT_MS = 60_000;
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
  const busy = new Map<string, { failures: number; notBeforeMs: number; isSending: boolean }>();
  const stop = new AbortController();

  async function post(
    target: Hook,
    update: PendingUpdate,
  ): Promise<{ readonly ok: boolean; readonly retryAfterMs: number }> {
    const headers: Record<string, string> = { "content-type": "application/json" };
    if (target.secret !== undefined) headers["x-telegram-bot-api-secret-token"] = target.secret;
    try {
      const response = await fetch(target.url, {
        method: "POST",
        headers,
        body: JSON.stringify(update.update),
        signal: AbortSignal.any([stop.signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]),
      });
      const text = await response.text();
      if (response.ok) {
        queue.confirm(update, `http ${response.status}`);
        await carryOut(text);
        return { ok: true, retryAfterMs: 0 };
      }
      lastError = {
        date: Math.floor(state.clock.now() / 1000),
        message: `Wrong response from the webhook: ${response.status} ${response.statusText}`,
      };
      return {
        ok: false,
        retryAfterMs: Math.min(MAX_RETRY_AFTER_S, Number(response.headers.get("retry-after")) || 0) * 1000,
      };
    } catch (error) {
      lastError = {
        date: Math.floor(state.clock.now() / 1000),
        message: `Connection failed: ${error instanceof Error ? error.message : String(error)}`,
      };
      return { ok: false, retryAfterMs: 0 };
    }
  }

  async function carryOut(body: string): Promise<void> {
    if (!body.startsWith("{")) return;
    const { method, ...params } = JSON.parse(body) as Json;
    const isRefused = typeof method !== "string" || /^(get|setWebhook|deleteWebhook|close|logOut)/i.test(method);
    if (!isRefused) await answer(method, params);
  }

  async function deliver(target: Hook, update: PendingUpdate): Promise<void> {
    const lane = busy.get(update.chat) ?? { failures: 0, notBeforeMs: 0, isSending: false };
    busy.set(update.chat, lane);
    lane.isSending = true;
    update.record.deliveries += 1;
    const fault = state.faults.take({ method: update.kind, place: update.chat, direction: "event" });
    if (fault !== null) {
      if (fault.action.delayMs !== undefined)
        await new Promise<void>((resolve) => {
          state.clock.after(fault.action.delayMs ?? 0, resolve);
        });
      await fault.released;
    }
    const result = await post(target, update);
    if (result.ok && fault?.action.duplicate === true) await post(target, update);
    lane.isSending = false;
    if (result.ok) busy.delete(update.chat);
    else {
      lane.failures += 1;
      const ceiling = MAX_RETRY_MS[0] + state.random() * (MAX_RETRY_MS[1] - MAX_RETRY_MS[0]);
      // The first repeat comes at once.
      const pause = lane.failures === 1 ? 0 : Math.min(ceiling, FIRST_RETRY_MS * 2 ** (lane.failures - 2));
      lane.notBeforeMs = state.clock.now() + Math.max(pause, result.retryAfterMs);
      state.clock.after(lane.notBeforeMs - state.clock.now(), pump);
    }
    pump();
  }

  function pump(): void {
    const target = hook;
    if (target === null || stop.signal.aborted) return;
    const seen = new Set<string>();
    for (const update of queue.pending()) {
      if (seen.has(update.chat)) continue;
      seen.add(update.chat);
      const lane = busy.get(update.chat);
      const sending = [...busy.values()].filter((other) => other.isSending).length;
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
      busy.clear();
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
