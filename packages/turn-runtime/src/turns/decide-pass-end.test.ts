import type { ChannelTurnResult } from "@turnwire/turn-kernel";
import { TurnwireError } from "@turnwire/turn-ports";
import { describe, expect, it } from "vitest";

import type { PassEnd } from "../lanes/turn-pass.ts";
import { decidePassEnd, type FinishedPass } from "./decide-pass-end.ts";

const result: ChannelTurnResult = { admission: { kind: "dispatch" }, dispatched: true, pass: "run" };
const finished: FinishedPass = { result, isAborted: false, run: null };
const counts = { tool: 0, block: 0, final: 0 };
const failedIn = (failedStage: NonNullable<ChannelTurnResult["failedStage"]>, error: unknown): FinishedPass => ({
  ...finished,
  result: { ...result, failedStage },
  error,
});
const bug = new TypeError("undefined is not a function");
const storeAway = new TurnwireError({ code: "store_unavailable", message: "The store is away." });
const limited = new TurnwireError({ code: "api_refused", message: "Too many requests.", retryAfterMs: 3_000 });
const refusedConnection = Object.assign(new Error("connect"), { code: "ECONNREFUSED" });

const table: readonly (readonly [string, FinishedPass, PassEnd])[] = [
  ["dispatched", finished, { kind: "done", reason: undefined }],
  [
    "observed",
    { ...finished, result: { ...result, admission: { kind: "observeOnly" } } },
    { kind: "done", reason: "observed" },
  ],
  [
    "dropped",
    { ...finished, result: { ...result, admission: { kind: "drop", reason: "missing_mention" } } },
    { kind: "dropped", reason: "missing_mention" },
  ],
  [
    "handled",
    { ...finished, result: { ...result, admission: { kind: "handled", reason: "event:reaction" } } },
    { kind: "handled", reason: "event:reaction" },
  ],
  [
    "deferred",
    {
      ...finished,
      result: {
        ...result,
        dispatched: false,
        dispatchResult: { queuedFinal: false, counts, receipts: [], deferredToActiveRun: "steer" },
      },
    },
    { kind: "deferred", mode: "steer" },
  ],
  ["aborted before dispatch", { ...finished, isAborted: true }, { kind: "aborted" }],
  [
    "completed run, aborted just then",
    { ...finished, isAborted: true, run: { outcome: "completed", isRetryable: false } },
    { kind: "done" },
  ],
  [
    "stopped run",
    { ...finished, isAborted: true, run: { outcome: "cancelled", isRetryable: false } },
    { kind: "aborted" },
  ],
  [
    "timed out run",
    { ...finished, isAborted: true, run: { outcome: "timed_out", isRetryable: false } },
    { kind: "dead", reason: "timed_out" },
  ],
  [
    "failed run that showed nothing",
    { ...finished, run: { outcome: "failed", code: "runner_threw", isRetryable: true } },
    { kind: "failed", reason: "runner_threw" },
  ],
  [
    "failed run that showed something",
    { ...finished, run: { outcome: "failed", code: "runner_threw", isRetryable: false } },
    { kind: "dead", reason: "runner_threw" },
  ],
  [
    "refused by the runner",
    { ...finished, run: { outcome: "failed", code: "runner_refused", isRetryable: false } },
    { kind: "done", reason: "runner_refused" },
  ],
  ["a malformed event makes ingest throw", failedIn("ingest", bug), { kind: "dead", reason: "ingest:internal" }],
  ["a bug in resolve", failedIn("resolve", bug), { kind: "dead", reason: "resolve:internal" }],
  [
    "the store is away in preflight",
    failedIn("preflight", storeAway),
    { kind: "failed", reason: "preflight:store_unavailable", retryAfterMs: undefined },
  ],
  [
    "the platform asks to wait in resolve",
    failedIn("resolve", limited),
    { kind: "failed", reason: "resolve:api_refused", retryAfterMs: 3_000 },
  ],
  [
    "no connection in resolve",
    failedIn("resolve", refusedConnection),
    { kind: "failed", reason: "resolve:internal", retryAfterMs: undefined },
  ],
  [
    "a throw in dispatch may pass",
    failedIn("dispatch", bug),
    { kind: "failed", reason: "dispatch:internal", retryAfterMs: undefined },
  ],
];

describe("decidePassEnd", () => {
  it.each(table)("%s", (_name, pass, end) => {
    expect(decidePassEnd(pass)).toEqual(end);
  });
});
