import { accessDetail } from "./access-detail.ts";
import type { ChannelEventClass } from "./channel-event-class.ts";
import type { ChannelTurnResolved } from "./channel-turn-adapter.ts";
import type { ChannelTurnResult } from "./channel-turn-result.ts";
import { checkClassify, checkIngest, checkPreflight, checkResolved } from "./check-adapter-shapes.ts";
import { decideAuthorization } from "./decide-authorization.ts";
import { freezeFacts } from "./freeze-facts.ts";
import { isPromise } from "./is-promise.ts";
import type { KernelPorts } from "./kernel-ports.ts";
import { mergeFacts } from "./merge-facts.ts";
import type { NormalizedTurnInput } from "./normalized-turn-input.ts";
import type { PreflightFacts } from "./preflight-facts.ts";
import { type DroppedMessage, recordHistory } from "./record-history.ts";
import type { RunTurnParams } from "./turn-params.ts";
import { TurnPass } from "./turn-pass.ts";
import { TurnRun } from "./turn-run.ts";

/** An event without a classifier is a message that may start a turn. */
const DEFAULT_CLASS: ChannelEventClass = Object.freeze({ kind: "message", canStartAgentTurn: true });

const NO_FACTS: PreflightFacts = Object.freeze({});

/**
 * All nine stages, driven by an adapter. A throw of a callback leaves unchanged, after finalize. Only promises are
 * awaited: a callback that answers at once costs no turn of the microtask queue.
 */
export async function runTurn<TRaw>(ports: KernelPorts, params: RunTurnParams<TRaw>): Promise<ChannelTurnResult> {
  const { adapter } = params;
  const pass = new TurnPass(ports, params);
  const run = new TurnRun(ports, pass);
  const onFinalize =
    adapter.onFinalize === undefined ? undefined : (result: ChannelTurnResult) => adapter.onFinalize?.(result);
  try {
    pass.start("ingest");
    const ingesting = adapter.ingest(params.raw);
    const input = ingested(run, isPromise(ingesting) ? await ingesting : ingesting);
    if (input === null) return await run.finalize(onFinalize);

    let eventClass = DEFAULT_CLASS;
    if (adapter.classify === undefined) pass.skip("classify");
    else {
      pass.start("classify");
      const classifying = adapter.classify(input);
      eventClass = checkClassify(isPromise(classifying) ? await classifying : classifying);
      // Once for the event: a later pass or attempt finds it acknowledged.
      const acking = eventClass.requiresImmediateAck === true && !pass.resumed ? adapter.ack?.(input) : undefined;
      if (isPromise(acking)) await acking;
      if (!classified(run, eventClass)) return await run.finalize(onFinalize);
    }

    let facts = NO_FACTS;
    if (adapter.preflight === undefined) pass.skip("preflight");
    else {
      pass.start("preflight");
      const checking = adapter.preflight(input, eventClass, pass);
      facts = checkPreflight(isPromise(checking) ? await checking : checking);
      if (!preflighted(run, facts)) {
        await remember(run, { input, preflight: facts, resolved: null });
        return await run.finalize(onFinalize);
      }
    }

    pass.start("resolve");
    const resolving = adapter.resolveTurn(input, eventClass, facts, pass);
    const turn = resolved(run, { input, facts, value: isPromise(resolving) ? await resolving : resolving });
    if (run.isBlocked || !authorized(run, turn, { eventClass, facts })) {
      await remember(run, { input, preflight: facts, resolved: turn });
      return await run.finalize(onFinalize);
    }

    const context = run.assemble(turn);
    const recording = run.record(turn, context);
    if (isPromise(recording)) await recording;
    run.recorded();
    await run.dispatch(turn, context, facts.command);
  } catch (error) {
    await run.fail(error);
  }
  const ending = run.finalize(onFinalize);
  return isPromise(ending) ? await ending : ending;
}

/** The end of ingest; null ends the turn. */
function ingested(run: TurnRun, value: unknown): NormalizedTurnInput | null {
  const { pass, ports } = run;
  const input = checkIngest(value);
  if (input === null) {
    run.block({ kind: "drop", reason: "ingest_null" });
    return null;
  }
  pass.messageId = input.id;
  if (ports.freezeFacts === true) freezeFacts(input);
  pass.end("done");
  return input;
}

/** The end of classify; false ends the turn. */
function classified(run: TurnRun, { kind, canStartAgentTurn }: ChannelEventClass): boolean {
  if (canStartAgentTurn) run.pass.end("done");
  else run.block({ kind: "handled", reason: `event:${kind}` });
  return canStartAgentTurn;
}

/** The end of preflight; false ends the turn. */
function preflighted(run: TurnRun, facts: PreflightFacts): boolean {
  const { pass, ports } = run;
  if (ports.freezeFacts === true) freezeFacts(facts);
  const { admission } = facts;
  if (admission?.kind === "drop" || admission?.kind === "handled") {
    run.block(admission);
    return false;
  }
  if (admission !== undefined) pass.admission = admission;
  pass.end("done");
  return true;
}

/** The end of resolve: the turn with what preflight knew, blocked where resolve itself says so. */
function resolved(
  run: TurnRun,
  given: { readonly input: NormalizedTurnInput; readonly facts: PreflightFacts; readonly value: unknown },
): ChannelTurnResolved {
  const { pass, ports } = run;
  const checked = checkResolved(given.value);
  if (ports.freezeFacts === true) freezeFacts(checked);
  const turn = mergeFacts(given.input, given.facts, checked);
  pass.accountId = turn.accountId ?? turn.route?.accountId ?? pass.accountId;
  pass.sessionKey = turn.route?.routeSessionKey ?? turn.routeSessionKey;
  pass.preview = turn.message?.preview;
  run.routeSessionKey = pass.sessionKey;
  const { admission } = checked;
  if (admission !== undefined) pass.admission = admission;
  if (admission?.kind === "drop" || admission?.kind === "handled") run.block(admission);
  else pass.end("done");
  return turn;
}

/** Authorize; false ends the turn. */
function authorized(
  run: TurnRun,
  { access, sender, conversation }: ChannelTurnResolved,
  { eventClass, facts }: { readonly eventClass: ChannelEventClass; readonly facts: PreflightFacts },
): boolean {
  run.pass.start("authorize");
  const isNativeCommand = eventClass.kind === "command";
  const isCommand = isNativeCommand || facts.command !== undefined;
  const { command } = facts;
  const blocked = decideAuthorization({ access, sender, conversation, isCommand, isNativeCommand, command });
  if (blocked === null) run.pass.end("done");
  else run.block(blocked, accessDetail(blocked, access));
  return blocked === null;
}

/** A dropped message that is to be remembered is, once: the resumed pass has nothing to add. A failure of it ends no turn. */
async function remember(run: TurnRun, dropped: DroppedMessage): Promise<void> {
  const { pass, ports } = run;
  if (pass.resumed || pass.admission?.kind !== "drop" || pass.admission.recordHistory !== true) return;
  try {
    await recordHistory(ports, dropped);
  } catch (error) {
    pass.warn({ reason: "history_not_recorded", error });
  }
}
