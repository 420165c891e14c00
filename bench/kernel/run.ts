import { parseArgs } from "node:util";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import { peerCases } from "./peer-cases.ts";
import { type Case, createCases } from "./turns.ts";

// What the kernel adds to the awaits that any turn makes: each kind of turn against a hand-written chain, in one run.
const { values } = parseArgs({ options: { smoke: { type: "boolean" }, peers: { type: "string" } } });
const isSmoke = values.smoke === true;
const ROUNDS = isSmoke ? 7 : 15;
const TURNS = isSmoke ? 20_000 : 100_000;
const HEAP_TURNS = isSmoke ? 200_000 : 10_000_000;

/** Bounds of CI, as multiples of the floor: the best round of each, so that a busy machine does not fail a sound kernel. */
const MAX_RATIO: Readonly<Record<string, number>> = { run: 8, runAssembled: 5, runPrepared: 5, "preflight drop": 3 };
/** Heap after many turns over heap after a tenth of them. */
const MAX_HEAP_GROWTH = 1.1;

async function microsPerTurn({ turn, turns: own }: Case, usual: number): Promise<number> {
  const turns = own ?? usual;
  const startedMs = performance.now();
  for (let index = 0; index < turns; index += 1) await turn();
  return ((performance.now() - startedMs) * 1000) / turns;
}

const cases = [...createCases(), ...(values.peers === undefined ? [] : await peerCases(values.peers))];
const best = new Map<string, number>();
for (const one of cases) await microsPerTurn(one, TURNS);
for (let round = 0; round < ROUNDS; round += 1) {
  for (const one of cases)
    best.set(one.name, Math.min(best.get(one.name) ?? Infinity, await microsPerTurn(one, TURNS)));
}
const floor = best.get("floor") ?? Number.NaN;
const misses: string[] = [];
for (const [name, micros] of best) {
  const ratio = micros / floor;
  const bound = MAX_RATIO[name];
  console.log(`${name.padEnd(16)} ${micros.toFixed(2)} µs  ${ratio.toFixed(1)} × floor`);
  if (bound !== undefined && ratio > bound) misses.push(`${name}: ${ratio.toFixed(1)} × the floor, at most ${bound}`);
}

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
const run = cases.find(({ name }) => name === "run");
if (run !== undefined) {
  await microsPerTurn(run, HEAP_TURNS / 10);
  collect();
  const early = process.memoryUsage().heapUsed;
  await microsPerTurn(run, HEAP_TURNS);
  collect();
  const growth = process.memoryUsage().heapUsed / early;
  console.log(`heap after ${HEAP_TURNS.toLocaleString("en")} turns: ${growth.toFixed(3)} × that after a tenth of them`);
  if (growth > MAX_HEAP_GROWTH) misses.push(`heap grew to ${growth.toFixed(2)} ×, at most ${MAX_HEAP_GROWTH}`);
}

if (isSmoke && misses.length > 0) {
  console.error(misses.join("\n"));
  process.exitCode = 1;
}
