import { describe, expect, it } from "vitest";

import { MESSAGES_DEFAULTS } from "../config/messages-config.ts";
import type { LaneItem, LaneTarget } from "./lane-item.ts";
import { decideLane, nextWakeAtMs, type LaneEvent, type QueueSettings } from "./lane-policy.ts";
import { IDLE_LANE, type LaneState } from "./lane-state.ts";

const dm: LaneTarget = { channel: "telegram", accountId: "default", replyTarget: "1", direct: true };
const room: LaneTarget = { channel: "slack", accountId: "default", replyTarget: "C1", direct: false };
const thread: LaneTarget = { ...room, threadId: "9" };
const { cap, drop, debounceMs } = MESSAGES_DEFAULTS.queue;
const steer: QueueSettings = { mode: "steer", cap, drop, debounceMs };

function item(id: number, changes: Partial<LaneItem> = {}): LaneItem {
  return { turnId: `t${id}`, rowIds: [id], senderId: "ann", target: dm, atMs: id * 10, steerable: true, ...changes };
}

function arrive(changed: LaneItem, settings: QueueSettings = steer): LaneEvent {
  return { type: "arrived", item: changed, settings };
}

/** Plays the events and tells the last one's effects in short. */
function play(events: readonly LaneEvent[]): { readonly state: LaneState; readonly effects: readonly string[] } {
  let state = IDLE_LANE;
  let effects: readonly string[] = [];
  for (const event of events) {
    const decision = decideLane(state, event);
    state = decision.state;
    effects = decision.effects.map((effect) => {
      switch (effect.type) {
        case "run":
          return `run ${effect.items.map(({ turnId }) => turnId).join("+")} told of ${effect.dropped.length}`;
        case "defer":
          return `defer ${effect.item.turnId} ${effect.mode} until ${effect.notBeforeMs}`;
        case "abort":
          return `abort ${effect.turnId} ${effect.reason}`;
        case "end":
          return `end ${effect.items.map(({ turnId }) => turnId).join("+")} ${effect.as}`;
        case "drop":
        case "steer":
          return `${effect.type} ${effect.items.map(({ turnId }) => turnId).join("+")}`;
      }
    });
  }
  return { state, effects };
}

const ended = (turnId: string, nowMs: number, finished = true): LaneEvent => ({
  type: "run-ended",
  turnId,
  finished,
  nowMs,
});
const at = (nowMs: number): LaneEvent => ({ type: "time-passed", nowMs });
const safePoint = (turnId: string, nowMs: number): LaneEvent => ({ type: "safe-point", turnId, nowMs });
const stopped = (senderId: string, target: LaneTarget, beforeRowId = 100): LaneEvent => ({
  type: "stopped",
  senderId,
  target,
  beforeRowId,
});
const mode = (name: QueueSettings["mode"]): QueueSettings => ({ ...steer, mode: name });

