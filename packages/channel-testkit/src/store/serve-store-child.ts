import { createInterface } from "node:readline";

import type { TurnStore } from "@turnwire/turn-ports";

import { accept, anEvent } from "./sample-rows.ts";

/** What the parent asks of a child, one JSON line each on its stdin. */
export type ChildCommand =
  /** Accepts events one after the other, without end, on several callers at once; tells each after it was answered. */
  | { readonly do: "accept"; readonly prefix: string; readonly callers: number }
  /** Accepts one event into a lane of its own. */
  | { readonly do: "store"; readonly n: string; readonly laneKey: string }
  | { readonly do: "claim"; readonly laneKey: string }
  /** Begins the run of the lane's first row. Needs an earlier claim. */
  | { readonly do: "run"; readonly laneKey: string };

/** What a child tells, one JSON line each on its stdout. */
export type ChildReport =
  | { readonly told: "opened" }
  | { readonly told: "refused"; readonly code: string; readonly message: string }
  | { readonly told: "accepted"; readonly dedupeKey: string }
  | { readonly told: "did"; readonly what: ChildCommand["do"] };

/**
 * The other side of the suite's crash tests: opens the store and does what it is told until it is killed.
 * A store's own little script calls it with a store on the data that the suite named.
 */
export async function serveStoreChild(store: TurnStore): Promise<void> {
  try {
    await store.open();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    tell({ told: "refused", code, message: error instanceof Error ? error.message : String(error) });
    return;
  }
  tell({ told: "opened" });
  for await (const line of createInterface({ input: process.stdin })) {
    await obey(store, JSON.parse(line) as ChildCommand);
  }
  await store.close();
}

async function obey(store: TurnStore, command: ChildCommand): Promise<void> {
  switch (command.do) {
    case "accept":
      await Promise.all(
        Array.from({ length: command.callers }, (_, caller) => acceptForEver(store, `${command.prefix}:${caller}`)),
      );
      return;
    case "store":
      await store.accept(accept(anEvent(command.n, { laneKey: command.laneKey })));
      break;
    case "claim":
      await store.lanes.claim(command.laneKey, "child");
      break;
    case "run": {
      const [row] = await store.inbox.ready(command.laneKey, 1);
      await store.commit(
        [],
        [{ op: "inbox.run", ids: row === undefined ? [] : [row.id], turnId: "turn-of-the-child" }],
      );
      break;
    }
  }
  tell({ told: "did", what: command.do });
}

async function acceptForEver(store: TurnStore, prefix: string): Promise<never> {
  for (let n = 0; ; n += 1) {
    const event = anEvent(`${prefix}:${n}`, { laneKey: `turn:${n % 20}` });
    await store.accept(accept(event));
    tell({ told: "accepted", dedupeKey: event.dedupeKey });
  }
}

function tell(report: ChildReport): void {
  process.stdout.write(`${JSON.stringify(report)}\n`);
}
