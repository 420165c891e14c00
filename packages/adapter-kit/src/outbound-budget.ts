import { type Clock, TurnwireError } from "@turnwire/turn-kernel";

import { createTokenBucket, type TokenBucket } from "./token-bucket.ts";

/** Finals go before edits, edits before typing. */
export type OutboundPriority = "final" | "edit" | "typing";

const PRIORITY_ORDER: Readonly<Record<OutboundPriority, number>> = { final: 0, edit: 1, typing: 2 };

/** One call that wants to leave. */
export interface OutboundRequest {
  readonly chat: string;
  readonly chatKind: "direct" | "group" | "channel";
  readonly priority: OutboundPriority;
  /** Of the requests that wait with the same slot (a draft's edits) only the newest is granted. */
  readonly slot?: string | undefined;
  readonly signal: AbortSignal;
}

/** What one bot may send: every call of an account takes from it, whoever makes it. */
export interface OutboundBudget {
  /**
   * Waits for its turn. `superseded` when a newer request of its slot came first.
   * Rejects with the signal's reason when aborted, and with TurnwireError `budget_closed`.
   */
  readonly take: (request: OutboundRequest) => Promise<"granted" | "superseded">;
  /** Takes at once when nothing waits in that chat and everything is free; else false, and nothing is taken. */
  readonly tryTake: (request: Pick<OutboundRequest, "chat" | "chatKind">) => boolean;
  /** The platform asked to wait: nothing of that chat, or of the whole bot, leaves for `durationMs`. */
  readonly pause: (scope: "chat" | "bot", chat: string, durationMs: number) => void;
  /** Rejects what waits. */
  readonly close: () => void;
}

/** Rates and the clock that they are measured on. */
export interface OutboundBudgetOptions {
  readonly clock: Clock;
  readonly perBotPerSecond: number;
  readonly perChatPerSecond: number;
  /** A further limit of groups (Telegram: 20 a minute). */
  readonly perGroupPerMinute?: number | undefined;
}

interface Waiting {
  readonly request: OutboundRequest;
  readonly order: number;
  readonly resolve: (result: "granted" | "superseded") => void;
  readonly reject: (reason: unknown) => void;
  readonly unlisten: () => void;
}

interface ChatLane {
  readonly buckets: readonly TokenBucket[];
  waiting: Waiting[];
  pausedUntilMs: number;
}

/** Chats remembered without anything waiting; the least recently used goes first, and by then its bucket is full again. */
const MAX_IDLE_CHATS = 10_000;

function closedError(): TurnwireError {
  return new TurnwireError({
    code: "budget_closed",
    message: "The account's outbound budget is closed: it was stopped.",
  });
}

