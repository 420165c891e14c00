import { afterEach, describe, expect, it } from "vitest";

import { MAX_AGE_MS } from "../src/outbox/decide-delivery.ts";
import { resendCommand } from "../src/outbox/hold-notice.ts";
import { createStepBuffer } from "../src/step-buffer.ts";
import { type DeliveryPlatform, RETRY_AFTER_MS, type SendFault, WINDOW_MS } from "./support/delivery-platform.ts";
import { type DeliveryRig, type DeliveryRigOptions, isNotice, openDelivery, partsOf } from "./support/delivery-rig.ts";

const open: DeliveryRig[] = [];
afterEach(async () => {
  for (const rig of open.splice(0)) await rig.close();
});

async function start(options: DeliveryRigOptions = {}): Promise<DeliveryRig> {
  const rig = await openDelivery(options);
  open.push(rig);
  return rig;
}

async function restart(rig: DeliveryRig, options: { readonly downMs?: number } = {}): Promise<DeliveryRig> {
  open.splice(open.indexOf(rig), 1);
  const next = await rig.restart(options);
  open.push(next);
  return next;
}

/** The first calls with this text end so; all others succeed. */
function faultsOf(platform: DeliveryPlatform, text: string, ...faults: readonly SendFault[]): void {
  const left = [...faults];
  platform.fault = (call) => (call.text === text ? left.shift() : undefined);
}

function callsOf(platform: DeliveryPlatform, text: string): number {
  return platform.calls.filter((call) => call.text === text).length;
}

/** Tells whether a promise has resolved. */
function isOver(promise: Promise<unknown>): () => boolean {
  let over = false;
  void promise.then(() => {
    over = true;
  });
  return () => over;
}

const statusesOf = (report: { readonly parts: readonly { readonly status: string }[] }): readonly string[] =>
  report.parts.map((part) => part.status);

describe("order", () => {
  it("sends payloads of one chat part by part as they came, and tells one receipt each", async () => {
    const rig = await start();
    const reports = Promise.all([rig.send("dm", ["a1", "a2"]), rig.send("dm", ["b1"]), rig.send("dm", ["c1", "c2"])]);
    await rig.settled();
    expect(rig.platform.texts("dm")).toEqual(["a1", "a2", "b1", "c1", "c2"]);
    expect((await reports).map(statusesOf)).toEqual([["sent", "sent"], ["sent"], ["sent", "sent"]]);
    expect((await reports)[2]?.receipt?.parts.map((part) => part.index)).toEqual([0, 1]);
  });

  it("goes on at the part that failed, and repeats none of those before", async () => {
    const rig = await start();
    faultsOf(rig.platform, "2", "not_sent", "not_sent", "wait");
    void rig.send("dm", ["1", "2", "3"]);
    await rig.settled();
    expect(rig.platform.texts("dm")).toEqual(["1", "2", "3"]);
    expect(rig.platform.calls.map((call) => call.text)).toEqual(["1", "2", "2", "2", "2", "3"]);
  });

  it("does not let a chat wait for another one", async () => {
    const rig = await start();
    faultsOf(rig.platform, "stuck", "hangs");
    void rig.send("slow", ["stuck"]);
    const report = rig.send("fast", ["1", "2"]);
    await rig.until(() => rig.platform.texts("fast").length === 2);
    expect(statusesOf(await report)).toEqual(["sent", "sent"]);
  });

  it("keeps it when the wait of a turn ends before its parts are sent", async () => {
    const rig = await start();
    const fence = await rig.store.lanes.claim("turn:s", "a");
    if (fence === null) throw new Error("The lane should be free.");
    const step = createStepBuffer(rig.store, [fence]);
    rig.platform.fault = (call) => (rig.clock.monotonic() < 60_000 && call.text !== "first" ? "not_sent" : undefined);
    const report = rig.send("dm", ["first", "1", "2"], { turnId: "t1", step });
    await rig.until(isOver(report));
    expect(statusesOf(await report)).toEqual(["sent", "queued", "queued"]);
    // The turn ends, and with it the right to write under its fence.
    await step.flush();
    await rig.store.lanes.release(fence);
    void rig.send("dm", ["next"]);
    await rig.settled();
    expect(rig.platform.texts("dm")).toEqual(["first", "1", "2", "next"]);
    expect(rig.log.problems).toEqual([]);
  });
});

