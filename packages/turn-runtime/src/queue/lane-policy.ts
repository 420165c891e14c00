import type { QueueDrop, QueueMode } from "../config/messages-config.ts";
import { dueAtMsOf, groupAtHead } from "./head-group.ts";
import {
  isCompatible,
  isSameTarget,
  isWorkOf,
  type LaneItem,
  type LaneTarget,
  type WaitingItem,
  type WaitingMode,
} from "./lane-item.ts";
import type { ActiveRun, LaneState } from "./lane-state.ts";

/** How a lane queues; may change with every message (`/queue`). */
export interface QueueSettings {
  readonly mode: QueueMode;
  readonly cap: number;
  readonly drop: QueueDrop;
  readonly debounceMs: number;
}

/** What happens to a lane. */
export type LaneEvent =
  /** An item reached the entry of dispatch: it is admitted and recorded. */
  | { readonly type: "arrived"; readonly item: LaneItem; readonly settings: QueueSettings }
  /** Items that were deferred before the lane was claimed anew. */
  | { readonly type: "restored"; readonly items: readonly WaitingItem[] }
  /** The runner asks for messages to steer by. */
  | { readonly type: "safe-point"; readonly turnId: string; readonly nowMs: number }
  /** `finished`: it came to an end of its own, which settles all its items; else it was aborted as the policy asked. */
  | { readonly type: "run-ended"; readonly turnId: string; readonly finished: boolean; readonly nowMs: number }
  | { readonly type: "time-passed"; readonly nowMs: number }
  /** `/stop` of this person in this place: reaches what was told before the row of the command. */
  | {
      readonly type: "stopped";
      readonly senderId: string;
      readonly target: LaneTarget;
      readonly beforeRowId: number;
    }
  /** `/new`: ends the active run; what waits gets its turn in the new conversation. */
  | { readonly type: "reset" };

/** What the driver has to do. */
export type LaneEffect =
  /** Begin this run now. `items` in order of arrival; `dropped` are to be told of in one line each. */
  | {
      readonly type: "run";
      readonly turnId: string;
      readonly items: readonly LaneItem[];
      readonly dropped: readonly LaneItem[];
    }
  | { readonly type: "defer"; readonly item: LaneItem; readonly mode: WaitingMode; readonly notBeforeMs: number }
  | { readonly type: "steer"; readonly turnId: string; readonly items: readonly LaneItem[] }
  | { readonly type: "abort"; readonly turnId: string; readonly reason: "stop" | "superseded" }
  | { readonly type: "drop"; readonly items: readonly LaneItem[] }
  | { readonly type: "end"; readonly items: readonly LaneItem[]; readonly as: "stopped" | "interrupted" };

/** The lane after an event, and what is to be done about it, in order. */
export interface LaneDecision {
  readonly state: LaneState;
  readonly effects: readonly LaneEffect[];
}

/** Dropped items that are remembered for the next turn's summary: more would be a wall of lines. */
const MAX_SUMMARIZED = 50;

/**
 * Decides what a lane does. Pure: it executes nothing. Whatever the interleaving, no item is lost,
 * none runs twice, those of one target run in order of arrival, and at most one run is active.
 */
export function decideLane(state: LaneState, event: LaneEvent): LaneDecision {
  switch (event.type) {
    case "arrived":
      return arrive(state, event.item, event.settings);
    case "restored":
      return unchanged({ ...state, waiting: [...state.waiting, ...event.items] });
    case "safe-point":
      return steer(state, event.turnId, event.nowMs);
    case "run-ended":
      return endRun(state, event);
    case "time-passed":
      return startNext(state, event.nowMs, []);
    case "stopped":
      return stop(state, event);
    case "reset":
      return state.active === null
        ? unchanged({ ...state, dropped: [] })
        : abortForStop({ ...state, dropped: [] }, state.active, state.active.items);
  }
}

/** When the lane wants a `time-passed`, ms on the clock of `atMs`; null while a run is active or nothing waits. */
export function nextWakeAtMs(state: LaneState): number | null {
  return state.active === null && state.waiting.length > 0 ? dueAtMsOf(groupAtHead(state.waiting)) : null;
}

function unchanged(state: LaneState): LaneDecision {
  return { state, effects: [] };
}

function arrive(state: LaneState, item: LaneItem, settings: QueueSettings): LaneDecision {
  if (state.active === null && state.waiting.length === 0) return run(state, [item], []);

  if (state.waiting.length >= settings.cap && settings.drop === "new") {
    return { state, effects: [{ type: "drop", items: [item] }] };
  }

  const effects: LaneEffect[] = [];
  let { active, waiting, dropped } = state;
  let notBeforeMs = item.atMs + settings.debounceMs;
  if (settings.mode === "interrupt" && active !== null && canInterrupt(active, item)) {
    if (active.ending === null) {
      effects.push({ type: "abort", turnId: active.turnId, reason: "superseded" });
      active = { ...active, ending: { reason: "superseded" } };
    }
    notBeforeMs = item.atMs;
  }

  const overflow = waiting.slice(0, Math.max(0, waiting.length + 1 - settings.cap));
  if (overflow.length > 0) {
    effects.push({ type: "drop", items: overflow });
    waiting = waiting.slice(overflow.length);
    if (settings.drop === "summarize") dropped = [...dropped, ...overflow].slice(-MAX_SUMMARIZED);
  }

  const mode = waitingModeOf(settings.mode, item, active);
  effects.push({ type: "defer", item, mode, notBeforeMs });
  waiting = [...waiting, { ...item, mode, dueAtMs: notBeforeMs }];
  return { state: { active, waiting, dropped }, effects };
}

