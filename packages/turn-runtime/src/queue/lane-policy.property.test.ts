import fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { QueueDrop, QueueMode } from "../config/messages-config.ts";
import { isCompatible, isSameTarget, isWorkOf, type LaneItem, type LaneTarget } from "./lane-item.ts";
import { decideLane, nextWakeAtMs, type LaneEffect, type LaneEvent } from "./lane-policy.ts";
import { IDLE_LANE, type LaneState } from "./lane-state.ts";

/** What one step of a history does. Everything that can happen to a lane, in any order. */
type Step =
  | {
      readonly do: "arrive";
      readonly sender: string;
      readonly place: number;
      readonly mode: QueueMode;
      readonly drop: QueueDrop;
      readonly steerable: boolean;
    }
  | { readonly do: "safe-point" }
  | { readonly do: "end"; readonly finished: boolean }
  | { readonly do: "wait"; readonly ms: number }
  | { readonly do: "stop"; readonly sender: string; readonly place: number }
  | { readonly do: "reset" };

const places: readonly LaneTarget[] = [
  { channel: "telegram", accountId: "default", replyTarget: "1", direct: true },
  { channel: "slack", accountId: "default", replyTarget: "C1", direct: false },
  { channel: "slack", accountId: "default", replyTarget: "C1", threadId: "9", direct: false },
];
const sender = fc.constantFrom("ann", "bob");
const place = fc.nat({ max: places.length - 1 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("arrive" as const),
      sender,
      place,
      mode: fc.constantFrom<QueueMode>("steer", "followup", "collect", "interrupt"),
      drop: fc.constantFrom<QueueDrop>("summarize", "old", "new"),
      steerable: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("safe-point" as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("end" as const), finished: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("wait" as const), ms: fc.integer({ min: 1, max: 900 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("stop" as const), sender, place }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("reset" as const) }) },
);

const CAP = 4;
const DEBOUNCE_MS = 500;

type Fate = "waiting" | "running" | "answered" | "dropped" | "stopped" | "interrupted";

/** Executes a history as the driver would, and keeps the books that the properties are about. */
class Lane {
  state: LaneState = IDLE_LANE;
  nowMs = 1_000;
  readonly items: LaneItem[] = [];
  readonly fate = new Map<string, Fate>();
  /** Turn ids in the order in which they entered a run, by run or by steering. */
  readonly entered: string[] = [];
  readonly toldOf: string[] = [];
  #serial = 0;

  play(event: LaneEvent): readonly LaneEffect[] {
    const { state, effects } = decideLane(this.state, event);
    this.state = state;
    for (const effect of effects) this.#book(effect);
    return effects;
  }

  do(action: Step): void {
    switch (action.do) {
      case "arrive": {
        this.#serial += 1;
        const item: LaneItem = {
          turnId: `t${this.#serial}`,
          rowIds: [this.#serial],
          senderId: action.sender,
          target: places[action.place] as LaneTarget,
          atMs: this.nowMs,
          steerable: action.steerable,
        };
        this.items.push(item);
        this.play({
          type: "arrived",
          item,
          settings: { mode: action.mode, cap: CAP, drop: action.drop, debounceMs: DEBOUNCE_MS },
        });
        return;
      }
      case "safe-point":
        if (this.state.active !== null)
          this.play({ type: "safe-point", turnId: this.state.active.turnId, nowMs: this.nowMs });
        return;
      case "end": {
        const { active } = this.state;
        if (active === null) return;
        // A run that nobody asked to end always comes to its own end.
        const finished = action.finished || active.ending === null;
        if (finished) for (const item of active.items) this.#move(item, ["running"], "answered");
        else if (active.ending?.reason === "stop") {
          const { turnIds } = active.ending;
          for (const item of active.items) if (!turnIds.includes(item.turnId)) this.#rerun(item);
        }
        this.play({ type: "run-ended", turnId: active.turnId, finished, nowMs: this.nowMs });
        return;
      }
      case "wait":
        this.nowMs += action.ms;
        this.play({ type: "time-passed", nowMs: this.nowMs });
        return;
      case "stop":
        this.play({
          type: "stopped",
          senderId: action.sender,
          target: places[action.place] as LaneTarget,
          beforeRowId: Infinity,
        });
        return;
      case "reset":
        this.play({ type: "reset" });
    }
  }

  /** Lets everything that is left come to its end, as a lane that is no longer disturbed does. */
  settle(): void {
    for (let round = 0; round < 200 && (this.state.active !== null || this.state.waiting.length > 0); round += 1) {
      this.do({ do: "end", finished: false });
      this.do({ do: "wait", ms: DEBOUNCE_MS });
    }
  }

  /** A part of a stopped run that belongs to somebody else: it counts as not entered, and enters again. */
  #rerun(item: LaneItem): void {
    this.#move(item, ["running"], "waiting");
    this.entered.splice(this.entered.indexOf(item.turnId), 1);
  }

