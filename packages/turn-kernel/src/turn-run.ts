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

/** Told how a turn ended. */
export type OnFinalize = (result: ChannelTurnResult) => void | Promise<void>;

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
  /** Set while the record stage runs. */
  #onPreDispatchFailure: ResolvedTurnBase["onPreDispatchFailure"];

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

  /** Session metadata and last route. A promise has to be awaited; then `recorded` ends the stage. */
  record(turn: ResolvedTurnBase, context: FinalizedMsgContext): unknown {
    const { pass, ports } = this;
    const { route } = turn;
    this.routeSessionKey = route?.routeSessionKey ?? turn.routeSessionKey ?? context.SessionKey;
    pass.sessionKey = this.routeSessionKey;
    const recorder = recorderOf(ports, turn);
    pass.start("record");
    if (recorder === undefined) return undefined;
    const sessionKey = route?.persistedSessionKey ?? route?.dispatchSessionKey ?? this.routeSessionKey;
    this.#tasks = [];
    this.#onPreDispatchFailure = turn.onPreDispatchFailure;
    return recordSession(recorder, pass, { turn, context, sessionKey, tasks: this.#tasks });
  }

  recorded(): void {
    this.pass.end(this.#tasks === null ? "skipped" : "done");
    this.#onPreDispatchFailure = undefined;
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

  /** A throw of a stage. One of the recorder is told to the turn's hook first. */
  async fail(error: unknown): Promise<void> {
    const { pass } = this;
    this.#failure = { error, stage: pass.stage };
    try {
      await this.#onPreDispatchFailure?.(error);
    } catch (hookError) {
      // What leaves the kernel is why the turn failed, not why cleaning up did.
      pass.warn({ reason: "pre_dispatch_failure_hook_failed", error: hookError });
    }
    pass.end("error", { error });
  }

  #result(): ChannelTurnResult {
    const failure = this.#failure;
    return {
      admission: this.pass.admission ?? { kind: "dispatch" },
      dispatched: this.#dispatched,
      ctxPayload: this.context,
      routeSessionKey: this.routeSessionKey,
      dispatchResult: this.#dispatchResult,
      failedStage: failure?.stage,
      error: failure?.error,
      pass: this.pass.kind,
    };
  }

  /** Runs exactly once, whatever happened; its own error is logged and changes nothing. A promise only where one has to be awaited. */
  finalize(onFinalize: OnFinalize | undefined): ChannelTurnResult | Promise<ChannelTurnResult> {
    const tasks = this.#tasks;
    if (tasks === null || tasks.length === 0) return this.#tellEnd(onFinalize);
    return Promise.all(tasks).then(() => this.#tellEnd(onFinalize));
  }

  #tellEnd(onFinalize: OnFinalize | undefined): ChannelTurnResult | Promise<ChannelTurnResult> {
    const { pass } = this;
    const result = this.#result();
    if (onFinalize === undefined) pass.skip("finalize");
    else {
      pass.start("finalize");
      try {
        const telling = onFinalize(result);
        if (isPromise(telling)) return this.#awaitEnd(telling, result);
        pass.end("done");
      } catch (error) {
        pass.end("error", { error });
      }
    }
    return this.#close(result);
  }

  async #awaitEnd(telling: PromiseLike<void>, result: ChannelTurnResult): Promise<ChannelTurnResult> {
    try {
      await telling;
      this.pass.end("done");
    } catch (error) {
      this.pass.end("error", { error });
    }
    return this.#close(result);
  }

  /** Releases what the turn held, then leaves by its result or by its failure. */
  #close(result: ChannelTurnResult): ChannelTurnResult | Promise<ChannelTurnResult> {
    const releasing = this.pass.release();
    const leave = (): ChannelTurnResult => {
      if (this.#failure !== null) throw this.#failure.error;
      return result;
    };
    return releasing === null ? leave() : releasing.then(leave);
  }
}
