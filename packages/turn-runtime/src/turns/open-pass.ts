import { TURN_LANE_PREFIX } from "../lanes/lane-driver.ts";
import type { PassEnd, PassRequest } from "../lanes/turn-pass.ts";
import { decideRecovery, type RecoveryDecision } from "./decide-recovery.ts";
import type { LivePass } from "./live-pass.ts";
import { CUT_OFF_TEXT, GIVEN_UP_TEXT } from "./notice-texts.ts";
import { hydrateHistory } from "./pass-history.ts";
import type { TurnEngineOptions } from "./turn-engine-options.ts";
import { historyLimitOf } from "./turn-host.ts";
import { createTurnRecord } from "./turn-record.ts";

/** How often a turn whose account is not running is looked at again, ms. It waits for its account, it does not fail. */
const CHANNEL_RETRY_MS = 5_000;

/** Reason of a dead letter whose runs all ended before they could tell why. */
export const ATTEMPTS_EXHAUSTED = "attempts_exhausted";

/** A pass that is ready for the kernel, or one that recovery has settled already. */
export type OpenedPass =
  | { readonly kind: "open"; readonly pass: LivePass }
  | { readonly kind: "ended"; readonly end: PassEnd }
  /** Its attempts are used up: runs that ended with the process counted as well. */
  | { readonly kind: "exhausted" };

/** Gathers what a pass needs; for a turn that had begun before, the outbox is asked first. */
export async function openPass(request: PassRequest, options: TurnEngineOptions): Promise<OpenedPass> {
  const { store, router, config, clock } = options;
  const { last, step, turnId } = request;
  const channel = options.channel(last.channel, last.accountId);
  if (channel === null) return { kind: "ended", end: { kind: "postponed", delayMs: CHANNEL_RETRY_MS } };

  const journal = request.attempt > 0 ? await store.journal.byTurn(turnId) : [];
  const recovery: RecoveryDecision =
    request.attempt > 0
      ? decideRecovery({ outbox: await store.outbox.byTurn(turnId), journal, policy: config.agentDefaults.recovery })
      : { kind: "run", resume: null, draft: null };
  if (recovery.kind === "answered") return { kind: "ended", end: { kind: "done", reason: "answered_before" } };

  const sessionKey = last.laneKey.slice(TURN_LANE_PREFIX.length);
  const route = router.resolve({
    channel: channel.id,
    accountId: channel.accountId,
    peer: last.routePeer,
    threadId: last.threadId,
  });
  const head = {
    turnId,
    sessionKey,
    channel: channel.id,
    accountId: channel.accountId,
    messageId: last.messageId,
    attempt: request.attempt + 1,
    pass: request.resumed ? ("run" as const) : ("admission" as const),
    startedAtMs: clock.now(),
  };
  const pass: LivePass = {
    request,
    channel,
    sessionKey,
    record: createTurnRecord(head, options.onTurnEvent),
    history: await hydrateHistory({ store: store.history, row: last, limit: historyLimitOf(options, channel), step }),
    resume: recovery.kind === "run" ? recovery.resume : null,
    journal,
    adoptDraft: recovery.draft,
    resets: request.lane.resets,
    agent: config.agents.find((agent) => agent.id === route?.agentId) ?? null,
    resolved: null,
    context: null,
    session: null,
    command: null,
    answer: null,
    observeOnly: false,
    draft: null,
    run: null,
    pushed: 0,
    delivery: null,
    deliveryError: undefined,
  };
  if (recovery.kind === "notice") {
    await tellCutOff(pass, options, { draft: recovery.draft, text: CUT_OFF_TEXT });
    return { kind: "ended", end: { kind: "done", reason: "interrupted" } };
  }
  if (request.attempt >= config.agentDefaults.maxAttempts) {
    if (recovery.draft === null) return { kind: "exhausted" };
    await tellCutOff(pass, options, { draft: recovery.draft, text: GIVEN_UP_TEXT });
    return { kind: "ended", end: { kind: "dead", reason: ATTEMPTS_EXHAUSTED } };
  }
  request.begin();
  if (request.attempt > 0) {
    // Parts that the attempt before had planned and never tried are planned anew by this one. Stored at once, so that
    // a message that kills the process counts its attempts even when each run dies before it has anything to store.
    step.add({ op: "outbox.supersede", turnId });
    await step.flush();
  }
  return { kind: "open", pass };
}

/** Ends what was cut off: in its draft where one stands, else by a message. */
async function tellCutOff(
  pass: LivePass,
  { outbox }: TurnEngineOptions,
  { draft, text }: { readonly draft: string | null; readonly text: string },
): Promise<void> {
  const { channel, request, sessionKey } = pass;
  const { last, turnId } = request;
  const target = { to: last.replyTarget, chatKind: last.routePeer.kind, threadId: last.threadId } as const;
  const editOf = draft ?? undefined;
  await outbox.send({
    channel: channel.id,
    accountId: channel.accountId,
    target,
    parts: channel.render({ text }, { target, mode: "final", editOf }),
    purpose: "final",
    turnId,
    sessionKey,
    step: request.step,
  });
}
