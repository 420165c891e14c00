import { afterEach, describe, expect, it } from "vitest";

import { HOLD_NOTICE_TEXT, resendCommand } from "../src/outbox/hold-notice.ts";
import { startTestRuntime, type TestRuntime } from "./support/test-runtime.ts";

const open: TestRuntime[] = [];
afterEach(async () => {
  for (const rig of open.splice(0)) await rig.close();
});

/** The answer to a first message is lost, and its notice shown. */
async function loseAnswer(): Promise<{ readonly rig: TestRuntime; readonly command: string }> {
  const rig = await startTestRuntime();
  open.push(rig);
  rig.platform.failNext("send", "drop_after");
  await rig.channel.say({ text: "hello" });
  await rig.settled();
  const [held] = await rig.test.store.outbox.list({ status: "unknown", limit: 10 });
  return { rig, command: resendCommand(held?.id ?? "") };
}

describe("an answer that may be missing", () => {
  it("is told of by a notice that says how to get it, and comes again by that, once", async () => {
    const { rig, command } = await loseAnswer();
    expect(rig.platform.seen("dm")).toEqual(["hello", `${HOLD_NOTICE_TEXT} To get it again, send: ${command}`]);
    await rig.channel.say({ text: command });
    await rig.settled();
    expect(rig.platform.seen("dm").slice(2)).toEqual(["hello"]);
    await rig.channel.say({ text: command });
    await rig.settled();
    expect(rig.platform.seen("dm").slice(3)).toEqual(["That answer has been sent already, or is on its way."]);
  });

  it("is nobody else's to ask for", async () => {
    const { rig, command } = await loseAnswer();
    await rig.channel.say({ text: command, chat: "eve", from: "eve" });
    await rig.settled();
    expect(rig.platform.seen("eve")).toEqual(["There is no such answer here."]);
    expect(rig.platform.seen("dm")).toHaveLength(2);
  });

  it("stays held when somebody asks for another", async () => {
    const { rig } = await loseAnswer();
    await rig.channel.say({ text: "/resend nothing" });
    await rig.settled();
    expect(rig.platform.seen("dm").at(-1)).toBe("There is no such answer here.");
    expect((await rig.test.store.outbox.counts()).unknown).toBe(1);
  });
});
