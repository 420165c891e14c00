import type { ChannelTurnAdmission } from "./channel-turn-admission.ts";
import { createTurnScope, type OwnedTurnScope } from "./create-turn-scope.ts";
import type { KernelPorts, TurnPassOptions } from "./kernel-ports.ts";
import type { TurnLog, TurnLogEvent, TurnStageEvent } from "./turn-log-event.ts";
import type { TurnScope } from "./turn-scope.ts";
import type { TurnStage } from "./turn-stage.ts";

/** What an event may say beyond stage and outcome. */
export interface StageDetails {
  readonly reason?: string | undefined;
  readonly error?: unknown;
}

/** Identity, scope and events of one pass of a turn. */
export class TurnPass {
  readonly turnId: string;
  readonly attempt: number;
  readonly resumed: boolean;
  readonly channel: string;
  readonly scope: TurnScope;
  accountId: string | undefined;
  messageId: string | undefined;
  sessionKey: string | undefined;
  preview: string | undefined;
  admission: ChannelTurnAdmission | undefined;
  /** `admission` until the turn is dispatched, unless its admission was given before. */
  kind: "admission" | "run";
  readonly #ports: KernelPorts;
  readonly #log: TurnLog | undefined;
  readonly #ownScope: OwnedTurnScope | null;
  #stage: TurnStage = "ingest";
  #startedAtMs = 0;

  constructor(
    ports: KernelPorts,
    options: TurnPassOptions & { readonly channel: string; readonly accountId?: string | undefined },
  ) {
    this.#ports = ports;
    this.#log = options.log;
    this.turnId = options.turnId ?? ports.ids.next();
    this.attempt = options.attempt ?? 0;
    this.resumed = options.resumed ?? false;
    this.kind = this.resumed ? "run" : "admission";
    this.channel = options.channel;
    this.accountId = options.accountId;
    this.#ownScope = options.scope === undefined ? createTurnScope() : null;
    this.scope = options.scope ?? (this.#ownScope as OwnedTurnScope);
  }

  /** The stage that runs, or ran last. */
  get stage(): TurnStage {
    return this.#stage;
  }

  start(stage: TurnStage): void {
    this.#stage = stage;
    this.#startedAtMs = this.#ports.clock.monotonic();
    this.#emit(stage, "start", undefined, undefined);
  }

  end(event: Exclude<TurnStageEvent, "start" | "warning">, details?: StageDetails): void {
    this.#emit(this.#stage, event, details, this.#ports.clock.monotonic() - this.#startedAtMs);
  }

  /** A stage that has nothing to do on this turn. */
  skip(stage: TurnStage, reason?: string): void {
    this.start(stage);
    this.end("skipped", reason === undefined ? undefined : { reason });
  }

  warn(details: StageDetails): void {
    this.#emit(this.#stage, "warning", details, undefined);
  }

  async release(): Promise<void> {
    await this.#ownScope?.release();
  }

  #emit(
    stage: TurnStage,
    event: TurnStageEvent,
    details: StageDetails | undefined,
    durationMs: number | undefined,
  ): void {
    const portLog = this.#ports.log;
    if (this.#log === undefined && portLog === undefined) return;
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
      error: details?.error,
      preview: this.preview,
      pass: this.kind,
      atMs: this.#ports.clock.now(),
      durationMs,
    };
    tell(this.#log, entry);
    tell(portLog, entry);
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
