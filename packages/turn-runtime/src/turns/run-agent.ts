import type { FinalizedMsgContext, ReplyControls, ReplySink, TurnAbortReason, TurnScope } from "@turnwire/turn-kernel";
import type { AgentRunContext, TranscriptEntry, TranscriptPart } from "@turnwire/turn-ports";

import type { RuntimeAgent } from "../config/runtime-config.ts";
import { showAck } from "./ack-reaction.ts";
import { consumeRun, type RunEnd } from "./consume-run.ts";
import { decideFailureText, failureClassOf } from "./decide-failure-text.ts";
import { createTextGuard } from "./guard-text.ts";
import { journalTools } from "./journal-tools.ts";
import { bodyForAgent, type LivePass, type RunOutcome } from "./live-pass.ts";
import { EMPTY_ANSWER_TEXT } from "./notice-texts.ts";
import { decideFinalAnswer, EMPTY_ANSWER, withEvent, type RunAnswer } from "./run-answer.ts";
import { openTurnDraft } from "./turn-draft.ts";
import type { TurnEngineOptions } from "./turn-engine-options.ts";
import { startTyping } from "./typing-lease.ts";

/** Failures of a runner that another attempt may not meet. A refusal or a missing key would only be met again. */
const RETRYABLE_CLASSES: ReadonlySet<string> = new Set(["internal", "rate_limited", "overloaded"]);

/**
 * Runs the agent of a turn and pushes what it says into the sink: streams into the draft on the way, then one final,
 * or what silence, emptiness and failure call for. Leaves in `pass.run` how it ended.
 */
export async function runAgent(
  pass: LivePass,
  options: TurnEngineOptions,
  reply: { readonly ctx: FinalizedMsgContext; readonly sink: ReplySink; readonly controls: ReplyControls },
): Promise<void> {
  const { agent, request } = pass;
  if (agent === null) return;
  const { clock, config, outbox, telemetry } = options;
  const { ctx, sink, controls } = reply;
  const guard = createTextGuard(pass, config, options.secrets ?? []);
  const settings = pass.session?.settings ?? {};
  const transcript = await options.store.sessions.transcript(pass.sessionKey, config.limits.transcriptEntries);
  appendUserEntry(pass, ctx, transcript, clock.now());

  startTyping(pass, outbox, clock);
  showAck(pass, outbox, ctx);
  pass.draft = openTurnDraft(pass, outbox, clock);
  const { draft } = pass;
  if (draft !== null) request.scope.onRelease(() => draft.cancel());
  const cancelLimit = clock.setTimer(() => request.scope.abort("timeout"), config.agentDefaults.timeoutMs);

  let answer = EMPTY_ANSWER;
  const startedMs = clock.monotonic();
  const end = await consumeRun({
    runner: agent.runner,
    context: contextOf(pass, agent, { ctx, transcript, options }),
    signal: controls.signal,
    steer: { take: () => (controls.signal.aborted ? Promise.resolve([]) : request.lane.takeSteer()) },
    clock,
    graceMs: config.limits.runnerGraceMs,
    onEvent(event) {
      answer = withEvent(answer, event);
      if (draft === null) return;
      if (event.type === "text-delta") draft.push(guard(answer.text));
      if (event.type === "reasoning-delta" && settings.reasoning === "stream" && answer.text === "")
        draft.push(guard(answer.reasoning));
    },
  }).finally(cancelLimit);

  telemetry.observe("agent_run_seconds", (clock.monotonic() - startedMs) / 1_000);
  telemetry.count("tokens_total", { direction: "input" }, answer.usage.inputTokens);
  telemetry.count("tokens_total", { direction: "output" }, answer.usage.outputTokens);
  if (end.kind === "aborted" && end.stuck) {
    telemetry.count("runner_stuck_total");
    options.log.warn(
      { turnId: request.turnId },
      "a runner ignored its abort and was left behind; what it says is dropped",
    );
  }

  const outcome = outcomeOf(end, pass, answer);
  pass.run = outcome;
  if (outcome.outcome === "completed") await pushFinal(pass, answer, { guard, sink, telemetry });
  else await pushFailure(pass, outcome, { end, sink, maxAttempts: config.agentDefaults.maxAttempts });
  const willRetry = outcome.isRetryable && request.attempt + 1 < config.agentDefaults.maxAttempts;
  if (!willRetry) appendAnswerEntry(pass, answer, clock.now());
}

function contextOf(
  pass: LivePass,
  agent: RuntimeAgent,
  given: {
    readonly ctx: FinalizedMsgContext;
    readonly transcript: readonly TranscriptEntry[];
    readonly options: TurnEngineOptions;
  },
): AgentRunContext {
  const { request, session, resume } = pass;
  const { agentDefaults } = given.options.config;
  const { clock, ids } = given.options;
  const dropped = pass.answer?.kind === "run" ? [...pass.answer.dropped, ...request.dropped] : request.dropped;
  const model = session?.settings.model ?? agent.model;
  return {
    turnId: request.turnId,
    attempt: request.attempt + 1,
    agent: { id: agent.id, name: agent.identity.name, systemPrompt: agent.systemPrompt },
    session: { key: pass.sessionKey, generation: session?.generation ?? 0 },
    message: withDropped(given.ctx, dropped),
    transcript: given.transcript.filter((entry) => entry.turnId !== request.turnId),
    history: given.ctx.InboundHistory ?? [],
    tools: journalTools(agent.tools ?? [], {
      turnId: request.turnId,
      step: request.step,
      signal: request.scope.signal,
      clock,
      ids,
      journal: pass.journal,
    }),
    ...(resume === null ? {} : { resume }),
    limits: {
      maxSteps: agentDefaults.maxSteps,
      maxOutputTokens: agentDefaults.maxOutputTokens,
      timeoutMs: agentDefaults.timeoutMs,
    },
    ...(model === undefined ? {} : { model }),
  };
}

