import { join } from "node:path";

import { createSqliteStore } from "@turnwire/store-sqlite";

import { openRawFloor } from "./raw-floor.ts";
import { runCallers, type CallersResult } from "./run-callers.ts";
import { sampleEvent } from "./sample-event.ts";

/** The smoke run fails below this share of the floor. Measured: about a half; shared machines are noisy. */
const SMOKE_RATIO = 0.3;
const CALLERS = 32;

const clock = { now: () => Date.now(), monotonic: () => performance.now() };

interface Run {
  readonly name: string;
  readonly callers: number;
  readonly events: number;
  readonly synchronous?: "full" | "normal" | undefined;
}

async function floor(folder: string, { name, callers, events }: Run): Promise<CallersResult> {
  const path = join(folder, `${name}.db`);
  const store = createSqliteStore({ path, clock });
  await store.open(); // makes the tables
  await store.close();
  const raw = openRawFloor(path);
  const result = await runCallers(callers, events, (n) => raw.accept(sampleEvent(n)));
  raw.close();
  return result;
}

async function ours(folder: string, { name, callers, events, synchronous }: Run): Promise<CallersResult> {
  const store = createSqliteStore({ path: join(folder, `${name}.db`), clock, synchronous });
  await store.open();
  const result = await runCallers(callers, events, (n) => store.accept(sampleEvent(n)));
  const counts = await store.inbox.counts();
  await store.close();
  if (counts.accepted !== events) throw new Error(`${name}: ${counts.accepted} of ${events} stored`);
  return result;
}

function line(what: string, { perSecond, p50Ms, p99Ms }: CallersResult): void {
  console.log(
    `${what.padEnd(44)} ${perSecond.toFixed(0).padStart(7)}/s   p50 ${p50Ms.toFixed(2)} ms   p99 ${p99Ms.toFixed(2)} ms`,
  );
}

/**
 * The accept path: FULL, group commit, against the floor of the same statements without the port.
 * The files lie in `folder`, which must be on a disk: in memory a flush costs nothing.
 * Answers whether a smoke run reached its share of the floor in one of its rounds; every other run passes.
 */
export async function benchAccept(folder: string, smoke: boolean): Promise<boolean> {
  const events = smoke ? 20_000 : 100_000;
  let ratio = 0;
  // In turns, so that a noisy neighbour meets both; the first round also warms code and disk.
  for (const round of smoke ? ["a", "b"] : ["a", "b", "c"]) {
    const raw = await floor(folder, { name: `raw-${round}`, callers: CALLERS, events });
    const store = await ours(folder, { name: `full-${round}`, callers: CALLERS, events });
    line(`round ${round}: floor, FULL, ${CALLERS} callers`, raw);
    line(`round ${round}: store, FULL, ${CALLERS} callers`, store);
    console.log(`round ${round}: ratio ${(store.perSecond / raw.perSecond).toFixed(2)}`);
    ratio = Math.max(ratio, store.perSecond / raw.perSecond);
  }
  if (smoke) {
    if (ratio < SMOKE_RATIO) {
      console.error(`The accept path reached ${ratio.toFixed(2)} of its floor; at least ${SMOKE_RATIO} is expected.`);
    }
    return ratio >= SMOKE_RATIO;
  }
  line("floor, FULL, 1 caller", await floor(folder, { name: "raw-1", callers: 1, events: 5_000 }));
  line("store, FULL, 1 caller", await ours(folder, { name: "full-1", callers: 1, events: 5_000 }));
  line("store, FULL, 256 callers", await ours(folder, { name: "full-256", callers: 256, events }));
  line(
    "store, NORMAL, 32 callers",
    await ours(folder, { name: "normal-32", callers: CALLERS, events, synchronous: "normal" }),
  );
  return true;
}
