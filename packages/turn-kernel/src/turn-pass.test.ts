import { describe, expect, it } from "vitest";

import { createTurnScope } from "./create-turn-scope.ts";
import type { TurnLogEvent } from "./turn-log-event.ts";
import { TurnPass } from "./turn-pass.ts";

function passOf(options: Partial<ConstructorParameters<typeof TurnPass>[1]> = {}) {
  const events: TurnLogEvent[] = [];
  let now = 0;
  let reads = 0;
  const clock = {
    now: () => 1_000,
    monotonic: () => {
      reads += 1;
      return (now += 10);
    },
    setTimer: () => () => {},
  };
  const log = options.log ?? ((event: TurnLogEvent): void => void events.push(event));
  const pass = new TurnPass({ clock, ids: { next: () => "new" } }, { channel: "c", ...options, log });
  return { pass, events, reads: () => reads, clock };
}

describe("the events of a pass", () => {
  it("say all that is known, and how long the stage took", () => {
    const { pass, events } = passOf({ accountId: "a", turnId: "t" });
    pass.start("resolve");
    Object.assign(pass, { messageId: "m", sessionKey: "s", preview: "p", admission: { kind: "drop" } });
    pass.end("drop", { reason: "r", detail: "d" });
    expect(events[1]).toEqual({
      stage: "resolve",
      event: "drop",
      channel: "c",
      accountId: "a",
      turnId: "t",
      messageId: "m",
      sessionKey: "s",
      admission: "drop",
      reason: "r",
      detail: "d",
      error: undefined,
      preview: "p",
      pass: "admission",
      atMs: 1_000,
      durationMs: 10,
    });
    expect(events[0]?.durationMs).toBeUndefined();
  });

  it.each([
    [undefined, undefined],
    ["why", "why"],
  ])("a skipped stage starts and ends at once: %s", (reason, told) => {
    const { pass, events } = passOf();
    pass.skip("classify", reason);
    expect(events.map((event) => [event.stage, event.event, event.reason])).toEqual([
      ["classify", "start", undefined],
      ["classify", "skipped", told],
    ]);
  });

  it("a warning belongs to the stage that runs", () => {
    const { pass, events } = passOf();
    pass.start("record");
    pass.warn({ reason: "w", error: "e" });
    expect(events[1]).toMatchObject({ stage: "record", event: "warning", reason: "w", error: "e" });
    expect(events[1]?.durationMs).toBeUndefined();
  });

  it("that nobody hears are not made, and the clock is not read", () => {
    let reads = 0;
    const read = (): number => (reads += 1);
    const ports = { clock: { now: read, monotonic: read, setTimer: () => () => {} }, ids: { next: () => "n" } };
    const pass = new TurnPass(ports, { channel: "c" });
    pass.skip("classify");
    pass.start("record");
    pass.warn({ reason: "w" });
    pass.end("done");
    expect([reads, pass.stage]).toEqual([0, "record"]);
  });
});

describe("the identity of a pass", () => {
  it("is given, or new", () => {
    expect(passOf({ turnId: "t", attempt: 3, resumed: true }).pass).toMatchObject({
      turnId: "t",
      attempt: 3,
      resumed: true,
      kind: "run",
      stage: "ingest",
    });
    expect(passOf().pass).toMatchObject({ turnId: "new", attempt: 0, resumed: false, kind: "admission" });
  });
});

describe("the scope of a pass", () => {
  it("is the caller's, who ends it", () => {
    const scope = createTurnScope();
    const { pass } = passOf({ scope });
    expect([pass.scope, pass.signal, pass.release()]).toEqual([scope, scope.signal, null]);
    let isReleased = false;
    scope.onRelease(() => void (isReleased = true));
    expect(isReleased).toBe(false);
  });

  it("else its own: one, however often it is asked for, and nothing to wait for while nobody holds anything", () => {
    const { pass } = passOf();
    expect(pass.release()).toBeNull();
    const used = passOf().pass;
    expect(used.scope).toBe(used.scope);
    expect(used.signal.aborted).toBe(false);
    expect(used.release()).toBeNull();
  });

  it("releases what was registered, and at once what comes after the end", async () => {
    const { pass, events } = passOf();
    const released: string[] = [];
    pass.scope.onRelease(() => void released.push("early"));
    pass.scope.onRelease(() => {
      throw new Error("release");
    });
    await pass.release();
    pass.scope.onRelease(() => void released.push("late"));
    expect(released).toEqual(["early", "late"]);
    expect(events.map(({ event, reason }) => [event, reason])).toEqual([["warning", "release_failed"]]);
  });

  it("that is first asked for after the end is closed already", () => {
    const { pass } = passOf();
    expect(pass.release()).toBeNull();
    const released: string[] = [];
    pass.scope.onRelease(() => void released.push("late"));
    expect(released).toEqual(["late"]);
  });
});
