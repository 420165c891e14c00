import { TurnwireError } from "@turnwire/turn-kernel";
import type { ChannelContext } from "@turnwire/turn-ports";

import type { BotIdentity } from "../account/bot-identity.ts";
import type { CallResult, TelegramClient } from "../client.ts";
import { toTelegramError } from "../common/telegram-error.ts";
import { wait } from "../common/wait.ts";
import { toRawEvent } from "./raw-event.ts";
import { UPDATE_SHAPES } from "./update-schema.ts";

/** What we ask Telegram for; by default it leaves out reactions. */
export const ALLOWED_UPDATES: readonly string[] = Object.keys(UPDATE_SHAPES);

/** How long Telegram holds a poll open when nothing comes, s. It cuts at 50. */
const POLL_TIMEOUT_S = 30;
/** A poll that takes longer than its time and this hangs, ms: an answer on its way over a slow line is no more than that late. */
const POLL_MARGIN_MS = 10_000;
/** The most that Telegram gives at a time. */
const POLL_LIMIT = 100;
/** Update ids start anew, at random, after a week without updates (`Update.update_id`); an older cursor means nothing. */
const CURSOR_LIFE_MS = 6 * 86_400_000;

/** First and longest pause while another process polls the same bot, ms. */
const CONFLICT_PAUSE_MS = 3_000;
const MAX_CONFLICT_PAUSE_MS = 60_000;
/** Polls without a conflict for so long: the other one is gone. */
const CONFLICT_MEMORY_MS = 2 * MAX_CONFLICT_PAUSE_MS;

/** The next offset and when it was written, as the store keeps it. */
export function cursorOf(offset: number, nowMs: number): string {
  return `${offset}@${nowMs}`;
}

/** The offset to go on from; undefined for none, or for one so old that ids have started anew. */
export function offsetOf(cursor: string | null, nowMs: number): number | undefined {
  const [, offset, writtenAtMs] = /^(\d+)@(\d+)$/.exec(cursor ?? "") ?? [];
  if (offset === undefined || writtenAtMs === undefined) return undefined;
  return nowMs - Number(writtenAtMs) > CURSOR_LIFE_MS ? undefined : Number(offset);
}

/** Pauses that grow with each conflict, and are forgotten when none came for a while. */
export function nextConflictPauseMs(
  last: { readonly pauseMs: number; readonly atMs: number } | null,
  nowMs: number,
): number {
  if (last === null || nowMs - last.atMs > last.pauseMs + CONFLICT_MEMORY_MS) return CONFLICT_PAUSE_MS;
  return Math.min(MAX_CONFLICT_PAUSE_MS, last.pauseMs * 2);
}

/**
 * Polls until the signal aborts. A batch and its offset are one commit, and only then is the next `getUpdates` sent,
 * which is what acknowledges the batch. Health comes from completed polls alone.
 * @throws TurnwireError when a poll fails or hangs: the supervisor starts the listener again.
 */
export async function listen(client: TelegramClient, identity: BotIdentity, context: ChannelContext): Promise<void> {
  const { signal, inbox, health, clock, log } = context;
  let offset = offsetOf(await context.state.cursor(), clock.now());
  let isConnected = false;
  let conflict: { readonly pauseMs: number; readonly atMs: number } | null = null;

  while (!signal.aborted) {
    // The first answer comes at once, with or without updates: until then nobody knows whether we are connected.
    const answer = await poll(client, { offset, timeoutS: isConnected ? POLL_TIMEOUT_S : 0 }, signal);
    if (signal.aborted) return;
    if (!answer.ok) {
      const { failure } = answer;
      if (failure.kind !== "refused" || failure.status !== 409) throw toTelegramError(failure);
      const pauseMs = nextConflictPauseMs(conflict, clock.monotonic());
      const isRepeated = conflict !== null && pauseMs > CONFLICT_PAUSE_MS;
      conflict = { pauseMs, atMs: clock.monotonic() };
      if (await removeWebhook(client, signal)) {
        log.warn({}, "A webhook was set for this bot although it polls; it was removed, and its updates are kept");
        // Whoever sets it again must not be fought either.
        if (isRepeated) await wait(clock, pauseMs, signal);
        continue;
      }
      health.conflict(
        "Another process polls this bot: stop it, or make a new token with @BotFather. Polling goes on with pauses.",
      );
      await wait(clock, pauseMs, signal);
      continue;
    }
    const updates = updatesOf(answer.result);
    const next = updates.length === 0 ? null : nextOffset(updates);
    if (isConnected) health.exchangeOk();
    else health.connected();
    isConnected = true;
    if (next === null) continue;

    const nowMs = clock.now();
    const events = updates.map((update) => toRawEvent(update, identity, nowMs));
    await inbox.accept(events, { cursor: cursorOf(next, nowMs) });
    offset = next;
  }
}

async function poll(
  client: TelegramClient,
  { offset, timeoutS }: { readonly offset: number | undefined; readonly timeoutS: number },
  signal: AbortSignal,
): Promise<CallResult<unknown>> {
  const params = { timeout: timeoutS, limit: POLL_LIMIT, allowed_updates: ALLOWED_UPDATES };
  return client.call(
    {
      method: "getUpdates",
      params: offset === undefined ? params : { ...params, offset },
      timeoutMs: timeoutS * 1000 + POLL_MARGIN_MS,
    },
    signal,
  );
}

/** Removes the webhook that stands in the way of polling; false when none does. */
async function removeWebhook(client: TelegramClient, signal: AbortSignal): Promise<boolean> {
  const info = await client.call({ method: "getWebhookInfo", params: {} }, signal);
  const { url } = (info.ok ? info.result : {}) as { readonly url?: unknown };
  if (typeof url !== "string" || url === "") return false;
  const removed = await client.call({ method: "deleteWebhook", params: { drop_pending_updates: false } }, signal);
  return removed.ok;
}

function updatesOf(result: unknown): readonly unknown[] {
  if (Array.isArray(result)) return result;
  throw malformed("it is no list");
}

/** Behind the newest update that has an id; one without an id is stored, but cannot move the offset. */
function nextOffset(updates: readonly unknown[]): number {
  const ids = updates
    .map((update) => (typeof update === "object" && update !== null && "update_id" in update ? update.update_id : null))
    .filter((id) => typeof id === "number" && Number.isSafeInteger(id));
  if (ids.length === 0) throw malformed("none of its updates has an id");
  return Math.max(...(ids as number[])) + 1;
}

function malformed(problem: string): TurnwireError {
  return new TurnwireError({
    code: "telegram_answer_malformed",
    message: `The answer to getUpdates cannot be read: ${problem}; check that apiRoot leads to a Bot API.`,
  });
}
