import { createManualClock } from "@turnwire/adapter-kit";
import type { AcceptOutcome, Fence, InboxEnding, InboxInsert, InboxRow, TurnStore } from "@turnwire/turn-ports";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { accept, anEvent } from "./sample-rows.ts";
import type { StoreFactory, StoreHarness } from "./store-harness.ts";
import { createStoreModel, type ModelRow, type StoreModel } from "./store-model.ts";
import { must } from "./store-under-test.ts";

const LANES = ["turn:a", "turn:b", "turn:c"] as const;
const lane = fc.constantFrom(...LANES);

/** A small world, so that events meet: few lanes, few messages, few versions. */
const event: fc.Arbitrary<InboxInsert> = fc
  .record({
    lane,
    message: fc.integer({ min: 1, max: 8 }),
    version: fc.integer({ min: 0, max: 2 }),
    change: fc.constantFrom("new", "new", "new", "edit", "delete"),
    control: fc.constantFrom(false, false, false, true),
    debounce: fc.constantFrom(undefined, undefined, "wait", "flush", "bypass"),
    dead: fc.constantFrom(false, false, false, false, true),
  } as const)
  .map(({ lane: laneKey, message, version, change, control, debounce, dead }) =>
    anEvent(message, {
      laneKey,
      change,
      dedupeKey: `${change}:${message}:${version}:${control ? "control" : "text"}`,
      turnKey: change === "delete" || dead ? null : `peer-1::${message}:${change}:${version}`,
      kind: control ? "control" : "text",
      raw: { type: change, payload: { message, version }, receivedAtMs: 1 },
      debounce: debounce === undefined ? undefined : { scope: `scope:${laneKey}`, mode: debounce, delayMs: 500 },
      deadReason: dead ? "not understood" : undefined,
    }),
  );

type Step =
  | { readonly do: "accept"; readonly events: readonly InboxInsert[] }
  | { readonly do: "redeliver"; readonly pick: number }
  | { readonly do: "claim" | "release" | "abandon"; readonly lane: string }
  | { readonly do: "run" | "requeue" | "end" | "revive" | "late"; readonly pick: number; readonly ending: InboxEnding }
  | { readonly do: "advance"; readonly ms: number }
  | { readonly do: "restart" };

const pick = fc.nat({ max: 1_000 });
const ending = fc.constantFrom<InboxEnding>("done", "dropped", "handled", "dead");
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("accept" as const),
      events: fc.array(event, { minLength: 1, maxLength: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("redeliver" as const), pick }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constantFrom("claim" as const, "release" as const, "abandon" as const), lane }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom("run" as const, "requeue" as const, "end" as const, "revive" as const, "late" as const),
      pick,
      ending,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("advance" as const), ms: fc.constantFrom(1, 100, 499, 500, 2_000) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("restart" as const) }) },
);

/** A store and its model, driven side by side. */
class SideBySide {
  readonly harness: StoreHarness;
  readonly clock: ReturnType<typeof createManualClock>;
  readonly model: StoreModel;
  store: TurnStore;
  /** The store's id of each row of the model, whose ids count from 1. */
  readonly ids: number[] = [];
  readonly told: InboxInsert[] = [];
  readonly fences = new Map<string, Fence>();
  readonly lostFences: Fence[] = [];

  constructor(harness: StoreHarness, clock: ReturnType<typeof createManualClock>) {
    this.harness = harness;
    this.clock = clock;
    this.model = createStoreModel(clock.now());
    this.store = harness.create();
  }

  /** Does the step on both and compares what they answer. */
  async take(next: Step): Promise<void> {
    const { model, store } = this;
    switch (next.do) {
      case "accept":
        return this.accept(next.events);
      case "redeliver":
        return this.told.length === 0 ? undefined : this.accept([must(this.told[next.pick % this.told.length])]);
      case "claim": {
        const fence = await store.lanes.claim(next.lane, "model");
        expect(fence !== null).toBe(model.claim(next.lane));
        if (fence !== null) this.fences.set(next.lane, fence);
        return;
      }
      case "release": {
        const fence = this.fences.get(next.lane);
        if (fence === undefined) return;
        const released = await store.lanes.release(fence);
        expect(released).toBe(model.release(next.lane));
        if (released) this.lose(next.lane);
        return;
      }
      case "abandon": {
        const fence = this.fences.get(next.lane);
        if (fence === undefined) return;
        await store.lanes.abandon(fence);
        model.abandon(next.lane);
        this.lose(next.lane);
        return;
      }
      case "advance":
        await this.clock.advance(next.ms);
        model.nowMs = this.clock.now();
        return;
      case "restart":
        await store.close();
        this.store = this.harness.create();
        await this.store.open();
        model.restart();
        for (const key of this.fences.keys()) this.lose(key);
        return;
      case "run":
      case "requeue":
      case "end":
      case "revive":
      case "late":
        return this.write(next);
    }
  }