/** Builds the budget of one account. */
export function createOutboundBudget(options: OutboundBudgetOptions): OutboundBudget {
  const { clock } = options;
  const bot = createTokenBucket(clock, options.perBotPerSecond, Math.max(1, options.perBotPerSecond));
  const chats = new Map<string, ChatLane>();
  /** Those in which something waits: a grant looks at them alone. */
  const busy = new Set<ChatLane>();
  let botPausedUntilMs = 0;
  let order = 0;
  let cancelTimer: (() => void) | null = null;
  let closed = false;

  function laneOf(chat: string, chatKind: OutboundRequest["chatKind"]): ChatLane {
    const known = chats.get(chat);
    if (known !== undefined) {
      // Re-inserted: the map's order is the order of last use.
      chats.delete(chat);
      chats.set(chat, known);
      return known;
    }
    // A chat takes a short burst: platforms count over seconds, not between two calls.
    const buckets = [createTokenBucket(clock, options.perChatPerSecond, Math.max(3, options.perChatPerSecond))];
    if (chatKind !== "direct" && options.perGroupPerMinute !== undefined) {
      buckets.push(createTokenBucket(clock, options.perGroupPerMinute / 60, options.perGroupPerMinute));
    }
    const lane: ChatLane = { buckets, waiting: [], pausedUntilMs: 0 };
    chats.set(chat, lane);
    for (const [key, idle] of chats) {
      if (chats.size <= MAX_IDLE_CHATS) break;
      if (idle.waiting.length === 0 && key !== chat) chats.delete(key);
    }
    return lane;
  }

  function readyInMs(lane: ChatLane): number {
    const now = clock.monotonic();
    const pause = Math.max(lane.pausedUntilMs, botPausedUntilMs) - now;
    return Math.max(pause, bot.readyInMs(), ...lane.buckets.map((bucket) => bucket.readyInMs()));
  }

  function next(lane: ChatLane): Waiting | undefined {
    let best: Waiting | undefined;
    for (const candidate of lane.waiting) {
      const rank = PRIORITY_ORDER[candidate.request.priority];
      const bestRank = best === undefined ? Number.POSITIVE_INFINITY : PRIORITY_ORDER[best.request.priority];
      if (rank < bestRank || (rank === bestRank && best !== undefined && candidate.order < best.order))
        best = candidate;
    }
    return best;
  }

  function remove(lane: ChatLane, item: Waiting): void {
    lane.waiting = lane.waiting.filter((other) => other !== item);
    if (lane.waiting.length === 0) busy.delete(lane);
    item.unlisten();
  }

  /** The chat whose best request is first in line of those that may go now. */
  function grantable(): { readonly lane: ChatLane; readonly item: Waiting } | { readonly waitMs: number } {
    let best: { readonly lane: ChatLane; readonly item: Waiting } | null = null;
    let waitMs = Number.POSITIVE_INFINITY;
    for (const lane of busy) {
      const item = next(lane);
      if (item === undefined) continue;
      const inMs = readyInMs(lane);
      if (inMs > 0) {
        waitMs = Math.min(waitMs, inMs);
        continue;
      }
      const rank = PRIORITY_ORDER[item.request.priority];
      const bestRank = best === null ? Number.POSITIVE_INFINITY : PRIORITY_ORDER[best.item.request.priority];
      if (rank < bestRank || (rank === bestRank && best !== null && item.order < best.item.order))
        best = { lane, item };
    }
    return best ?? { waitMs };
  }

  function drain(): void {
    cancelTimer?.();
    cancelTimer = null;
    if (closed) return;
    for (;;) {
      const found = grantable();
      if ("waitMs" in found) {
        if (found.waitMs !== Number.POSITIVE_INFINITY) cancelTimer = clock.setTimer(drain, Math.ceil(found.waitMs));
        return;
      }
      bot.take();
      for (const bucket of found.lane.buckets) bucket.take();
      remove(found.lane, found.item);
      found.item.resolve("granted");
    }
  }

  function takeFree(lane: ChatLane): boolean {
    if (closed || lane.waiting.length > 0 || readyInMs(lane) > 0) return false;
    bot.take();
    for (const bucket of lane.buckets) bucket.take();
    return true;
  }

  return {
    tryTake: (request) => takeFree(laneOf(request.chat, request.chatKind)),
    async take(request) {
      if (closed) throw closedError();
      request.signal.throwIfAborted();
      const lane = laneOf(request.chat, request.chatKind);
      if (request.slot !== undefined) {
        for (const older of lane.waiting.filter((item) => item.request.slot === request.slot)) {
          remove(lane, older);
          older.resolve("superseded");
        }
      }
      // Everything is free: no timer, no queue.
      if (takeFree(lane)) return "granted";
      order += 1;
      const own = order;
      return new Promise((resolve, reject) => {
        const onAbort = (): void => {
          remove(lane, item);
          reject(request.signal.reason as Error);
          drain();
        };
        const unlisten = (): void => {
          request.signal.removeEventListener("abort", onAbort);
        };
        const item: Waiting = { request, order: own, resolve, reject, unlisten };
        request.signal.addEventListener("abort", onAbort, { once: true });
        lane.waiting.push(item);
        busy.add(lane);
        drain();
      });
    },
    pause(scope, chat, durationMs) {
      const untilMs = clock.monotonic() + durationMs;
      if (scope === "bot") botPausedUntilMs = Math.max(botPausedUntilMs, untilMs);
      else {
        // An unknown chat counts as a group: the tighter limit.
        const lane = laneOf(chat, "group");
        lane.pausedUntilMs = Math.max(lane.pausedUntilMs, untilMs);
      }
      drain();
    },
    close() {
      closed = true;
      cancelTimer?.();
      cancelTimer = null;
      for (const lane of busy) {
        for (const item of lane.waiting) {
          item.unlisten();
          item.reject(closedError());
        }
        lane.waiting = [];
      }
      busy.clear();
    },
  };
}