const stories: readonly (readonly [string, readonly LaneEvent[], readonly string[]])[] = [
  ["the first message of an idle lane runs at once", [arrive(item(1))], ["run t1 told of 0"]],
  ["steer: a second one waits to be taken", [arrive(item(1)), arrive(item(2))], ["defer t2 steer until 520"]],
  [
    "steer: is taken at a safe point once it is quiet",
    [arrive(item(1)), arrive(item(2)), safePoint("t1", 520)],
    ["steer t2"],
  ],
  ["steer: is not taken within the quiet time", [arrive(item(1)), arrive(item(2)), safePoint("t1", 519)], []],
  ["steer: a safe point of another turn takes nothing", [arrive(item(1)), arrive(item(2)), safePoint("t0", 900)], []],
  [
    "steer: what was not taken is the next turn",
    [arrive(item(1)), arrive(item(2)), ended("t1", 600)],
    ["run t2 told of 0"],
  ],
  ["steer: what is left waits for its quiet time", [arrive(item(1)), arrive(item(2)), ended("t1", 30)], []],
  [
    "steer: media waits for a turn of its own",
    [arrive(item(1)), arrive(item(2, { steerable: false }))],
    ["defer t2 followup until 520"],
  ],
  [
    "steer: what came after waiting media does not overtake it",
    [arrive(item(1)), arrive(item(2, { steerable: false })), arrive(item(3)), safePoint("t1", 900)],
    [],
  ],
  [
    "steer: another person in a shared direct session does not join",
    [arrive(item(1)), arrive(item(2, { senderId: "bob" }))],
    ["defer t2 followup until 520"],
  ],
  [
    "steer: another person in a group does join",
    [arrive(item(1, { target: room })), arrive(item(2, { target: room, senderId: "bob" }))],
    ["defer t2 steer until 520"],
  ],
  [
    "steer: another thread does not join",
    [arrive(item(1, { target: room })), arrive(item(2, { target: thread }))],
    ["defer t2 followup until 520"],
  ],
  [
    "followup: waits and runs as its own turn",
    [arrive(item(1)), arrive(item(2), mode("followup")), ended("t1", 520)],
    ["run t2 told of 0"],
  ],
  [
    "collect: all that fit become one turn under the last one's id",
    [
      arrive(item(1)),
      arrive(item(2), mode("collect")),
      arrive(item(3), mode("collect")),
      arrive(item(4), mode("collect")),
      ended("t1", 600),
    ],
    ["run t2+t3+t4 told of 0"],
  ],
  [
    "collect: waits for quiet behind the last of them",
    [arrive(item(1)), arrive(item(2), mode("collect")), arrive(item(9), mode("collect")), ended("t1", 589)],
    [],
  ],
  [
    "collect: leaves the others where they are",
    [
      arrive(item(1, { target: room })),
      arrive(item(2, { target: room }), mode("collect")),
      arrive(item(3, { target: thread }), mode("collect")),
      arrive(item(4, { target: room }), mode("collect")),
      ended("t1", 600),
    ],
    ["run t2+t4 told of 0"],
  ],
  [
    "interrupt: aborts the run and waits without quiet time",
    [arrive(item(1)), arrive(item(2), mode("interrupt"))],
    ["abort t1 superseded", "defer t2 followup until 20"],
  ],
  [
    "interrupt: then runs, the other ended interrupted",
    [arrive(item(1)), arrive(item(2), mode("interrupt")), ended("t1", 25, false)],
    ["end t1 interrupted", "run t2 told of 0"],
  ],
  [
    "interrupt: does not touch somebody else's run",
    [arrive(item(1, { target: room })), arrive(item(2, { target: room, senderId: "bob" }), mode("interrupt"))],
    ["defer t2 followup until 520"],
  ],
  [
    "interrupt: a run that finished meanwhile is not ended again",
    [arrive(item(1)), arrive(item(2), mode("interrupt")), ended("t1", 25)],
    ["run t2 told of 0"],
  ],
  [
    "stop: ends what runs and what waits",
    [arrive(item(1)), arrive(item(2)), stopped("ann", dm)],
    ["end t2 stopped", "abort t1 stop"],
  ],
  ["stop: leaves what was said after it", [arrive(item(1)), arrive(item(3)), stopped("ann", dm, 2)], ["abort t1 stop"]],
  ["stop: asks a run only once", [arrive(item(1)), stopped("ann", dm), stopped("ann", dm)], []],
  ["stop: somebody else's does nothing", [arrive(item(1)), arrive(item(2)), stopped("bob", dm)], []],
  [
    "stop: a collected run loses only that person's part",
    [
      arrive(item(1, { target: room, senderId: "eve" })),
      arrive(item(2, { target: room }), mode("collect")),
      arrive(item(3, { target: room, senderId: "bob" }), mode("collect")),
      ended("t1", 600),
      stopped("ann", room),
      ended("t3", 610, false),
    ],
    ["end t2 stopped", "run t3 told of 0"],
  ],
  ["reset: ends the active run whoever's it is", [arrive(item(1)), { type: "reset" }], ["abort t1 stop"]],
  [
    "reset: what waits gets its turn",
    [arrive(item(1)), arrive(item(2)), { type: "reset" }, ended("t1", 600, false)],
    ["end t1 stopped", "run t2 told of 0"],
  ],
  [
    "restored items run when their time has come",
    [{ type: "restored", items: [{ ...item(5), mode: "followup", dueAtMs: 70 }] }, at(70)],
    ["run t5 told of 0"],
  ],
  [
    "an idle lane with something waiting does not let the next one pass",
    [{ type: "restored", items: [{ ...item(5), mode: "followup", dueAtMs: 70 }] }, arrive(item(6), mode("followup"))],
    ["defer t6 followup until 560"],
  ],
];

describe("decideLane", () => {
  it.each(stories)("%s", (_name, events, effects) => {
    expect(play(events).effects).toEqual(effects);
  });

  const full = [1, 2, 3].map((id) => arrive(item(id), { ...mode("followup"), cap: 2 }));

  it("summarize: drops the oldest waiting and tells the next turn of it", () => {
    const settings: QueueSettings = { ...mode("followup"), cap: 2, drop: "summarize" };
    const overflow = play([...full, arrive(item(4), settings)]);
    expect(overflow.effects).toEqual(["drop t2", "defer t4 followup until 540"]);
    const next = play([...full, arrive(item(4), settings), ended("t1", 900)]);
    expect(next.effects).toEqual(["run t3 told of 1"]);
  });

  it("old: drops the oldest waiting and tells nobody", () => {
    const settings: QueueSettings = { ...mode("followup"), cap: 2, drop: "old" };
    expect(play([...full, arrive(item(4), settings), ended("t1", 900)]).effects).toEqual(["run t3 told of 0"]);
  });

  it("new: drops what arrives", () => {
    const settings: QueueSettings = { ...mode("followup"), cap: 2, drop: "new" };
    expect(play([...full, arrive(item(4), settings)]).effects).toEqual(["drop t4"]);
  });

  it("wants to be woken when the quiet time of the head is over", () => {
    expect(nextWakeAtMs(play([arrive(item(1)), arrive(item(2)), ended("t1", 30)]).state)).toBe(520);
  });
});