  /** Everything that can be read is the same on both sides, and the conservation law holds. */
  async compare(): Promise<void> {
    const { model, store } = this;
    const counts = await store.inbox.counts();
    expect(counts).toEqual(model.counts());
    expect(counts.accepted).toBe(counts.done + counts.dropped + counts.handled + counts.dead + counts.waiting);
    expect((await store.lanes.ready(10)).keys.toSorted()).toEqual(model.readyLanes());
    for (const key of LANES) {
      expect((await store.inbox.ready(key, 100)).map(shape)).toEqual(model.ready(key).map((row) => this.shapeOf(row)));
      expect((await store.inbox.open(key, 100)).map(shape)).toEqual(model.open(key).map((row) => this.shapeOf(row)));
    }
  }

  private async accept(events: readonly InboxInsert[]): Promise<void> {
    const expected = this.model.accept(events);
    const outcomes = await this.store.accept(accept(...events));
    expect(outcomes.map((outcome) => outcome.kind)).toEqual(expected.map((outcome) => outcome.kind));
    this.told.push(...events);
    for (const [index, outcome] of outcomes.entries()) this.learn(outcome, must(expected[index]));
    if (outcomes.some((outcome) => outcome.kind === "applied")) await this.learnRest();
  }

  private learn(outcome: AcceptOutcome, expected: AcceptOutcome): void {
    if (!("inboxId" in outcome) || !("inboxId" in expected)) return;
    if (outcome.kind === "applied") expect(outcome.inboxId).toBe(this.ids[expected.inboxId - 1]);
    else this.ids[expected.inboxId - 1] = outcome.inboxId;
  }

  /** Rows of applied edits and deletes are not answered: they are found as what is handled. */
  private async learnRest(): Promise<void> {
    const known = new Set(this.ids);
    const handled = (await this.store.inbox.list({ status: "handled", limit: 1_000 }))
      .map((row) => row.id)
      .toReversed();
    const unknown = handled.filter((id) => !known.has(id));
    for (let index = 0; index < this.model.counts().accepted; index += 1) this.ids[index] ??= must(unknown.shift());
  }

  private async write(next: Extract<Step, { readonly pick: number; readonly ending: InboxEnding }>): Promise<void> {
    if (this.ids.length === 0) return;
    const modelId = (next.pick % this.ids.length) + 1;
    const id = must(this.ids[modelId - 1]);
    const row = must(this.model.row(modelId));
    const fence = this.fences.get(row.laneKey);
    const fences = fence === undefined ? [] : [fence];
    const { model, store, clock } = this;
    switch (next.do) {
      case "run":
        model.run(modelId);
        return store.commit(fences, [{ op: "inbox.run", ids: [id], turnId: "turn-1" }]);
      case "requeue": {
        const notBeforeMs = clock.now() + 300;
        model.requeue(modelId, notBeforeMs);
        return store.commit(fences, [{ op: "inbox.requeue", ids: [id], notBeforeMs }]);
      }
      case "end":
        model.end(modelId, next.ending);
        return store.commit(fences, [{ op: "inbox.end", ids: [id], ending: next.ending }]);
      case "revive":
        model.revive(modelId);
        return store.commit([], [{ op: "inbox.revive", id }]);
      case "late": {
        // A frozen worker that comes back: it is refused, and nothing changes.
        const stale = this.lostFences.at(-1);
        if (stale === undefined) return;
        const write = { op: "inbox.end", ids: [id], ending: next.ending } as const;
        await expect(store.commit([stale], [write])).rejects.toMatchObject({ code: "fenced" });
      }
    }
  }

  private lose(key: string): void {
    this.lostFences.push(must(this.fences.get(key)));
    this.fences.delete(key);
  }

  private shapeOf(row: ModelRow): ReturnType<typeof shape> {
    const { messageId, status, attempt, payload } = row;
    return { id: must(this.ids[row.id - 1]), messageId, status, attempt, payload };
  }
}

function shape(row: InboxRow): Pick<ModelRow, "id" | "messageId" | "status" | "attempt" | "payload"> {
  return { id: row.id, messageId: row.messageId, status: row.status, attempt: row.attempt, payload: row.raw.payload };
}

/** Any interleaving of accepts, redeliveries, edits, deletes, claims, runs, endings, delays and restarts. */
export function describeProperties(factory: StoreFactory): void {
  describe("any interleaving", () => {
    test(
      "agrees with the model after every step, and nothing is lost or counted twice",
      { timeout: 120_000 },
      async () => {
        await fc.assert(
          fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
            const clock = createManualClock(Date.now());
            const side = new SideBySide(await factory({ clock }), clock);
            try {
              await side.store.open();
              for (const next of steps) {
                await side.take(next);
                await side.compare();
              }
            } finally {
              await side.store.close();
              await side.harness.dispose();
            }
          }),
          { numRuns: 60 },
        );
      },
    );
  });
}