describe("refusals", () => {
  it("sends the plainer form of a refused part, once", async () => {
    const rig = await start();
    rig.platform.fault = (call) => (call.text.includes("*") ? "refused_markup" : undefined);
    void rig.send("dm", ["*x", "y"]);
    await rig.settled();
    expect(rig.platform.calls.map((call) => call.text)).toEqual(["*x", "plain *x"]);
    expect(await rig.statuses()).toEqual({ "plain *x": "rejected", y: "superseded" });
  });

  it("sends nothing of a payload behind a part that is refused for good; the next payload goes on", async () => {
    const rig = await start();
    faultsOf(rig.platform, "2", "refused");
    const reports = Promise.all([rig.send("dm", ["1", "2", "3"]), rig.send("dm", ["next"])]);
    await rig.settled();
    expect((await reports).map(statusesOf)).toEqual([["sent", "rejected", "superseded"], ["sent"]]);
    expect(rig.platform.texts("dm")).toEqual(["1", "next"]);
  });

  it("knows what belongs together after a restart, too", async () => {
    const rig = await start();
    rig.platform.fault = () => "not_sent";
    void rig.send("dm", ["1", "2"], { turnId: "t", purpose: "block" });
    void rig.send("dm", ["3", "4"], { turnId: "t", purpose: "block" });
    await rig.until(async () => (await rig.rows()).some((row) => row.status === "queued" && row.attempts > 1));
    const next = await restart(rig);
    faultsOf(next.platform, "1", "refused");
    await next.settled();
    expect(await next.statuses()).toEqual({ "1": "rejected", "2": "superseded", "3": "sent", "4": "sent" });
  });
});

describe("retries", () => {
  it("make no call to the chat while the platform asks to wait, not even one that is not stored", async () => {
    const rig = await start();
    faultsOf(rig.platform, "1", "wait");
    void rig.send("dm", ["1", "2"]);
    await rig.until(() => rig.telemetry.counted("outbox_tries_total") === 1);
    const [part] = partsOf(["typing"]);
    if (part === undefined) throw new Error("There is a part.");
    void rig.outbox.ephemeral({
      channel: "memory",
      accountId: "default",
      target: { to: "dm", chatKind: "direct" },
      part: { ...part, op: "typing" },
      slot: "t",
      signal: new AbortController().signal,
    });
    await rig.settled();
    const [first, second] = rig.platform.calls.filter((call) => call.chat === "dm").map((call) => call.atMs);
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(RETRY_AFTER_MS);
    expect(rig.platform.texts("dm").filter((text) => text !== "typing")).toEqual(["1", "2"]);
  });

  it("end after a day: given up, listed, and the next payload goes on", async () => {
    const rig = await start();
    rig.platform.fault = (call) => (call.text === "old" ? "not_sent" : undefined);
    void rig.send("dm", ["old", "behind"]);
    void rig.send("dm", ["next"]);
    await rig.settled(60_000);
    expect(await rig.statuses()).toEqual({ old: "given_up", behind: "superseded", next: "sent" });
    const calls = rig.platform.calls.filter((call) => call.text === "old");
    expect((calls.at(-1)?.atMs ?? 0) - (calls[0]?.atMs ?? 0)).toBeGreaterThanOrEqual(MAX_AGE_MS - 300_000);
    // Doubling pauses of at most five minutes: 288 of those make a day.
    expect(calls.length).toBeLessThan(320);
    const [dead] = await rig.store.outbox.list({ status: "given_up", limit: 10 });
    expect(dead?.error?.code).toBe("test_fault");

    rig.platform.fault = () => undefined;
    await rig.outbox.resend(dead?.id ?? "");
    await rig.settled();
    expect(rig.platform.texts("dm")).toEqual(["next", "old"]);
  });

  it("are not delayed by a wall clock that is set back", async () => {
    const rig = await start();
    faultsOf(rig.platform, "1", "not_sent", "not_sent");
    void rig.send("dm", ["1"]);
    await rig.until(() => rig.platform.calls.length === 1);
    rig.clock.jump(-3_600_000);
    const beforeMs = rig.clock.monotonic();
    await rig.settled();
    expect(rig.clock.monotonic() - beforeMs).toBeLessThan(10_000);
    expect(rig.platform.texts("dm")).toEqual(["1"]);
  });

  it("of a channel that throws end soon, and what may have arrived is held", async () => {
    const rig = await start({ settlement: "idempotent" });
    rig.platform.fault = (call) => (call.text === "bad" ? "throws" : undefined);
    void rig.send("dm", ["bad"]);
    void rig.send("dm", ["next"]);
    await rig.settled();
    expect(await rig.statuses()).toMatchObject({ bad: "unknown", next: "sent" });
    expect(callsOf(rig.platform, "bad")).toBe(5);
  });

  it("of thirty parts found at the start keep to what the platform takes", async () => {
    const rig = await start({ capabilities: { outboundRate: { perBotPerSecond: 30, perChatPerSecond: 1 } } });
    rig.platform.fault = () => "hangs";
    const texts = Array.from({ length: 30 }, (_, index) => `${index}`);
    for (const text of texts) void rig.send("dm", [text]);
    await rig.until(async () => (await rig.rows()).length === 30);
    const next = await restart(rig, { downMs: 10_000 });
    // One message a second, with a short burst, as a platform counts.
    const times: number[] = [];
    let refused = 0;
    next.platform.fault = ({ atMs }) => {
      times.push(atMs);
      if (times.filter((time) => atMs - time < 10_000).length <= 13) return undefined;
      refused += 1;
      return "wait";
    };
    await next.settled();
    // The call that was under way when the process died is in doubt.
    expect(next.platform.texts("dm").filter((text) => !isNotice(text))).toEqual(texts.slice(1));
    expect(refused).toBeLessThanOrEqual(2);
  });
});

