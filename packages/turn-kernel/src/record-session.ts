import type { ResolvedTurnBase } from "./assembled-channel-turn.ts";
import type { FinalizedMsgContext } from "./finalized-msg-context.ts";
import type { KernelPorts } from "./kernel-ports.ts";
import type { RecordInboundSession, UpdateLastRoute } from "./record-inbound-session.ts";
import type { TurnPass } from "./turn-pass.ts";

/** A turn as the record stage sees it. */
export interface RecordedTurn {
  readonly turn: ResolvedTurnBase;
  readonly context: FinalizedMsgContext;
  readonly sessionKey: string | undefined;
  /** Collects tasks that are awaited before finalize. */
  readonly tasks: Promise<unknown>[];
}

/** Where later sends of the session go, when the channel says nothing else: where this reply goes. */
function lastRouteOf(pass: TurnPass, { turn, context, sessionKey }: RecordedTurn): UpdateLastRoute | undefined {
  const { reply, route } = turn;
  if (reply === undefined || sessionKey === undefined) return undefined;
  // A group never moves the main session: its owner's unprompted messages would go to everybody there.
  const isDirect = (turn.conversation?.kind ?? context.ChatType) === "direct";
  return {
    sessionKey: (isDirect ? route?.mainSessionKey : undefined) ?? sessionKey,
    channel: pass.channel,
    to: reply.to,
    accountId: pass.accountId,
    threadId: reply.messageThreadId,
  };
}

/** Which group or channel the session belongs to, when the channel says nothing else: the peer that was routed. */
function groupOf(pass: TurnPass, { conversation }: ResolvedTurnBase): object | undefined {
  if (conversation === undefined || conversation.kind === "direct") return undefined;
  const { kind, id } = conversation.routePeer ?? conversation;
  return { channel: pass.channel, kind, id };
}

/** The function that records this turn; undefined where nobody does. */
export function recorderOf(ports: KernelPorts, turn: ResolvedTurnBase): RecordInboundSession | undefined {
  return turn.recordInboundSession ?? ports.recordInboundSession;
}

/** Persists metadata and last route. Failures that go to `onRecordError` do not end the turn; a throw of the recorder does. */
export function recordSession(recorder: RecordInboundSession, pass: TurnPass, recorded: RecordedTurn): unknown {
  const { turn, context, tasks } = recorded;
  const options = turn.record ?? {};
  return recorder({
    storePath: turn.storePath ?? "",
    sessionKey: recorded.sessionKey ?? "",
    ctx: context,
    groupResolution: options.groupResolution ?? groupOf(pass, turn),
    createIfMissing: options.createIfMissing ?? turn.route?.createIfMissing,
    updateLastRoute: options.updateLastRoute ?? lastRouteOf(pass, recorded),
    onRecordError(error) {
      pass.warn({ reason: "record_failed", error });
      options.onRecordError?.(error);
    },
    trackSessionMetaTask(task) {
      tasks.push(
        task.catch((error: unknown) => {
          pass.warn({ reason: "session_meta_task_failed", error });
        }),
      );
      options.trackSessionMetaTask?.(task);
    },
  });
}
