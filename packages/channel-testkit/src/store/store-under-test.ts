import { createManualClock, type ManualClock } from "@turnwire/adapter-kit";
import type { Fence, TurnStore } from "@turnwire/turn-ports";
import { afterEach, beforeEach } from "vitest";

import type { StoreFactory, StoreHarness } from "./store-harness.ts";

/** The store of the running test. */
export interface StoreUnderTest {
  readonly clock: ManualClock;
  readonly store: TurnStore;
  readonly harness: StoreHarness;
  /** Closes the store and opens another one on the same data. */
  reopen(): Promise<TurnStore>;
  /** Takes a lane that must be free. */
  claim(key: string): Promise<Fence>;
}

interface Running {
  readonly clock: ManualClock;
  readonly harness: StoreHarness;
  store: TurnStore;
}

/** A fresh, opened store for every test of the surrounding `describe`. */
export function useStore(factory: StoreFactory): StoreUnderTest {
  let running: Running | undefined;
  const current = (): Running => must(running, "a store exists only while a test runs");

  beforeEach(async () => {
    // Real time at the start: a child process that writes to the same data goes by it.
    const clock = createManualClock(Date.now());
    const harness = await factory({ clock });
    const store = harness.create();
    running = { clock, harness, store };
    await store.open();
  });
  afterEach(async () => {
    const { store, harness } = current();
    running = undefined;
    await store.close();
    await harness.dispose();
  });

  return {
    get clock() {
      return current().clock;
    },
    get store() {
      return current().store;
    },
    get harness() {
      return current().harness;
    },
    async reopen() {
      const now = current();
      await now.store.close();
      now.store = now.harness.create();
      await now.store.open();
      return now.store;
    },
    claim: async (key) => must(await current().store.lanes.claim(key, "test"), `${key} should be free`),
  };
}

/** The value, which the test knows to be there. */
export function must<Value>(value: Value | null | undefined, why = "a value was expected"): Value {
  if (value === null || value === undefined) throw new Error(why);
  return value;
}