describe("a lost answer", () => {
  it("is repeated under the same id where the platform knows ids", async () => {
    const rig = await start({ settlement: "idempotent" });
    faultsOf(rig.platform, "1", "lost", "lost");
    void rig.send("dm", ["1", "2"]);
    await rig.settled();
    expect(rig.platform.texts("dm")).toEqual(["1", "2"]);
    expect(callsOf(rig.platform, "1")).toBe(3);
    expect(new Set(rig.platform.calls.filter((call) => call.text === "1").map((call) => call.id)).size).toBe(1);
  });

  it("is not repeated once the platform may have forgotten the id: it is read back", async () => {
    const rig = await start({ settlement: "idempotent" });
    rig.platform.fault = (call) => {
      if (call.text !== "1") return undefined;
      return callsOf(rig.platform, "1") === 1 ? "lost" : "not_sent";
    };
    void rig.send("dm", ["1", "2"]);
    await rig.settled();
    expect(rig.platform.texts("dm")).toEqual(["1", "2"]);
    const [first, ...repeats] = rig.platform.calls.filter((call) => call.text === "1").map((call) => call.atMs);
    for (const atMs of repeats) expect(atMs - (first ?? 0)).toBeLessThan(WINDOW_MS);
    expect(rig.platform.reconciled).toBe(1);
  });

  it.each([
    { fault: "lost", calls: 1 },
    { fault: "lost_before", calls: 2 },
  ] as const)("is read back where that is possible: $fault", async ({ fault, calls }) => {
    const rig = await start({ settlement: "read_back" });
    faultsOf(rig.platform, "1", fault);
    void rig.send("dm", ["1", "2"]);
    await rig.settled();
    expect(rig.platform.texts("dm")).toEqual(["1", "2"]);
    expect(callsOf(rig.platform, "1")).toBe(calls);
  });

  it("waits while reading back fails, and is not sent again meanwhile", async () => {
    const rig = await start({ settlement: "read_back" });
    faultsOf(rig.platform, "1", "lost");
    rig.platform.readBack = () => (rig.platform.reconciled < 4 ? "fails" : "truth");
    void rig.send("dm", ["1", "2"]);
    await rig.settled();
    expect(rig.platform.reconciled).toBe(4);
    expect(rig.platform.calls.map((call) => call.text)).toEqual(["1", "2"]);
  });

  it("is held when several messages could be it", async () => {
    const rig = await start({ settlement: "read_back" });
    faultsOf(rig.platform, "1", "lost");
    rig.platform.readBack = () => "ambiguous";
    void rig.send("dm", ["1"]);
    await rig.settled();
    expect((await rig.statuses())["1"]).toBe("unknown");
  });

  it("is sent again where the account says so", async () => {
    const rig = await start({ account: { onUnknownSend: "resend" } });
    faultsOf(rig.platform, "1", "lost");
    void rig.send("dm", ["1"]);
    await rig.settled();
    expect(rig.platform.texts("dm")).toEqual(["1", "1"]);
    expect(await rig.statuses()).toEqual({ "1": "sent" });
  });

  it("that nobody can settle is held, counted and told; what is behind goes on; a person gets it again, once", async () => {
    const rig = await start();
    faultsOf(rig.platform, "2", "lost_before");
    const report = rig.send("dm", ["1", "2", "3"]);
    await rig.settled();
    expect(statusesOf(await report)).toEqual(["sent", "unknown", "sent"]);
    const [, held] = (await report).parts;
    const [one, three, notice] = rig.platform.texts("dm");
    expect([one, three]).toEqual(["1", "3"]);
    expect(isNotice(notice)).toBe(true);
    expect(notice).toContain(resendCommand(held?.id ?? ""));
    expect((await rig.store.outbox.counts()).unknown).toBe(1);
    await Promise.all([rig.outbox.resend(held?.id ?? ""), rig.outbox.resend(held?.id ?? "")]);
    await rig.settled();
    await rig.outbox.resend(held?.id ?? "");
    await rig.settled();
    expect(rig.platform.texts("dm").slice(3)).toEqual(["2"]);
    expect(rig.telemetry.counted("outbox_resent_total")).toBe(1);
  });

  it("of a notice is held without another notice", async () => {
    const rig = await start();
    rig.platform.fault = () => "lost";
    void rig.send("dm", ["1"], { purpose: "notice" });
    await rig.settled();
    expect(rig.platform.texts("dm")).toEqual(["1"]);
  });

  it("of an edit is simply repeated", async () => {
    const rig = await start();
    faultsOf(rig.platform, "new", "lost_before");
    const [part] = partsOf(["new"]);
    if (part === undefined) throw new Error("There is a part.");
    void rig.send("dm", [], { parts: [{ ...part, op: "edit", messageId: "m1" }] });
    await rig.settled();
    expect(await rig.statuses()).toEqual({ new: "sent" });
  });

  it("is counted: tries, ends and what reading back told", async () => {
    const rig = await start({ settlement: "read_back" });
    faultsOf(rig.platform, "1", "not_sent", "lost");
    void rig.send("dm", ["1"]);
    await rig.settled();
    const counted = ["outbox_tries_total", "outbox_reconciled_total", "outbox_parts_total"];
    expect(counted.map((name) => rig.telemetry.counted(name))).toEqual([2, 1, 1]);
  });
});

