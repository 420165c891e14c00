import { classifyTransportError } from "@turnwire/adapter-kit";
import type { ChannelTurnResult } from "@turnwire/turn-kernel";
import { TurnwireError } from "@turnwire/turn-ports";

import type { PassEnd } from "../lanes/turn-pass.ts";
import type { RunOutcome } from "./live-pass.ts";

/** What is known of a pass when the kernel has returned. */
export interface FinishedPass {
  /** Null when the kernel threw before finalize told anything. */
  readonly result: ChannelTurnResult | null;
  readonly error?: unknown;
  readonly isAborted: boolean;
  readonly run: RunOutcome | null;
}

/** Stages that only look at the event: what a platform's bytes make them throw, they throw every time. */
const READING_STAGES: ReadonlySet<string> = new Set([
  "ingest",
  "classify",
  "preflight",
  "resolve",
  "authorize",
  "assemble",
]);

/** Codes of our own that pass by themselves. */
const PASSING_CODE = /_(?:unavailable|timeout|rate_limited|full)$/u;

/** Decides what a pass means for its inbox rows. Pure. */
export function decidePassEnd({ result, error, isAborted, run }: FinishedPass): PassEnd {
  if (run !== null) return endOfRun(run);
  if (isAborted) return { kind: "aborted" };
  if (error !== undefined || result === null) return endOfError(error, result?.failedStage);

  const deferred = result.dispatchResult?.deferredToActiveRun;
  if (deferred !== undefined) return { kind: "deferred", mode: deferred };
  switch (result.admission.kind) {
    case "drop":
      return { kind: "dropped", reason: result.admission.reason ?? "dropped" };
    case "handled":
      return { kind: "handled", reason: result.admission.reason ?? "handled" };
    case "dispatch":
    case "observeOnly":
      return { kind: "done", reason: result.admission.kind === "observeOnly" ? "observed" : undefined };
  }
}

function endOfRun(run: RunOutcome): PassEnd {
  switch (run.outcome) {
    case "completed":
      return { kind: "done" };
    case "cancelled":
    case "interrupted":
      return { kind: "aborted" };
    case "timed_out":
      return { kind: "dead", reason: "timed_out" };
    case "failed": {
      const reason = run.code ?? "runner_failed";
      // A refusal is an answer.
      if (reason === "runner_refused") return { kind: "done", reason };
      return run.isRetryable ? { kind: "failed", reason } : { kind: "dead", reason };
    }
  }
}

function endOfError(error: unknown, stage: string | undefined): PassEnd {
  const code = TurnwireError.isInstance(error) ? error.code : "internal";
  const retryAfterMs = TurnwireError.isInstance(error) ? error.retryAfterMs : undefined;
  const reason = stage === undefined ? code : `${stage}:${code}`;
  const isPassing = retryAfterMs !== undefined || PASSING_CODE.test(code) || isTransport(error);
  if (stage !== undefined && READING_STAGES.has(stage) && !isPassing) return { kind: "dead", reason };
  return { kind: "failed", reason, retryAfterMs };
}

function isTransport(error: unknown): boolean {
  return classifyTransportError(error).code !== "unknown";
}
