import { beforeEach, describe, expect, it } from "vitest";

import { createChangeFeed } from "../core/change-feed.ts";
import { createFaults, type Faults } from "../core/faults.ts";
import { createRecorder, type Recorder } from "../core/recorder.ts";
import { createManualClock, type SimClock } from "../core/sim-clock.ts";
import { createTelegramState } from "./telegram-state.ts";
import { createUpdateQueue, type UpdateQueue } from "./update-queue.ts";
import type { Json } from "./world.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

let clock: SimClock;
let faults: Faults;
let recorder: Recorder;
let queue: UpdateQueue;
beforeEach(() => {
  clock = createManualClock();
  faults = createFaults();
  recorder = createRecorder(clock.now);
  queue = createUpdateQueue(createTelegramState({ clock, recorder, faults, feed: createChangeFeed(), seed: 1 }));
});

/** Messages in one chat, numbered by their texts. */
function push(...texts: readonly string[]): readonly number[] {
  return texts.map((text) => Number(queue.push("message", { text, chat: { id: 5 } }).eventId));
}

async function poll(params: Json = {}, signal: AbortSignal = new AbortController().signal): Promise<string[]> {
  const updates = await queue.getUpdates(params, signal);
  return updates.map((update) => (update["message"] as { text?: string } | undefined)?.text ?? "");
}

describe("offset and limit", () => {
  it.each<{ what: string; params: (ids: readonly number[]) => Json; now: string[]; after: string[] }>([
    { what: "no offset keeps all", params: () => ({}), now: ["a", "b", "c"], after: ["a", "b", "c"] },
    { what: "offset 0 keeps all", params: () => ({ offset: 0 }), now: ["a", "b", "c"], after: ["a", "b", "c"] },
    {
      what: "an id forgets what is before it",
      params: (ids) => ({ offset: ids[1] }),
      now: ["b", "c"],
      after: ["b", "c"],
    },
    { what: "behind the last forgets all", params: (ids) => ({ offset: Number(ids[2]) + 1 }), now: [], after: [] },
    { what: "-1 keeps the last", params: () => ({ offset: -1 }), now: ["c"], after: ["c"] },
    { what: "-2 keeps the last two", params: () => ({ offset: -2 }), now: ["b", "c"], after: ["b", "c"] },
    { what: "-9 keeps all there are", params: () => ({ offset: -9 }), now: ["a", "b", "c"], after: ["a", "b", "c"] },
    { what: "a limit cuts the answer only", params: () => ({ limit: 2 }), now: ["a", "b"], after: ["a", "b", "c"] },
    { what: "a limit of 0 is 1", params: () => ({ limit: 0 }), now: ["a"], after: ["a", "b", "c"] },
    {
      what: "texts of a form are numbers",
      params: (ids) => ({ offset: String(ids[2]), limit: "1" }),
      now: ["c"],
      after: ["c"],
    },
  ])("$what", async ({ params, now, after }) => {
    const ids = push("a", "b", "c");
    expect(await poll(params(ids))).toEqual(now);
    expect(await poll()).toEqual(after);
  });

  it("gives at most 100", async () => {
    push(...Array.from({ length: 101 }, (_, index) => String(index)));
    expect(await poll({ limit: 1000 })).toHaveLength(100);
  });

  it("records deliveries, and the offset that acknowledged", async () => {
    const [first = 0] = push("a", "b");
    await poll();
    await poll({ offset: first + 1 });
    expect(recorder.events).toMatchObject([
      { deliveries: 1, acknowledgedBy: "offset", acknowledgedAt: clock.now() },
      { deliveries: 2, acknowledgedBy: null, acknowledgedAt: null },
    ]);
  });

  it("forgets what is a day old", async () => {
    push("old");
    clock.advance(DAY_MS - 1);
    push("new");
    expect(await poll()).toEqual(["old", "new"]);
    clock.advance(1);
    expect(await poll()).toEqual(["new"]);
  });
});