  #move(item: LaneItem, from: readonly (Fate | undefined)[], to: Fate): void {
    expect(from, `${item.turnId} to ${to}`).toContain(this.fate.get(item.turnId));
    this.fate.set(item.turnId, to);
  }

  #book(effect: LaneEffect): void {
    switch (effect.type) {
      case "run":
      case "steer":
        for (const item of effect.items) {
          this.#move(item, [undefined, "waiting"], "running");
          this.entered.push(item.turnId);
        }
        if (effect.type === "run") this.toldOf.push(...effect.dropped.map((item) => item.turnId));
        return;
      case "defer":
        this.#move(effect.item, [undefined], "waiting");
        return;
      case "drop":
        for (const item of effect.items) this.#move(item, [undefined, "waiting"], "dropped");
        return;
      case "end":
        for (const item of effect.items) this.#move(item, ["waiting", "running"], effect.as);
        return;
      case "abort":
    }
  }
}

function play(steps: readonly Step[], after?: (lane: Lane, step: Step) => void): Lane {
  const lane = new Lane();
  for (const action of steps) {
    lane.do(action);
    after?.(lane, action);
  }
  return lane;
}

const histories = fc.array(step, { maxLength: 60 });
const runs = { numRuns: 2_000 };

describe("the lane's policy, whatever the interleaving", () => {
  it("loses nothing and runs nothing twice: every item comes to exactly one end", () => {
    fc.assert(
      fc.property(histories, (steps) => {
        const lane = play(steps);
        lane.settle();
        const open = lane.items.filter((item) =>
          ["waiting", "running", undefined].includes(lane.fate.get(item.turnId)),
        );
        expect(open).toEqual([]);
        expect(new Set(lane.entered).size).toBe(lane.entered.length);
      }),
      runs,
    );
  });

  it("has no item in two places, and knows only items that are still open", () => {
    fc.assert(
      fc.property(histories, (steps) => {
        play(steps, ({ state, fate }) => {
          const known = [...(state.active?.items ?? []), ...state.waiting].map((item) => item.turnId);
          expect(new Set(known).size).toBe(known.length);
          for (const item of state.waiting) expect(fate.get(item.turnId)).toBe("waiting");
          for (const item of state.active?.items ?? []) expect(fate.get(item.turnId)).toBe("running");
        });
      }),
      runs,
    );
  });

  it("keeps the order of arrival in each place", () => {
    fc.assert(
      fc.property(histories, (steps) => {
        const lane = play(steps);
        lane.settle();
        for (const target of places) {
          const order = lane.entered
            .map((turnId) => lane.items.find((item) => item.turnId === turnId) as LaneItem)
            .filter((item) => isSameTarget(item.target, target))
            .map((item) => item.rowIds[0]);
          expect(order).toEqual(order.toSorted((left, right) => (left ?? 0) - (right ?? 0)));
        }
      }),
      runs,
    );
  });

  it("never lets more wait than the cap", () => {
    fc.assert(
      fc.property(histories, (steps) => {
        play(
          steps.filter((action) => action.do !== "stop"),
          ({ state }) => expect(state.waiting.length).toBeLessThanOrEqual(CAP),
        );
      }),
      runs,
    );
  });

  it("joins only what fits together in one run", () => {
    fc.assert(
      fc.property(histories, (steps) => {
        play(steps, ({ state }) => {
          const [head, ...rest] = state.active?.items ?? [];
          for (const item of rest) expect(isCompatible(head as LaneItem, item)).toBe(true);
        });
      }),
      runs,
    );
  });

  it("stops and interrupts only the work of that person in that place", () => {
    fc.assert(
      fc.property(histories, (steps) => {
        const lane = new Lane();
        for (const action of steps) {
          const before = new Map(lane.fate);
          const wasAborting = lane.state.active?.ending ?? null;
          lane.do(action);
          if (action.do === "stop") {
            for (const item of lane.items) {
              if (before.get(item.turnId) !== lane.fate.get(item.turnId)) {
                expect(isWorkOf(item, action.sender, places[action.place] as LaneTarget)).toBe(true);
              }
            }
          }
          if (action.do === "arrive" && wasAborting === null && lane.state.active?.ending?.reason === "superseded") {
            expect(
              lane.state.active.items.every((item) =>
                isWorkOf(item, action.sender, places[action.place] as LaneTarget),
              ),
            ).toBe(true);
          }
        }
      }),
      runs,
    );
  });

  it("tells of each summarised item at most once, and only to a turn that fits", () => {
    fc.assert(
      fc.property(histories, (steps) => {
        const lane = play(steps);
        lane.settle();
        expect(new Set(lane.toldOf).size).toBe(lane.toldOf.length);
        for (const turnId of lane.toldOf) expect(lane.fate.get(turnId)).toBe("dropped");
      }),
      runs,
    );
  });

  it("starts what waits as soon as its quiet time is over, and asks to be woken then", () => {
    fc.assert(
      fc.property(histories, (steps) => {
        play(steps, (lane) => {
          const wakeAtMs = nextWakeAtMs(lane.state);
          if (lane.state.active !== null || lane.state.waiting.length === 0) expect(wakeAtMs).toBeNull();
          else {
            const { state } = decideLane(lane.state, { type: "time-passed", nowMs: wakeAtMs ?? 0 });
            expect(state.active).not.toBeNull();
          }
        });
      }),
      runs,
    );
  });
});
