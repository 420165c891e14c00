import type { ChannelEventClass } from "./channel-event-class.ts";
import type { ChannelTurnAdapter, TurnPassContext } from "./channel-turn-adapter.ts";
import type { ChannelTurnResult } from "./channel-turn-result.ts";
import { checkClassify, checkIngest, checkPreflight, checkResolved } from "./check-adapter-shapes.ts";
import { decideAuthorization } from "./decide-authorization.ts";
import { freezeFacts } from "./freeze-facts.ts";
import { isPromise } from "./is-promise.ts";
import type { KernelPorts } from "./kernel-ports.ts";
import { mergeFacts } from "./merge-facts.ts";
import type { NormalizedTurnInput } from "./normalized-turn-input.ts";
import type { PreflightFacts } from "./preflight-facts.ts";
import { recordHistory } from "./record-history.ts";
import type { RunTurnParams } from "./turn-params.ts";
import { TurnPass } from "./turn-pass.ts";
import { TurnRun } from "./turn-run.ts";

/** An event without a classifier is a message that may start a turn. */
const DEFAULT_CLASS: ChannelEventClass = Object.freeze({ kind: "message", canStartAgentTurn: true });

const NO_FACTS: PreflightFacts = Object.freeze({});

/** All nine stages, driven by an adapter. A throw of a callback leaves unchanged, after finalize. */
export async function runTurn<TRaw>(ports: KernelPorts, params: RunTurnParams<TRaw>): Promise<ChannelTurnResult> {
  const { adapter, raw } = params;
  const pass = new TurnPass(ports, params);
  const run = new TurnRun(ports, pass);
  try {
    await runStages(run, adapter, raw);
  } catch (error) {
    run.fail(error);
  }
  return run.finalize(adapter.onFinalize === undefined ? undefined : (result) => adapter.onFinalize?.(result));
}

async function runStages<TRaw>(run: TurnRun, adapter: ChannelTurnAdapter<TRaw>, raw: TRaw): Promise<void> {
  const { pass, ports } = run;

  pass.start("ingest");
  const ingesting = adapter.ingest(raw);
  const input = checkIngest(isPromise(ingesting) ? await ingesting : ingesting);
  if (input === null) {
    run.block({ kind: "drop", reason: "ingest_null" });
    return;
  }
  pass.messageId = input.id;
  if (ports.freezeFacts === true) freezeFacts(input);
  pass.end("done");

  const eventClass = await classify(run, adapter, input);
  if (eventClass === null) return;

  const context: TurnPassContext = {
    turnId: pass.turnId,
    attempt: pass.attempt,
    resumed: pass.resumed,
    signal: pass.scope.signal,
  };
  const preflight = await runPreflight(run, adapter, { input, eventClass, context });
  if (preflight === null) return;

  pass.start("resolve");
  const resolving = adapter.resolveTurn(input, eventClass, preflight, context);
  const resolved = checkResolved(isPromise(resolving) ? await resolving : resolving);
  if (ports.freezeFacts === true) freezeFacts(resolved);
  const turn = mergeFacts(preflight, resolved);
  pass.accountId = turn.accountId ?? turn.route?.accountId ?? pass.accountId;
  pass.sessionKey = turn.route?.routeSessionKey ?? turn.routeSessionKey;
  pass.preview = turn.message?.preview;
  run.routeSessionKey = pass.sessionKey;
  if (resolved.admission !== undefined) pass.admission = resolved.admission;
  if (resolved.admission?.kind === "drop" || resolved.admission?.kind === "handled") {
    run.block(resolved.admission);
    await remember(run, { input, preflight, resolved: turn });
    return;
  }
  pass.end("done");

  pass.start("authorize");
  const blocked = decideAuthorization({
    access: turn.access,
    sender: turn.sender,
    conversation: turn.conversation,
    isCommand: eventClass.kind === "command" || preflight.command !== undefined,
    command: preflight.command,
  });
  if (blocked !== null) {
    run.block(blocked);
    await remember(run, { input, preflight, resolved: turn });
    return;
  }
  pass.end("done");

  const assembled = run.assemble({
    ...turn,
    messageId: turn.messageId ?? input.id,
    timestamp: turn.timestamp ?? input.timestamp,
  });
  await run.record(turn, assembled);
  await run.dispatch(turn, assembled, preflight.command);
}

async function classify<TRaw>(
  run: TurnRun,
  adapter: ChannelTurnAdapter<TRaw>,
  input: NormalizedTurnInput,
): Promise<ChannelEventClass | null> {
  const { pass } = run;
  if (adapter.classify === undefined) {
    pass.skip("classify");
    return DEFAULT_CLASS;
  }
  pass.start("classify");
  const classifying = adapter.classify(input);
  const eventClass = checkClassify(isPromise(classifying) ? await classifying : classifying);
  if (eventClass.requiresImmediateAck === true && adapter.ack !== undefined) await adapter.ack(input);
  if (!eventClass.canStartAgentTurn) {
    run.block({ kind: "handled", reason: `event:${eventClass.kind}` });
    return null;
  }
  pass.end("done");
  return eventClass;
}

async function runPreflight<TRaw>(
  run: TurnRun,
  adapter: ChannelTurnAdapter<TRaw>,
  {
    input,
    eventClass,
    context,
  }: { readonly input: NormalizedTurnInput; readonly eventClass: ChannelEventClass; readonly context: TurnPassContext },
): Promise<PreflightFacts | null> {
  const { pass, ports } = run;
  if (adapter.preflight === undefined) {
    pass.skip("preflight");
    return NO_FACTS;
  }
  pass.start("preflight");
  const checking = adapter.preflight(input, eventClass, context);
  const facts = checkPreflight(isPromise(checking) ? await checking : checking);
  if (ports.freezeFacts === true) freezeFacts(facts);
  const { admission } = facts;
  if (admission?.kind === "drop" || admission?.kind === "handled") {
    run.block(admission);
    await remember(run, { input, preflight: facts, resolved: null });
    return null;
  }
  if (admission !== undefined) pass.admission = admission;
  pass.end("done");
  return facts;
}

/** A dropped message that is to be remembered is, once: the resumed pass has nothing to add. A failure of it ends no turn. */
async function remember(run: TurnRun, dropped: Parameters<typeof recordHistory>[1]): Promise<void> {
  const { pass, ports } = run;
  if (pass.resumed || pass.admission?.kind !== "drop" || pass.admission.recordHistory !== true) return;
  try {
    await recordHistory(ports, dropped);
  } catch (error) {
    pass.warn({ reason: "history_not_recorded", error });
  }
}
