import { createEchoRunner } from "@turnwire/agent-runners";
import { afterEach, describe, expect, it } from "vitest";

import { startTestRuntime, type TestRuntime, type TestRuntimeOptions } from "./support/test-runtime.ts";

const open: TestRuntime[] = [];
afterEach(async () => {
  for (const rig of open.splice(0)) await rig.close();
});

async function start(options: TestRuntimeOptions = {}): Promise<TestRuntime> {
  const rig = await startTestRuntime(options);
  open.push(rig);
  return rig;
}

describe("a turn from event to answer", () => {
  it("echoes a direct message, and costs three transactions", async () => {
    const rig = await start({ runner: createEchoRunner() });
    await rig.channel.say({ text: "hello there" });
    await rig.settled();
    expect(rig.platform.seen("dm")).toEqual(["hello there"]);
    expect(rig.platform.calls).toHaveLength(1);
    expect(rig.test.transactions).toEqual([
      ["accept"],
      ["session.put", "session.put", "inbox.run", "transcript.append", "outbox.insert"],
      ["outbox.sent", "transcript.append", "turn.put", "inbox.end"],
    ]);
    expect(rig.log.problems).toEqual([]);
  });
});
