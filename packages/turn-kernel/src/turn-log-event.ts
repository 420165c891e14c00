import type { TurnStage } from "./turn-stage.ts";

/** What a stage tells: `start`, perhaps warnings, then exactly one of the others. */
export type TurnStageEvent = "start" | "done" | "drop" | "handled" | "error" | "skipped" | "warning";

/** A structured event of a turn. No bodies: `preview` at most, cut and redacted by the channel. */
export interface TurnLogEvent {
  readonly stage: TurnStage;
  readonly event: TurnStageEvent;
  readonly channel: string;
  readonly accountId?: string | undefined;
  readonly turnId: string;
  readonly messageId?: string | undefined;
  readonly sessionKey?: string | undefined;
  /** The admission's kind, once it is known. */
  readonly admission?: string | undefined;
  readonly reason?: string | undefined;
  /** On a refusal: the channel's own word on it and the size of the allowlist. */
  readonly detail?: string | undefined;
  readonly error?: unknown;
  readonly preview?: string | undefined;
  readonly pass: "admission" | "run";
  /** Epoch ms. */
  readonly atMs: number;
  readonly durationMs?: number | undefined;
}

/** Gets the events as they happen. A throw is ignored: logging never changes a turn. */
export type TurnLog = (event: TurnLogEvent) => void;
