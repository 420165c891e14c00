import type { AssembledChannelTurn, ResolvedTurnBase } from "./assembled-channel-turn.ts";
import { buildContext } from "./build-context.ts";
import type { ChannelTurnAdmission } from "./channel-turn-admission.ts";
import type { ChannelTurnResult } from "./channel-turn-result.ts";
import { canObserve, dispatchTurn, EMPTY_DISPATCH_RESULT } from "./dispatch-turn.ts";
import type { FinalizedMsgContext } from "./finalized-msg-context.ts";
import { isPromise } from "./is-promise.ts";
import type { KernelPorts, TurnAtDispatch } from "./kernel-ports.ts";
import type { PreflightCommand } from "./preflight-facts.ts";
import type { PreparedChannelTurn } from "./prepared-channel-turn.ts";
import type { RecordInboundSession } from "./record-inbound-session.ts";
import { type RecordedTurn, recorderOf, recordSession } from "./record-session.ts";
import type { DispatchResult } from "./reply-dispatcher.ts";
import type { TurnPass } from "./turn-pass.ts";
import type { TurnStage } from "./turn-stage.ts";

/** Thrown nowhere: the mark of a throw that has to leave the kernel unchanged. */
interface Failure {
  readonly error: unknown;
  readonly stage: TurnStage;
}

/** A resolved turn of either kind. */
export type DispatchableTurn = AssembledChannelTurn | PreparedChannelTurn;

/** The state of one pass from record to finalize, shared by all entry points. */
export class TurnRun {
  readonly ports: KernelPorts;
  readonly pass: TurnPass;
  context: FinalizedMsgContext | undefined;
  routeSessionKey: string | undefined;
  #isBlocked = false;
  #dispatched = false;
  #dispatchResult: DispatchResult | undefined;
  #failure: Failure | null = null;
  #tasks: Promise<unknown>[] | null = null;

  constructor(ports: KernelPorts, pass: TurnPass) {
    this.ports = ports;
    this.pass = pass;
  }

  /** True once an admission has ended the turn. */
  get isBlocked(): boolean {
    return this.#isBlocked;
  }

  /** Ends the stage and the turn by an admission that goes no further. */
  block(admission: ChannelTurnAdmission, detail?: string): void {
    this.#isBlocked = true;
    this.pass.admission = admission;
    this.pass.end(admission.kind === "drop" ? "drop" : "handled", { reason: admission.reason, detail });
  }

  /** Facts to the context, or the finished context as it is. */
  assemble(turn: ResolvedTurnBase): FinalizedMsgContext {
    const { pass } = this;
    pass.start("assemble");
    const context =
      turn.ctxPayload === undefined
        ? buildContext({ ...turn, channel: turn.channel ?? pass.channel, accountId: turn.accountId ?? pass.accountId })
        : Object.freeze(turn.ctxPayload);
    this.context = context;
    pass.end("done");
    return context;
  }

  /** Session metadata and last route; null when nobody records. */
  record(turn: ResolvedTurnBase, context: FinalizedMsgContext): Promise<void> | null {
    const { pass, ports } = this;
    const { route } = turn;
    this.routeSessionKey = route?.routeSessionKey ?? turn.routeSessionKey ?? context.SessionKey;
    pass.sessionKey = this.routeSessionKey;
    const recorder = recorderOf(ports, turn);
    if (recorder === undefined) {
      pass.skip("record");
      return null;
    }
    pass.start("record");
    const sessionKey = route?.persistedSessionKey ?? route?.dispatchSessionKey ?? this.routeSessionKey;
    this.#tasks = [];
    return this.#recordWith(recorder, { turn, context, sessionKey, tasks: this.#tasks });
  }

  async #recordWith(recorder: RecordInboundSession, recorded: RecordedTurn): Promise<void> {
    const { pass } = this;
    try {
      await recordSession(recorder, pass, recorded);
    } catch (error) {
      try {
        await recorded.turn.onPreDispatchFailure?.(error);
      } catch (hookError) {
        // What leaves the kernel is why the turn failed, not why cleaning up did.
        pass.warn({ reason: "pre_dispatch_failure_hook_failed", error: hookError });
      }
      throw error;
    }
    pass.end("done");
  }

  /** The queue decision, then the agent. */
  async dispatch(
    turn: DispatchableTurn,
    context: FinalizedMsgContext,
    command: PreflightCommand | undefined,
  ): Promise<void> {
    const { pass, ports } = this;
    const admission = pass.admission ?? { kind: "dispatch" };
    pass.admission = admission;
    pass.start("dispatch");
    const observeOnly = admission.kind === "observeOnly";
    if (observeOnly && !canObserve(turn)) {
      this.#dispatchResult = EMPTY_DISPATCH_RESULT;
      pass.end("skipped", { reason: "observe_only_unsupported" });
      return;
    }
    const at: TurnAtDispatch = {
      turnId: pass.turnId,
      attempt: pass.attempt,
      resumed: pass.resumed,
      channel: pass.channel,
      accountId: pass.accountId,
      routeSessionKey: this.routeSessionKey,
      ctxPayload: context,
      admission,
      agentId: turn.route?.agentId ?? turn.agentId,
      command,
    };
    if (ports.beforeDispatch !== undefined) {
      const answer = ports.beforeDispatch(at);
      const decision = isPromise(answer) ? await answer : answer;
      if (decision.kind === "deferred") {
        this.#dispatchResult = { ...EMPTY_DISPATCH_RESULT, deferredToActiveRun: decision.mode };
        pass.end("skipped", { reason: `deferred:${decision.mode}` });
        return;
      }
    }
    pass.kind = "run";
    this.#dispatched = true;
    this.#dispatchResult = await dispatchTurn(ports, pass, { turn, at, observeOnly });
    pass.end("done");
  }

  fail(error: unknown): void {
    this.#failure = { error, stage: this.pass.stage };
    this.pass.end("error", { error });
  }

  result(): ChannelTurnResult {
    const failure = this.#failure;
    return {
      admission: this.pass.admission ?? { kind: "dispatch" },
      dispatched: this.#dispatched,
      ctxPayload: this.context,
      routeSessionKey: this.routeSessionKey,
      dispatchResult: this.#dispatchResult,
      ...(failure === null ? {} : { failedStage: failure.stage, error: failure.error }),
      pass: this.pass.kind,
    };
  }

  /** Runs exactly once, whatever happened; its own error is logged and changes nothing. */
  async finalize(
    onFinalize: ((result: ChannelTurnResult) => void | Promise<void>) | undefined,
  ): Promise<ChannelTurnResult> {
    const { pass } = this;
    if (this.#tasks !== null && this.#tasks.length > 0) await Promise.all(this.#tasks);
    const result = this.result();
    if (onFinalize === undefined) pass.skip("finalize");
    else {
      pass.start("finalize");
      try {
        const done = onFinalize(result);
        if (isPromise(done)) await done;
        pass.end("done");
      } catch (error) {
        pass.end("error", { error });
      }
    }
    const releasing = pass.release();
    if (releasing !== null) await releasing;
    if (this.#failure !== null) throw this.#failure.error;
    return result;
  }
}
