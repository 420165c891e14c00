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
import { recorderOf, recordSession } from "./record-session.ts";
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
  #dispatched = false;
  #dispatchResult: DispatchResult | undefined;
  #failure: Failure | null = null;
  readonly #tasks: Promise<unknown>[] = [];

  constructor(ports: KernelPorts, pass: TurnPass) {
    this.ports = ports;
    this.pass = pass;
  }

  /** Ends the stage and the turn by an admission that goes no further. */
  block(admission: ChannelTurnAdmission): void {
    this.pass.admission = admission;
    this.pass.end(admission.kind === "drop" ? "drop" : "handled", { reason: admission.reason });
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

  async record(turn: ResolvedTurnBase, context: FinalizedMsgContext): Promise<void> {
    const { pass, ports } = this;
    const { route } = turn;
    this.routeSessionKey = route?.routeSessionKey ?? turn.routeSessionKey ?? context.SessionKey;
    pass.sessionKey = this.routeSessionKey;
    const recorder = recorderOf(ports, turn);
    if (recorder === undefined) {
      pass.skip("record");
      return;
    }
    pass.start("record");
    const sessionKey = route?.persistedSessionKey ?? route?.dispatchSessionKey ?? this.routeSessionKey;
    try {
      await recordSession(recorder, pass, { turn, context, sessionKey, tasks: this.#tasks });
    } catch (error) {
      await turn.onPreDispatchFailure?.(error);
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
    if (this.#tasks.length > 0) await Promise.all(this.#tasks);
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
    await pass.release();
    if (this.#failure !== null) throw this.#failure.error;
    return result;
  }
}