describe("the transcript of a turn that did not wait", () => {
  it("is told what became of its answer", async () => {
    const rig = await start();
    const session = { key: "s", agentId: "main", createIfMissing: true } as const;
    const entry = { role: "assistant", turnId: "t", parts: [], atMs: 0, deliveryState: "pending" } as const;
    await rig.store.commit(
      [],
      [
        { op: "session.put", ...session },
        { op: "transcript.append", key: "s", generation: 0, entries: [entry] },
      ],
    );
    rig.platform.fault = (call) => (call.text === "2" && rig.clock.monotonic() < 60_000 ? "not_sent" : undefined);
    const report = rig.send("dm", ["1", "2"], { turnId: "t", sessionKey: "s" });
    await rig.until(isOver(report));
    expect(statusesOf(await report)).toEqual(["sent", "queued"]);
    await rig.settled();
    const stateOf = async (): Promise<string | undefined> =>
      (await rig.store.sessions.transcript("s", 10)).at(-1)?.deliveryState;
    await rig.until(async () => (await stateOf()) === "delivered");
  });
});

describe("held parts", () => {
  it("in any number do not hide what is to be sent", async () => {
    const rig = await start();
    rig.platform.fault = (call) => (call.text.startsWith("h") ? "lost" : undefined);
    const texts = Array.from({ length: 230 }, (_, index) => `h${index}`);
    for (const text of texts) void rig.send("dm", [text], { purpose: "notice" });
    await rig.settled();
    rig.setChannel(false);
    await rig.until(() => rig.test.heldLanes() === 0);
    void rig.send("dm", ["x"]);
    rig.setChannel(true);
    await rig.settled();
    expect(rig.platform.texts("dm").at(-1)).toBe("x");
  });
});

