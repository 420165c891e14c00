import type { ChannelDeliveryResult, DeliveryOutcome, DurableDelivery, KernelPorts } from "@turnwire/turn-kernel";
import { TurnwireError, type DeliveryState, type OutboundPart, type OutboundTarget } from "@turnwire/turn-ports";

import { replyTargetOf, type LivePass } from "./live-pass.ts";
import type { TurnDeliveryReport, TurnOutbox } from "./turn-outbox.ts";

type DeliverRequest = Parameters<DurableDelivery["deliver"]>[0];

/** Delivery of a turn's payloads and parts through the outbox. */
export function createDurableDelivery(
  outbox: TurnOutbox,
  passOf: (turnId: string) => LivePass | null,
): NonNullable<KernelPorts["durableDelivery"]> {
  return {
    deliver(request) {
      const pass = passOf(request.turn.turnId);
      if (pass === null) return Promise.reject(unknownTurn(request.turn.turnId));
      return deliverPayload(pass, outbox, request);
    },
    async sendPart({ turn, part, target }): Promise<DeliveryOutcome> {
      const pass = passOf(turn.turnId);
      if (pass === null) throw unknownTurn(turn.turnId);
      const { to, threadId, replyToId, silent } = target;
      const full: OutboundTarget = { ...replyTargetOf(pass), to, threadId, replyToId, silent };
      // The kernel does not look into parts: a prepared dispatcher's part is the one that its own channel made.
      const report = await send(pass, outbox, { parts: [part as OutboundPart], target: full, purpose: "block" });
      return outcomeOf(report);
    },
  };
}

async function deliverPayload(
  pass: LivePass,
  outbox: TurnOutbox,
  request: DeliverRequest,
): Promise<ChannelDeliveryResult> {
  const { payload, info, options } = request;
  const { scope } = pass.request;
  if (scope.signal.aborted && info.kind !== "final") return { visibleReplySent: false };
  pass.pushed += 1;
  const target = targetOf(pass, request);
  const purpose = info.kind === "final" ? "final" : info.kind;
  // The draft is the message: its final text is an edit of it.
  const draftId = info.kind === "final" && pass.draft !== null ? await pass.draft.finish() : null;

  let report: TurnDeliveryReport;
  if (draftId === null) {
    report = await send(pass, outbox, {
      parts: pass.channel.render(payload, { target, mode: "final" }),
      target,
      purpose,
    });
  } else {
    const parts = pass.channel.render(payload, { target, mode: "final", editOf: draftId });
    report = await send(pass, outbox, { parts, target, purpose });
    // Only now is the edit proven impossible: the message is gone, or may not be edited any more.
    if (report.parts[0]?.status === "rejected") {
      report = await send(pass, outbox, {
        parts: pass.channel.render(payload, { target, mode: "final" }),
        target,
        purpose,
      });
    }
  }
  const { receipt } = report;
  return {
    ...(receipt === undefined ? {} : { receipt, messageIds: receipt.platformMessageIds }),
    threadId: options.threadId ?? target.threadId,
    replyToId: target.replyToId,
    visibleReplySent: report.parts.some((part) => part.status === "sent"),
  };
}

async function send(
  pass: LivePass,
  outbox: TurnOutbox,
  what: {
    readonly parts: readonly OutboundPart[];
    readonly target: OutboundTarget;
    readonly purpose: "final" | "block" | "tool";
  },
): Promise<TurnDeliveryReport> {
  const { channel, request } = pass;
  let report: TurnDeliveryReport;
  try {
    report = await outbox.send({
      channel: channel.id,
      accountId: channel.accountId,
      turnId: request.turnId,
      sessionKey: pass.sessionKey,
      step: request.step,
      ...what,
    });
  } catch (error) {
    // The dispatcher reports it and stops; the turn must not count as answered.
    pass.deliveryError = error;
    throw error;
  }
  pass.delivery = deliveryStateOf(report);
  return report;
}

/** Where a payload goes: the turn's own target, narrowed by what the adapter asks for and the account's reply mode. */
function targetOf(pass: LivePass, { payload, options }: DeliverRequest): OutboundTarget {
  const base = replyTargetOf(pass);
  const mode = options.replyToMode ?? pass.channel.account.replyToMode;
  const anchor = options.replyToId ?? pass.resolved?.reply?.replyToId ?? pass.request.last.messageId;
  const isAnchored = mode === "all" || (mode === "first" && pass.pushed === 1);
  const replyToId = payload.replyToId ?? (isAnchored && pass.channel.capabilities.replies ? anchor : undefined);
  const threadId = options.threadId ?? base.threadId;
  return {
    to: options.to ?? base.to,
    chatKind: base.chatKind,
    ...(threadId === undefined ? {} : { threadId }),
    ...(replyToId === undefined ? {} : { replyToId }),
    ...(options.silent === undefined ? {} : { silent: options.silent }),
  };
}

function deliveryStateOf(report: TurnDeliveryReport): DeliveryState {
  const statuses = new Set(report.parts.map((part) => part.status));
  if (statuses.has("rejected") || statuses.has("given_up")) return "failed";
  if (statuses.has("unknown")) return "unknown";
  return statuses.has("queued") || statuses.has("sending") ? "pending" : "delivered";
}

function outcomeOf(report: TurnDeliveryReport): DeliveryOutcome {
  const [part] = report.parts;
  if (report.receipt !== undefined) return { kind: "sent", receipt: report.receipt };
  const error = new TurnwireError({
    code: part?.status === "rejected" ? "send_rejected" : "send_pending",
    message: "The platform has not confirmed a part; the outbox has it and its state.",
  });
  return part?.status === "rejected" ? { kind: "rejected", error } : { kind: "unknown", error };
}

function unknownTurn(turnId: string): TurnwireError {
  return new TurnwireError({
    code: "turn_unknown",
    message: `Turn ${turnId} tried to deliver although no pass of it is under way; deliver within the turn.`,
  });
}
