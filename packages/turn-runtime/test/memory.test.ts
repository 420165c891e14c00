import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import { afterEach, describe, expect, it, vi } from "vitest";

import { startTestRuntime, type TestRuntime } from "./support/test-runtime.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const open: TestRuntime[] = [];
afterEach(async () => {
  for (const rig of open.splice(0)) await rig.close();
});

const SESSIONS_A_WAVE = 400;
/** Far below what as many sessions would keep if each left only a kilobyte behind. */
const ALLOWED_GROWTH_BYTES = 0.8 * SESSIONS_A_WAVE * 1_024;

describe("memory", () => {
  it("does not grow with the number of sessions that were ever seen", { timeout: 60_000 }, async () => {
    const rig = await startTestRuntime({ config: { session: { dmScope: "per-peer" } } });
    open.push(rig);
    let serial = 0;

    async function wave(): Promise<void> {
      const people = Array.from({ length: SESSIONS_A_WAVE }, () => `person${(serial += 1)}`);
      await Promise.all(people.map((chat) => rig.channel.say({ text: "hello", chat, from: chat })));
      await rig.settled();
      expect(rig.platform.calls).toHaveLength(SESSIONS_A_WAVE);
      rig.platform.forget();
      rig.test.forget();
    }
    const heapBytes = (): number => {
      collectGarbage();
      return process.memoryUsage().heapUsed;
    };

    const allGivenBack = (): Promise<void> =>
      vi.waitFor(() => expect(rig.test.heldLanes()).toBe(0), { timeout: 15_000, interval: 100 });

    // The first waves fill caches and compile code.
    await wave();
    await wave();
    await allGivenBack();
    const before = heapBytes();
    await wave();
    await wave();
    await allGivenBack();
    expect(heapBytes() - before).toBeLessThan(ALLOWED_GROWTH_BYTES);
  });
});