describe("kinds", () => {
  const kindsAfter = async (allowed: readonly string[] | undefined): Promise<readonly (string | undefined)[]> => {
    if (allowed !== undefined) await queue.getUpdates({ allowed_updates: allowed }, new AbortController().signal);
    for (const kind of ["message", "edited_message", "message_reaction", "chat_member"])
      queue.push(kind, { chat: { id: 5 } });
    return queue.pending().map((update) => update.kind);
  };

  it.each([
    { allowed: undefined, kinds: ["message", "edited_message"] },
    { allowed: [], kinds: ["message", "edited_message"] },
    { allowed: ["message"], kinds: ["message"] },
    { allowed: ["message_reaction", "chat_member"], kinds: ["message_reaction", "chat_member"] },
  ])("allowed $allowed: $kinds", async ({ allowed, kinds }) => {
    expect(await kindsAfter(allowed)).toEqual(kinds);
  });

  it("stay as they were set when a poll does not name them", async () => {
    await queue.getUpdates({ allowed_updates: ["edited_message"] }, new AbortController().signal);
    await poll();
    push("a");
    expect(queue.pending()).toEqual([]);
  });
});

describe("long polls", () => {
  it("wait for the next update, and not past their timeout", async () => {
    const woken = poll({ timeout: 30 });
    push("a");
    expect(await woken).toEqual(["a"]);
    const [, id = 0] = [0, ...push("b")];
    const empty = poll({ timeout: 30, offset: id + 1 });
    clock.advance(29_999);
    clock.advance(1);
    expect(await empty).toEqual([]);
  });

  it("wait 50 s at most", async () => {
    const long = poll({ timeout: 600 });
    clock.advance(50_000);
    expect(await long).toEqual([]);
  });

  it("end when the bot has gone, and take nothing along", async () => {
    const gone = new AbortController();
    const left = poll({ timeout: 30 }, gone.signal);
    gone.abort();
    expect(await left).toEqual([]);
    push("a");
    expect(await poll()).toEqual(["a"]);
  });

  it("end with 409 when another poll begins", async () => {
    const older = poll({ timeout: 30 });
    const newer = poll({ timeout: 30 });
    await expect(older).rejects.toMatchObject({
      status: 409,
      message: "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
    });
    push("a");
    expect(await newer).toEqual(["a"]);
  });

  it("end empty, not in conflict, at a reset", async () => {
    const waiting = poll({ timeout: 30 });
    queue.clear();
    expect(await waiting).toEqual([]);
  });
});

describe("faults on deliveries by polling", () => {
  it.each([
    { do: { duplicate: true }, match: {}, got: ["a", "a", "b"] },
    { do: { reorder: true }, match: {}, got: ["b", "a"] },
    { do: { duplicate: true }, match: { nth: 2 }, got: ["a", "b", "b"] },
    { do: { duplicate: true }, match: { place: "6" }, got: ["a", "b"] },
    { do: { duplicate: true }, match: { method: "edited_message" }, got: ["a", "b"] },
  ])("$do on $match gives $got", async ({ do: action, match, got }) => {
    faults.add({ match: { ...match, direction: "event" }, do: action });
    push("a", "b");
    expect(await poll()).toEqual(got);
    expect(await poll()).toEqual(["a", "b"]);
  });

  it.each([{ drop: "before" }, { close: true }] as const)("%j closes the poll's connection, once", async (action) => {
    faults.add({ match: { direction: "event" }, do: action });
    push("a");
    await expect(poll()).rejects.toMatchObject({ name: "DroppedConnection" });
    expect(await poll()).toEqual(["a"]);
  });

  it("delays and holds", async () => {
    const { id } = faults.add({ match: { direction: "event" }, do: { delayMs: 100, hold: true } });
    push("a");
    const late = poll();
    clock.advance(100);
    faults.release(id);
    expect(await late).toEqual(["a"]);
    expect(recorder.events[0]?.deliveries).toBe(1);
  });
});