/** A person's message interrupts only what is all their own, in the same place. */
function canInterrupt(active: ActiveRun, item: LaneItem): boolean {
  return active.items.every((part) => isWorkOf(part, item.senderId, item.target));
}

function waitingModeOf(mode: QueueMode, item: LaneItem, active: ActiveRun | null): WaitingMode {
  switch (mode) {
    case "steer": {
      // With nothing active it waits for the run of the head, and is steered into that if they fit together.
      const fits = active === null || active.items.every((part) => isCompatible(part, item));
      return item.steerable && fits ? "steer" : "followup";
    }
    case "collect":
      return "collect";
    case "followup":
    case "interrupt":
      return "followup";
  }
}

function steer(state: LaneState, turnId: string, nowMs: number): LaneDecision {
  const { active } = state;
  if (active === null || active.turnId !== turnId || active.ending !== null) return unchanged(state);
  const [head] = active.items;
  if (head === undefined) return unchanged(state);

  const taken: WaitingItem[] = [];
  for (const item of state.waiting) {
    if (!isSameTarget(item.target, head.target)) continue;
    // What waits in the same place for a turn of its own is not overtaken.
    if (item.mode !== "steer" || !isCompatible(item, head)) break;
    taken.push(item);
  }
  if (taken.length === 0 || dueAtMsOf(taken) > nowMs) return unchanged(state);

  const waiting = state.waiting.filter((item) => !taken.includes(item));
  return {
    state: { ...state, waiting, active: { ...active, items: [...active.items, ...taken] } },
    effects: [{ type: "steer", turnId, items: taken }],
  };
}

function endRun(state: LaneState, event: LaneEvent & { readonly type: "run-ended" }): LaneDecision {
  const { active } = state;
  if (active === null || active.turnId !== event.turnId) return unchanged(state);
  const idle: LaneState = { ...state, active: null };
  if (event.finished || active.ending === null) return startNext(idle, event.nowMs, []);

  if (active.ending.reason === "superseded") {
    return startNext(idle, event.nowMs, [{ type: "end", items: active.items, as: "interrupted" }]);
  }
  const { turnIds } = active.ending;
  const stopped = active.items.filter((item) => turnIds.includes(item.turnId));
  const others = active.items.filter((item) => !turnIds.includes(item.turnId));
  const again = others.map((item): WaitingItem => ({ ...item, mode: "followup", dueAtMs: event.nowMs }));
  const restarted: LaneState = { ...idle, waiting: [...again, ...idle.waiting] };
  return startNext(restarted, event.nowMs, stopped.length > 0 ? [{ type: "end", items: stopped, as: "stopped" }] : []);
}

function startNext(state: LaneState, nowMs: number, before: readonly LaneEffect[]): LaneDecision {
  const wakeAtMs = nextWakeAtMs(state);
  if (wakeAtMs === null || wakeAtMs > nowMs) return { state, effects: before };
  return run(state, groupAtHead(state.waiting), before);
}

/** Several collected items run under the last one's turn: its message, thread and reply ids are the turn's. */
function run(state: LaneState, items: readonly LaneItem[], before: readonly LaneEffect[]): LaneDecision {
  const last = items.at(-1);
  if (last === undefined) return { state, effects: before };
  const { turnId } = last;
  const dropped = state.dropped.filter((item) => isCompatible(item, last));
  const ids = new Set(items.map((item) => item.turnId));
  return {
    state: {
      active: { turnId, items, ending: null },
      waiting: state.waiting.filter((item) => !ids.has(item.turnId)),
      dropped: state.dropped.filter((item) => !dropped.includes(item)),
    },
    effects: [...before, { type: "run", turnId, items, dropped }],
  };
}

function stop(state: LaneState, event: LaneEvent & { readonly type: "stopped" }): LaneDecision {
  const isTheirs = (item: LaneItem): boolean =>
    isWorkOf(item, event.senderId, event.target) && item.rowIds.every((rowId) => rowId < event.beforeRowId);
  const ended = state.waiting.filter(isTheirs);
  const left: LaneState = {
    ...state,
    waiting: state.waiting.filter((item) => !isTheirs(item)),
    dropped: state.dropped.filter((item) => !isTheirs(item)),
  };
  const effects: readonly LaneEffect[] = ended.length > 0 ? [{ type: "end", items: ended, as: "stopped" }] : [];
  const running = state.active?.items.filter(isTheirs) ?? [];
  if (state.active === null || running.length === 0) return { state: left, effects };
  const aborted = abortForStop(left, state.active, running);
  return { state: aborted.state, effects: [...effects, ...aborted.effects] };
}

function abortForStop(state: LaneState, active: ActiveRun, stopped: readonly LaneItem[]): LaneDecision {
  const before = active.ending?.reason === "stop" ? active.ending.turnIds : [];
  const turnIds = [...new Set([...before, ...stopped.map((item) => item.turnId)])];
  return {
    state: { ...state, active: { ...active, ending: { reason: "stop", turnIds } } },
    // A run that was asked to end already is not asked again.
    effects: active.ending === null ? [{ type: "abort", turnId: active.turnId, reason: "stop" }] : [],
  };
}
