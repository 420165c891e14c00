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
function lastRouteOf(pass: TurnPass, { turn, sessionKey }: RecordedTurn): UpdateLastRoute | undefined {
  const { reply, route } = turn;
  if (reply === undefined || sessionKey === undefined) return undefined;
  return {
    sessionKey: route?.mainSessionKey ?? sessionKey,
    channel: pass.channel,
    to: reply.to,
    accountId: pass.accountId,
    threadId: reply.messageThreadId,
  };
}

/** The function that records this turn; undefined where nobody does. */
export function recorderOf(ports: KernelPorts, turn: ResolvedTurnBase): RecordInboundSession | undefined {
  return turn.recordInboundSession ?? ports.recordInboundSession;
}

/** Persists metadata and last route. Failures that go to `onRecordError` do not end the turn; a throw of the recorder does. */
export async function recordSession(
  recorder: RecordInboundSession,
  pass: TurnPass,
  recorded: RecordedTurn,
): Promise<void> {
  const { turn, context, tasks } = recorded;
  const options = turn.record ?? {};
  await recorder({
    storePath: turn.storePath ?? "",
    sessionKey: recorded.sessionKey ?? "",
    ctx: context,
    groupResolution: options.groupResolution,
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