/** Names the messages that the queue left out, one line each, in front of the current one. */
function withDropped(ctx: FinalizedMsgContext, dropped: readonly string[]): FinalizedMsgContext {
  if (dropped.length === 0) return ctx;
  const head = dropped.length === 1 ? "1 message was dropped" : `${dropped.length} messages were dropped`;
  const lines = dropped.map((line) => `- ${line}`).join("\n");
  return Object.freeze({
    ...ctx,
    BodyForAgent: `[${head} while the queue was full]\n${lines}\n\n${bodyForAgent(ctx)}`,
  });
}

function outcomeOf(end: RunEnd, pass: LivePass, answer: RunAnswer): RunOutcome {
  const { scope } = pass.request;
  if (end.kind === "aborted") {
    const reason = abortReasonOf(scope);
    if (reason === "timeout") return { outcome: "timed_out", code: "timed_out", isRetryable: false };
    return { outcome: reason === "stop" ? "cancelled" : "interrupted", isRetryable: false };
  }
  if (end.kind === "done" && end.event.outcome === "completed") return { outcome: "completed", isRetryable: false };
  const code = end.kind === "done" ? (end.event.error?.code ?? "runner_failed") : end.code;
  const isUntouched = pass.pushed === 0 && answer.toolCalls === 0;
  return { outcome: "failed", code, isRetryable: isUntouched && RETRYABLE_CLASSES.has(failureClassOf(code)) };
}

/** Scopes are aborted with their reason. */
function abortReasonOf({ signal }: TurnScope): TurnAbortReason {
  return signal.reason as TurnAbortReason;
}

async function pushFinal(
  pass: LivePass,
  answer: RunAnswer,
  {
    guard,
    sink,
    telemetry,
  }: {
    readonly guard: (text: string) => string;
    readonly sink: ReplySink;
    readonly telemetry: TurnEngineOptions["telemetry"];
  },
): Promise<void> {
  const isDirect = pass.request.last.routePeer.kind === "direct";
  if (pass.session?.settings.reasoning === "on" && answer.reasoning.trim() !== "") {
    await sink.push({ text: guard(answer.reasoning), isReasoning: true }, "block");
  }
  const final = decideFinalAnswer(answer);
  switch (final.kind) {
    case "show":
      await sink.push(
        { text: guard(final.text), ...(final.mediaUrls.length > 0 ? { mediaUrls: final.mediaUrls } : {}) },
        "final",
      );
      return;
    case "silent":
      pass.delivery = "suppressed";
      return;
    case "empty":
      telemetry.count("empty_answers_total", { chat: isDirect ? "direct" : "group" });
      if (isDirect) await sink.push({ text: EMPTY_ANSWER_TEXT }, "final");
  }
}

async function pushFailure(
  pass: LivePass,
  outcome: RunOutcome,
  { end, sink, maxAttempts }: { readonly end: RunEnd; readonly sink: ReplySink; readonly maxAttempts: number },
): Promise<void> {
  // Who stopped or interrupted the run knows; and another attempt may still bring an answer.
  if (outcome.outcome === "cancelled" || outcome.outcome === "interrupted") return;
  if (outcome.isRetryable && pass.request.attempt + 1 < maxAttempts) return;
  const text = decideFailureText({
    chatKind: pass.request.last.routePeer.kind,
    code: outcome.code ?? "internal",
    userText: end.kind === "done" ? end.event.error?.userText : undefined,
    verbose: pass.session?.settings.verbose ?? "off",
  });
  if (text !== null) await sink.push({ text, isError: true }, "final");
}

/** The transcript has the message before the agent is asked; an attempt before this one may have written it. */
function appendUserEntry(
  pass: LivePass,
  ctx: FinalizedMsgContext,
  transcript: readonly TranscriptEntry[],
  atMs: number,
): void {
  const { turnId, step, lane } = pass.request;
  if (transcript.some((entry) => entry.turnId === turnId && entry.role === "user") || lane.resets !== pass.resets)
    return;
  const media = (ctx.MediaPaths ?? []).map((path, index): TranscriptPart => ({
    type: "media",
    contentType: ctx.MediaTypes?.[index] ?? "application/octet-stream",
    ...(path === "" ? {} : { path }),
  }));
  // In groups the body carries its sender's label already.
  const text = bodyForAgent(ctx);
  const entry: TranscriptEntry = { role: "user", turnId, parts: [{ type: "text", text }, ...media], atMs };
  step.add({
    op: "transcript.append",
    key: pass.sessionKey,
    generation: pass.session?.generation ?? 0,
    entries: [entry],
  });
}

/** What was said, and whether it arrived: never told as delivered when it was not. */
function appendAnswerEntry(pass: LivePass, answer: RunAnswer, atMs: number): void {
  const { turnId, step, lane } = pass.request;
  const { run } = pass;
  if (run === null || lane.resets !== pass.resets) return;
  const entry: TranscriptEntry = {
    role: "assistant",
    turnId,
    parts: answer.text === "" ? [] : [{ type: "text", text: answer.text }],
    atMs,
    outcome: run.outcome,
    deliveryState: run.outcome === "completed" ? (pass.delivery ?? "suppressed") : "failed",
  };
  step.add({
    op: "transcript.append",
    key: pass.sessionKey,
    generation: pass.session?.generation ?? 0,
    entries: [entry],
  });
}
