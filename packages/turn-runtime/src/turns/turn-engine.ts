import { accessSync, constants } from "node:fs";

import { decideAccess } from "@turnwire/adapter-kit";
import {
  createBufferedBlockDispatcher,
  createChannelHistoryWindow,
  createTurnKernel,
  type ChannelTurnResult,
  type HistoryEntry,
  type PluginRuntime,
  type ReplyFunction,
  type TurnAtDispatch,
  type TurnKernel,
} from "@turnwire/turn-kernel";

import type { DeliveryState } from "@turnwire/turn-ports";

import { parseCommand } from "../commands/parse-command.ts";
import type { ArrivedText, PassEnd, PassRequest, TurnPasses } from "../lanes/turn-pass.ts";
import { decidePassEnd } from "./decide-pass-end.ts";
import { createDurableDelivery } from "./deliver-payload.ts";
import { bodyForAgent, bodyForCommands, senderLabelOf, type LivePass } from "./live-pass.ts";
import { GIVEN_UP_TEXT } from "./notice-texts.ts";
import { ATTEMPTS_EXHAUSTED, openPass } from "./open-pass.ts";
import { createPassAdapter } from "./pass-adapter.ts";
import { sendPairingNotice } from "./pairing-notice.ts";
import { createPluginRuntime } from "./plugin-runtime.ts";
import { runAgent } from "./run-agent.ts";
import { runCommand } from "./run-command.ts";
import type { TurnEngineOptions } from "./turn-engine-options.ts";
import { createTurnHost } from "./turn-host.ts";

/** Runs turns on the kernel. */
export interface TurnEngine extends TurnPasses {
  readonly kernel: TurnKernel;
  readonly pluginRuntime: PluginRuntime;
  /** Passes of this account that are under way. */
  activeOf(channelId: string, accountId: string): number;
}

/** An answer that was given, or deliberately not: the history that it was asked with is used up. */
const ANSWERED: ReadonlySet<DeliveryState> = new Set(["delivered", "pending", "suppressed"]);

/** Longest summary of a dropped message, characters: it stays one line on a phone. */
const LINE_CHARS = 80;

