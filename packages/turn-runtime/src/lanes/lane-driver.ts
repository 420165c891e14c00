import type { Clock, Fence, Logger, Telemetry, TurnStore } from "@turnwire/turn-ports";

import type { LaneWorker } from "./lane-worker.ts";
import { createSignalGate } from "./signal-gate.ts";

/** What the driver works with. */
export interface LaneDriverOptions {
  readonly store: TurnStore;
  readonly clock: Clock;
  readonly log: Logger;
  readonly telemetry: Telemetry;
  /** Names this process among the owners of lanes. */
  readonly owner: string;
  /** How often the store is asked although no hint came, ms. The hints are fast, the question is the truth. */
  readonly pollMs: number;
  /** Starts the worker of a lane that was claimed. */
  readonly startWorker: (laneKey: string, fence: Fence) => LaneWorker;
}

/** Finds lanes with work and has each worked by one worker. */
export interface LaneDriver {
  /** Begins to claim lanes; what waited from before is found by the first look. */
  start(): void;
  /** Stops claiming, waits for running turns up to the deadline, then ends them with `shutdown`. Tells how many were cut off. */
  drain(deadlineMs: number): Promise<{ readonly cutOff: number }>;
  /** Lanes that are worked right now. */
  readonly active: number;
}

/** What a lane's key begins with. */
export const TURN_LANE_PREFIX = "turn:";

/** Lanes claimed in one look: enough to keep all slots busy, few enough to stay responsive. */
const CLAIM_BATCH = 256;
/** Lanes held at once: bounds memory under any backlog. The rest waits in the store. */
const MAX_HELD_LANES = 10_000;

/** How long a lane that was given up is left to other owners, ms. */
const COOL_DOWN_MS = 1_000;

/** Creates the driver of this process. */
export function createLaneDriver(options: LaneDriverOptions): LaneDriver {
  const { store, clock, log, telemetry, owner, pollMs, startWorker } = options;
  const workers = new Map<string, LaneWorker>();
  const claiming = new Set<string>();
  const cooling = new Set<string>();
  const gate = createSignalGate(clock);
  let isStopped = false;
  let unsubscribe: () => void = () => undefined;
  let looking: Promise<void> = Promise.resolve();

  async function claim(key: string): Promise<void> {
    if (isStopped || workers.has(key) || claiming.has(key) || cooling.has(key) || workers.size >= MAX_HELD_LANES)
      return;
    claiming.add(key);
    try {
      const fence = await store.lanes.claim(key, owner);
      if (fence === null) return;
      const worker = startWorker(key, fence);
      workers.set(key, worker);
      telemetry.gauge("lanes_active", workers.size);
      if (isStopped) worker.drain();
      void worker.ended.then((end) => {
        workers.delete(key);
        if (end === "given_up") cool(key);
        telemetry.gauge("lanes_active", workers.size);
        // Rows may have come between the worker's last look and this moment.
        gate.open();
      });
    } finally {
      claiming.delete(key);
    }
  }

  /** A lane that was given up is left alone for a moment: whatever made it fail would make it fail at once. */
  function cool(key: string): void {
    if (isStopped) return;
    cooling.add(key);
    clock.setTimer(() => {
      cooling.delete(key);
      gate.open();
    }, COOL_DOWN_MS);
  }

  /** Looks for lanes without an owner; answers after how long to look again, ms. */
  async function look(): Promise<number> {
    try {
      const { keys, nextAtMs } = await store.lanes.ready(CLAIM_BATCH);
      const lanes = keys.filter((key) => key.startsWith(TURN_LANE_PREFIX));
      await Promise.all(lanes.map((key) => claim(key)));
      const isMore = keys.length >= CLAIM_BATCH && lanes.length > 0 && workers.size < MAX_HELD_LANES;
      if (isMore) return 0;
      return nextAtMs === null ? pollMs : Math.min(pollMs, Math.max(1, nextAtMs - clock.now()));
    } catch (error) {
      log.warn({ error }, "the store could not be asked for lanes with work; it is asked again");
      return pollMs;
    }
  }

  async function lookForEver(): Promise<void> {
    while (!isStopped) {
      const delayMs = await look();
      await gate.wait(delayMs);
    }
  }

  function hint(keys: readonly string[]): void {
    for (const key of keys) {
      if (!key.startsWith(TURN_LANE_PREFIX)) continue;
      const worker = workers.get(key);
      if (worker !== undefined) worker.poke();
      else {
        claim(key).catch((error: unknown) => {
          log.warn({ laneKey: key, error }, "a lane could not be claimed; the next look tries again");
        });
      }
    }
  }

  return {
    start() {
      unsubscribe = store.onReady(hint);
      looking = lookForEver();
    },
    async drain(deadlineMs) {
      isStopped = true;
      unsubscribe();
      gate.open();
      await looking;
      const all = [...workers.values()];
      for (const worker of all) worker.drain();
      const ended = Promise.all(all.map((worker) => worker.ended));
      let cancel: () => void = () => undefined;
      const deadline = new Promise<"deadline">((resolve) => {
        cancel = clock.setTimer(() => resolve("deadline"), deadlineMs);
      });
      const first = await Promise.race([ended, deadline]);
      cancel();
      const cutOff = first === "deadline" ? workers.size : 0;
      for (const worker of workers.values()) worker.abort();
      await ended;
      return { cutOff };
    },
    get active() {
      return workers.size;
    },
  };
}
