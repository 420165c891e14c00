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
    const rig = await startTestRuntime({ channel: { account: { requireMention: false } } });
    open.push(rig);
    let serial = 0;

    async function wave(): Promise<void> {
      // Threads of one place: each is a session and a delivery queue of its own. The send budget, which remembers
      // places and has a bound of its own, stays out of the measurement.
      const threads = Array.from({ length: SESSIONS_A_WAVE }, () => String((serial += 1)));
      const room = { chat: "room", chatKind: "group" as const, text: "hello" };
      await Promise.all(threads.map((threadId) => rig.channel.say({ ...room, threadId })));
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
