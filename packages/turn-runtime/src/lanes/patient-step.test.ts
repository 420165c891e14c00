import { createManualClock } from "@turnwire/adapter-kit";
import { TurnwireError, type Logger, type StoreWrite, type TurnStore } from "@turnwire/turn-ports";
import { describe, expect, it } from "vitest";

import { createStepBuffer } from "../step-buffer.ts";
import { patientStep } from "./patient-step.ts";

const log: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => log,
};
const write: StoreWrite = { op: "session.reset", key: "k" };
const failure = (code: string): TurnwireError => new TurnwireError({ code, message: "The store says no." });

/** A store whose commits fail as planned, and that keeps what it took. */
function storeThatFails(...codes: readonly string[]): { readonly store: TurnStore; readonly taken: StoreWrite[][] } {
  const left = [...codes];
  const taken: StoreWrite[][] = [];
  const commit: TurnStore["commit"] = (_fences, writes) => {
    const code = left.shift();
    if (code !== undefined) return Promise.reject(failure(code));
    taken.push([...writes]);
    return Promise.resolve();
  };
  // Only `commit` is called by a step.
  return { store: { commit } as unknown as TurnStore, taken };
}

describe("patientStep", () => {
  it("keeps a step while the store is away, and writes it once, in order", async () => {
    const clock = createManualClock();
    const { store, taken } = storeThatFails("store_unavailable", "store_full");
    const step = patientStep(createStepBuffer(store, []), { clock, log, isGivenUp: () => false });
    step.add(write);
    const flushed = step.flush();
    step.add({ ...write, key: "second" });
    await clock.advance(2_000);
    await flushed;
    expect(taken).toEqual([[write, { ...write, key: "second" }]]);
  });

  it("throws at once what will not pass", async () => {
    const { store } = storeThatFails("fenced");
    const step = patientStep(createStepBuffer(store, []), { clock: createManualClock(), log, isGivenUp: () => false });
    step.add(write);
    await expect(step.flush()).rejects.toMatchObject({ code: "fenced" });
  });

  it("gives up when its lane was given up", async () => {
    const { store, taken } = storeThatFails("store_unavailable");
    const step = patientStep(createStepBuffer(store, []), { clock: createManualClock(), log, isGivenUp: () => true });
    step.add(write);
    await expect(step.flush()).rejects.toMatchObject({ code: "store_unavailable" });
    expect(taken).toEqual([]);
  });
});
