import type { ChildProcess } from "node:child_process";

import type { ManualClock } from "@turnwire/adapter-kit";
import type { TurnStore } from "@turnwire/turn-ports";

/** What the suite gives to a store's factory. */
export interface StoreSetup {
  /** The time that the store must go by; the suite moves it. */
  readonly clock: ManualClock;
}

/** One set of stored data and how to get at it. Made anew for every test. */
export interface StoreHarness {
  /** A store on this data, not opened. Called again after a close, to see what a restart sees. */
  create(): TurnStore;
  /**
   * Starts a process that makes a store on this data, by real time, and hands it to `serveStoreChild`.
   * Its stdin, stdout and stderr are pipes.
   */
  startChild(): ChildProcess;
  /** Removes the data. The suite has closed its stores. */
  dispose(): Promise<void>;
}

export type StoreFactory = (setup: StoreSetup) => Promise<StoreHarness>;
