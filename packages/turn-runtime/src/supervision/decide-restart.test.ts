import { TurnwireError } from "@turnwire/turn-ports";
import { describe, expect, it } from "vitest";

import { createBackoff } from "./backoff.ts";
import { classifyRunError, decideRestart, type RestartDecision } from "./decide-restart.ts";

const failed = { stopped: false, leaseLost: false, error: { kind: "retry" }, backoffMs: 2_000 } as const;
const fatal = { kind: "fatal", hint: "Set a new token." } as const;

describe("decideRestart", () => {
  const table: readonly (readonly [string, Parameters<typeof decideRestart>[0], RestartDecision])[] = [
    ["told to stop", { ...failed, stopped: true, error: fatal }, { kind: "stop" }],
    ["lease lost", { ...failed, leaseLost: true, error: fatal }, { kind: "restart", delayMs: 0 }],
    ["ended by itself", { ...failed, error: null }, { kind: "restart", delayMs: 2_000 }],
    ["passing error", failed, { kind: "restart", delayMs: 2_000 }],
    ["told to wait", { ...failed, error: { kind: "retry", afterMs: 9_000 } }, { kind: "restart", delayMs: 9_000 }],
    [
      "told to wait for less",
      { ...failed, error: { kind: "retry", afterMs: 10 } },
      { kind: "restart", delayMs: 2_000 },
    ],
    ["fatal", { ...failed, error: fatal }, { kind: "fail", hint: "Set a new token." }],
  ];
  it.each(table)("%s", (_name, run, decision) => {
    expect(decideRestart(run)).toEqual(decision);
  });
});

describe("classifyRunError", () => {
  it.each(["lease_lost", "inbox_unavailable", "inbox_full"])("%s passes, whatever the channel makes of it", (code) => {
    const error = new TurnwireError({ code, message: "Not now.", retryAfterMs: 5_000 });
    expect(classifyRunError(error, () => fatal)).toEqual({ kind: "retry", afterMs: 5_000 });
  });

  it("leaves all else to the channel", () => {
    expect(classifyRunError(new Error("401"), () => fatal)).toEqual(fatal);
    expect(classifyRunError(null, () => fatal)).toBeNull();
  });
});

describe("createBackoff", () => {
  it("doubles to its bound, with half of each step at random, and begins anew", () => {
    const draws = [1, 1, 0, 1, 1];
    const backoff = createBackoff({ initialMs: 1_000, maxMs: 6_000, random: () => draws.shift() ?? 1 });
    expect(Array.from({ length: 5 }, () => backoff.nextMs())).toEqual([1_000, 2_000, 2_000, 6_000, 6_000]);
    backoff.reset();
    expect(backoff.nextMs()).toBe(1_000);
  });
});
