import type { ChannelTurnAdmission } from "./channel-turn-admission.ts";
import type { TurnPassContext } from "./channel-turn-adapter.ts";
import { createTurnScope, type OwnedTurnScope } from "./create-turn-scope.ts";
import type { KernelPorts, TurnPassOptions } from "./kernel-ports.ts";
import type { TurnLog, TurnLogEvent, TurnStageEvent } from "./turn-log-event.ts";
import type { TurnScope } from "./turn-scope.ts";
import type { TurnStage } from "./turn-stage.ts";

/** What an event may say beyond stage and outcome. */
export interface StageDetails {
  readonly reason?: string | undefined;
  readonly detail?: string | undefined;
  readonly error?: unknown;
}

/** Identity, scope and events of one pass of a turn; itself what the adapter's callbacks are told of it. */
export class TurnPass implements TurnPassContext {
  readonly turnId: string;
  readonly attempt: number;
  readonly resumed: boolean;
  readonly channel: string;
  accountId: string | undefined;
  messageId: string | undefined;
  sessionKey: string | undefined;
  preview: string | undefined;
  admission: ChannelTurnAdmission | undefined;
  /** `admission` until the turn is dispatched, unless its admission was given before. */
  kind: "admission" | "run";
  readonly #ports: KernelPorts;
  readonly #log: TurnLog | undefined;
  /** Nobody listens: no event is made and the clock is not read. */
  readonly #isHeard: boolean;
  readonly #givenScope: TurnScope | undefined;
  #ownScope: OwnedTurnScope | null = null;
  #isReleased = false;
  #stage: TurnStage = "ingest";
  #startedAtMs = 0;

  constructor(
    ports: KernelPorts,
    options: TurnPassOptions & { readonly channel: string; readonly accountId?: string | undefined },
  ) {
    this.#ports = ports;
    this.#log = options.log;
    this.#isHeard = options.log !== undefined || ports.log !== undefined;
    this.turnId = options.turnId ?? ports.ids.next();
    this.attempt = options.attempt ?? 0;
    this.resumed = options.resumed ?? false;
    this.kind = this.resumed ? "run" : "admission";
    this.channel = options.channel;
    this.accountId = options.accountId;
    this.#givenScope = options.scope;
  }

  /** The caller's scope, else one of its own, made when somebody first asks: most dropped turns never do. */
  get scope(): TurnScope {
    if (this.#givenScope !== undefined) return this.#givenScope;
    if (this.#ownScope === null) {
      this.#ownScope = createTurnScope((error) => {
        this.warn({ reason: "release_failed", error });
      });
      if (this.#isReleased) void this.#ownScope.release();
    }
    return this.#ownScope;
  }

  get signal(): AbortSignal {
    return this.scope.signal;
  }

  /** The stage that runs, or ran last. */
  get stage(): TurnStage {
    return this.#stage;
  }

  start(stage: TurnStage): void {
    this.#stage = stage;
    if (!this.#isHeard) return;
    this.#startedAtMs = this.#ports.clock.monotonic();
    this.#emit(stage, "start", undefined, undefined);
  }

  end(event: Exclude<TurnStageEvent, "start" | "warning">, details?: StageDetails): void {
    if (!this.#isHeard) return;
    this.#emit(this.#stage, event, details, this.#ports.clock.monotonic() - this.#startedAtMs);
  }

  /** A stage that has nothing to do on this turn. */
  skip(stage: TurnStage, reason?: string): void {
    this.start(stage);
    this.end("skipped", reason === undefined ? undefined : { reason });
  }

  warn(details: StageDetails): void {
    if (this.#isHeard) this.#emit(this.#stage, "warning", details, undefined);
  }

  /** Ends the pass's own scope; null when nothing has to be waited for. */
  release(): Promise<void> | null {
    this.#isReleased = true;
    const scope = this.#ownScope;
    if (scope === null) return null;
    const isEmpty = scope.isEmpty();
    const releasing = scope.release();
    return isEmpty ? null : releasing;
  }

  #emit(
    stage: TurnStage,
    event: TurnStageEvent,
    details: StageDetails | undefined,
    durationMs: number | undefined,
  ): void {
    const entry: TurnLogEvent = {
      stage,
      event,
      channel: this.channel,
      accountId: this.accountId,
      turnId: this.turnId,
      messageId: this.messageId,
      sessionKey: this.sessionKey,
      admission: this.admission?.kind,
      reason: details?.reason,
      detail: details?.detail,
      error: details?.error,
      preview: this.preview,
      pass: this.kind,
      atMs: this.#ports.clock.now(),
      durationMs,
    };
    tell(this.#log, entry);
    tell(this.#ports.log, entry);
  }
}

/** Logging never changes a turn. */
function tell(log: TurnLog | undefined, entry: TurnLogEvent): void {
  if (log === undefined) return;
  try {
    log(entry);
  } catch {
    // A log that throws has nobody to tell it to.
  }
}
