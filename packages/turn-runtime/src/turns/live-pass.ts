import type { ChannelTurnResolved, FinalizedMsgContext } from "@turnwire/turn-kernel";
import type {
  AgentResume,
  Channel,
  DeliveryState,
  OutboundTarget,
  SessionRow,
  ToolJournalEntry,
} from "@turnwire/turn-ports";

import type { ParsedCommand } from "../commands/parse-command.ts";
import type { RuntimeAgent } from "../config/runtime-config.ts";
import type { LaneAnswer, PassRequest } from "../lanes/turn-pass.ts";
import type { LiveDraft } from "./live-draft.ts";
import type { PassHistory } from "./pass-history.ts";
import type { TurnRecord } from "./turn-record.ts";

/** How the agent's part of a turn ended. */
export interface RunOutcome {
  readonly outcome: "completed" | "failed" | "timed_out" | "cancelled" | "interrupted";
  readonly code?: string | undefined;
  /** A failed run that showed nothing and changed nothing is worth another attempt. */
  readonly isRetryable: boolean;
}

/** One pass of a turn while it is under way: what its stages, its agent and its delivery share. */
export interface LivePass {
  readonly request: PassRequest;
  readonly channel: Channel;
  readonly sessionKey: string;
  readonly record: TurnRecord;
  readonly history: PassHistory;
  readonly resume: AgentResume | null;
  /** Tool calls of the attempts before this one. */
  readonly journal: readonly ToolJournalEntry[];
  /** A draft that an attempt before this one left in the chat: this one goes on in it. */
  readonly adoptDraft: string | null;
  /** The lane's `resets` when the session was read: after another one its words belong to a conversation that is over. */
  resets: number;
  resolved: ChannelTurnResolved | null;
  context: FinalizedMsgContext | null;
  agent: RuntimeAgent | null;
  session: SessionRow | null;
  command: ParsedCommand | null;
  answer: LaneAnswer | null;
  observeOnly: boolean;
  draft: LiveDraft | null;
  run: RunOutcome | null;
  /** Blocks that were handed to delivery. */
  pushed: number;
  delivery: DeliveryState | null;
  /** Why a block could not be handed to the outbox. */
  deliveryError: unknown;
}

/** True when nothing of the pass may be seen: no draft, no typing. */
export function isHidden(pass: LivePass): boolean {
  return pass.observeOnly || pass.resolved?.reply?.sourceReplyDeliveryMode === "none";
}

/** Where answers of the pass go: taken from the event, never from the session. */
export function replyTargetOf(pass: LivePass): OutboundTarget {
  const { last } = pass.request;
  const reply = pass.resolved?.reply;
  const threadId = reply?.messageThreadId ?? last.threadId;
  return {
    to: reply?.replyTarget ?? reply?.to ?? last.replyTarget,
    chatKind: last.routePeer.kind,
    ...(threadId === undefined ? {} : { threadId }),
  };
}

/** The text that the model reads. */
export function bodyForAgent(context: FinalizedMsgContext): string {
  return context.BodyForAgent ?? context.CommandBody ?? context.RawBody ?? context.Body ?? "";
}

/** The text that commands are read from. */
export function bodyForCommands(context: FinalizedMsgContext): string {
  return context.BodyForCommands ?? context.CommandBody ?? context.RawBody ?? context.Body ?? "";
}

/** Who speaks, for people and models. */
export function senderLabelOf(context: FinalizedMsgContext): string {
  return context.SenderName ?? context.SenderUsername ?? context.SenderTag ?? context.SenderId ?? "someone";
}