describe("the owners of a queue", () => {
  it("give it back when it is idle", async () => {
    const rig = await start();
    void rig.send("dm", ["1"]);
    await rig.until(() => rig.test.heldLanes() > 0);
    await rig.until(() => rig.test.heldLanes() === 0);
    void rig.send("dm", ["2"]);
    await rig.settled();
    expect(rig.platform.texts("dm")).toEqual(["1", "2"]);
  });

  it("start no call for a turn that has lost its lane", async () => {
    const rig = await start();
    const fence = await rig.store.lanes.claim("turn:s", "a");
    if (fence === null) throw new Error("The lane should be free.");
    const step = createStepBuffer(rig.store, [fence]);
    faultsOf(rig.platform, "1", "wait");
    const report = rig.send("dm", ["1", "2"], { turnId: "t1", step });
    await rig.until(() => rig.platform.calls.length === 1);
    await rig.store.lanes.abandon(fence);
    const next = await rig.store.lanes.claim("turn:s", "b");
    await rig.store.commit(next === null ? [] : [next], [{ op: "outbox.supersede", turnId: "t1" }]);
    void rig.send("dm", ["of the next attempt"]);
    await rig.until(isOver(report));
    expect(statusesOf(await report)).toEqual(["queued", "queued"]);
    await rig.until(() => rig.platform.texts("dm").includes("of the next attempt"));
    expect(rig.platform.texts("dm")).not.toContain("2");
  });

  it("read it anew when the store knows better", async () => {
    const rig = await start();
    rig.platform.fault = (call) => (call.text === "1" && rig.clock.monotonic() < 5_000 ? "not_sent" : undefined);
    void rig.send("dm", ["1", "2"], { turnId: "t1" });
    void rig.send("dm", ["3"], { turnId: "t2" });
    await rig.until(() => rig.platform.calls.length > 0);
    // Never tried: another attempt of its turn takes it back.
    await rig.store.commit([], [{ op: "outbox.supersede", turnId: "t1" }]);
    await rig.settled();
    expect(rig.platform.texts("dm")).toEqual(["1", "3"]);
    expect((await rig.statuses())["2"]).toBe("superseded");
  });

  it("keep parts of an account that is stopped, and send them in order when it is back", async () => {
    const rig = await start();
    rig.platform.fault = (call) => (call.text === "1" && rig.clock.monotonic() < 2_000 ? "not_sent" : undefined);
    void rig.send("dm", ["1", "2"]);
    await rig.until(() => rig.platform.calls.length === 1);
    rig.setChannel(false);
    expect(statusesOf(await rig.send("dm", ["3"]))).toEqual(["queued"]);
    await rig.clock.advance(60_000);
    expect(rig.platform.texts("dm")).toEqual([]);
    rig.setChannel(true);
    await rig.settled();
    expect(rig.platform.texts("dm")).toEqual(["1", "2", "3"]);
  });

  it("wait for what is under way when they drain, and tell what is left", async () => {
    const rig = await start();
    rig.platform.fault = (call) => (call.text === "2" ? "not_sent" : undefined);
    void rig.send("dm", ["1", "2", "3"]);
    await rig.until(() => rig.platform.calls.length >= 2);
    let left: number | null = null;
    void rig.outbox.drain(1_000).then((result) => {
      left = result.left;
    });
    await rig.until(() => left !== null);
    expect(left).toBe(2);
  });

  it("close although a call never comes back", async () => {
    const rig = await openDelivery();
    faultsOf(rig.platform, "1", "hangs");
    void rig.send("dm", ["1"]);
    await rig.until(() => rig.platform.calls.length === 1);
    await rig.close();
    expect(rig.log.problems.map((problem) => problem.message)).toEqual([
      "A delivery does not come back; it is left as it is for the next start to settle",
    ]);
  });
});

describe("a store that is away for a moment", () => {
  it("loses and doubles nothing", async () => {
    const rig = await start();
    await rig.send("dm", ["0"]);
    void rig.send("dm", ["1", "2"]);
    await rig.until(() => rig.platform.texts("dm").includes("1"));
    rig.test.failCommits(3);
    await rig.settled();
    expect(rig.platform.texts("dm")).toEqual(["0", "1", "2"]);
  });
});