/** One kernel for all turns; what belongs to a single pass is found by its turn id. */
export function createTurnEngine(options: TurnEngineOptions): TurnEngine {
  const { store, outbox, router, clock, ids, log, telemetry, config } = options;
  const live = new Map<string, LivePass>();
  const told = new WeakSet<PassRequest>();
  const passOf = (turnId: string): LivePass | null => live.get(turnId) ?? null;

  const reply: ReplyFunction = async (ctx, sink, controls) => {
    const pass = passOf(controls.turnId);
    if (pass === null) return;
    if (pass.command === null) await runAgent(pass, options, { ctx, sink, controls });
    else await runCommand(pass, options, { command: pass.command, ctx, sink });
  };

  const kernel = createTurnKernel({
    clock,
    ids,
    beforeDispatch: (turn) => queue(turn),
    durableDelivery: createDurableDelivery(outbox, passOf),
    history: createChannelHistoryWindow({ maxKeys: 1, isReadable, onRecord: recordHistory }),
    reply,
  });
  const dispatcher = createBufferedBlockDispatcher({ reply, clock });
  const pluginRuntime = createPluginRuntime({ kernel, dispatcher, store, router, log });

  /** What the kernel remembers of a dropped group message is stored with the end of its pass. */
  function recordHistory(historyKey: string, entry: HistoryEntry, limit: number): void {
    const write = { op: "history.append", historyKey, entry, limit } as const;
    const pass = [...live.values()].find((candidate) => candidate.history.key === historyKey);
    if (pass !== undefined) {
      pass.request.step.add(write);
      return;
    }
    store.commit([], [write]).catch((error: unknown) => {
      log.warn({ error }, "a message of a group could not be remembered");
    });
  }

  /** The lane's decision, asked for at the entry of dispatch: after authorize and record. */
  async function queue(
    turn: TurnAtDispatch,
  ): Promise<
    { readonly kind: "run" } | { readonly kind: "deferred"; readonly mode: "steer" | "followup" | "collect" }
  > {
    const pass = passOf(turn.turnId);
    // A turn that a plugin runs by itself has no lane.
    if (pass === null) return { kind: "run" };
    pass.context = turn.ctxPayload;
    pass.observeOnly = turn.admission.kind === "observeOnly";
    await readSession(pass);
    pass.command = pass.observeOnly ? null : parseCommand(bodyForCommands(turn.ctxPayload));
    if (pass.command !== null) {
      pass.request.lane.passBy();
      return { kind: "run" };
    }
    pass.answer = await pass.request.lane.arrive(arrivedText(pass));
    return pass.answer;
  }

  /** Reads the session so that it and the lane's `resets` belong together. */
  async function readSession(pass: LivePass): Promise<void> {
    const { lane } = pass.request;
    do {
      pass.resets = lane.resets;
      await lane.untilReset();
      pass.session = await store.sessions.get(pass.sessionKey);
    } while (pass.resets !== lane.resets);
  }

  async function run(request: PassRequest): Promise<PassEnd> {
    const opened = await openPass(request, options);
    if (opened.kind === "ended") return opened.end;
    if (opened.kind === "exhausted") {
      await giveUp(request);
      return { kind: "dead", reason: ATTEMPTS_EXHAUSTED };
    }
    const { pass } = opened;
    const { channel } = pass;
    live.set(request.turnId, pass);
    const host = createTurnHost(options, { channel, row: request.last, history: pass.history, runtime: pluginRuntime });
    let result: ChannelTurnResult | null = null;
    let error: unknown;
    try {
      await kernel.run({
        channel: channel.id,
        accountId: channel.accountId,
        raw: { events: request.rows.map((row) => row.raw) },
        adapter: createPassAdapter(channel.turnAdapter(host), pass, (finalized) => (result = finalized)),
        turnId: request.turnId,
        attempt: request.attempt,
        resumed: request.resumed,
        scope: request.scope,
        log: pass.record.log,
      });
    } catch (thrown) {
      error = thrown;
    } finally {
      live.delete(request.turnId);
    }
    await request.scope.release();
    return settle(pass, result, error);
  }

  async function settle(pass: LivePass, result: ChannelTurnResult | null, error: unknown): Promise<PassEnd> {
    const { request } = pass;
    const fault = error ?? pass.deliveryError ?? result?.error;
    const run = pass.deliveryError === undefined ? pass.run : null;
    const end = decidePassEnd({ result, error: fault, isAborted: request.scope.signal.aborted, run });
    if (fault !== undefined)
      log.warn({ turnId: request.turnId, stage: result?.failedStage, error: fault }, "a turn failed in a stage");
    // Only an agent that was shown the history has answered it.
    if (run?.outcome === "completed" && pass.delivery !== null && ANSWERED.has(pass.delivery))
      pass.history.clearShown();
    if (end.kind === "handled" && end.reason === "pairing_required")
      await sendPairingNotice(pass, options, pass.context);
    if (run?.outcome === "failed" && !(run.isRetryable && request.attempt + 1 < config.agentDefaults.maxAttempts))
      told.add(request);
    telemetry.count("turns_total", { end: end.kind, channel: pass.channel.id });
    const reason = "reason" in end ? end.reason : undefined;
    request.step.add({
      op: "turn.put",
      turn: pass.record.row({
        endedAtMs: clock.now(),
        reason,
        outcome: run?.outcome ?? end.kind,
        ...(fault === undefined ? {} : { error: fault }),
      }),
    });
    return end;
  }

  async function giveUp(request: PassRequest): Promise<void> {
    const { last } = request;
    const channel = options.channel(last.channel, last.accountId);
    if (channel === null || last.routePeer.kind !== "direct" || told.has(request)) return;
    const pairing = await store.pairings.find(channel.id, channel.accountId, last.senderId);
    const { dm } = decideAccess({
      channel: channel.id,
      account: channel.account,
      sender: { id: last.senderId },
      conversation: { kind: "direct", id: last.routePeer.id },
      paired: pairing?.status === "approved",
      owners: config.commands.owners,
    });
    // Whoever may not talk to the agent hears nothing from it, not even that it failed.
    if (dm?.decision !== "allow") return;
    const target = { to: last.replyTarget, chatKind: "direct", threadId: last.threadId } as const;
    await outbox.send({
      channel: channel.id,
      accountId: channel.accountId,
      target,
      parts: channel.render({ text: GIVEN_UP_TEXT }, { target, mode: "final" }),
      purpose: "notice",
      turnId: request.turnId,
    });
  }

  return {
    kernel,
    pluginRuntime,
    activeOf: (channelId, accountId) =>
      [...live.values()].filter(({ channel }) => channel.id === channelId && channel.accountId === accountId).length,
    run,
    giveUp,
  };
}

/** What waits of a message: its words, where they fit into a steering message, and one line of them. */
function arrivedText(pass: LivePass): ArrivedText {
  const { context, session, request } = pass;
  const queueMode = session?.settings.queueMode;
  if (context === null) return { steer: null, line: "", queueMode };
  const body = bodyForAgent(context);
  const senderLabel = senderLabelOf(context);
  const hasMedia =
    (context.MediaPaths?.length ?? 0) + (context.MediaUrls?.length ?? 0) > 0 ||
    request.rows.some((row) => row.kind === "media");
  const isDirect = request.last.routePeer.kind === "direct";
  const oneLine = body.replaceAll(/\s+/gu, " ").trim();
  return {
    steer: hasMedia ? null : { messageId: request.last.messageId, body, senderLabel },
    // In groups the body carries its sender's label already.
    line: `${isDirect ? `${senderLabel}: ` : ""}${Array.from(oneLine).slice(0, LINE_CHARS).join("")}`,
    queueMode,
  };
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
