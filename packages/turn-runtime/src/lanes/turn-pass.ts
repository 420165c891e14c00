import type { OwnedTurnScope } from "@turnwire/turn-kernel";
import type { InboxRow, SteerMessage, StoreWrite } from "@turnwire/turn-ports";

import type { LaneTarget, WaitingMode } from "../queue/lane-item.ts";
import type { StepBuffer } from "../step-buffer.ts";

/** A message that waits, as far as steering and summaries need its words. */
export interface ArrivedText {
  /** Null when it does not fit into a steering message: it has media, or several people wrote it. */
  readonly steer: SteerMessage | null;
  /** One line for the summary of dropped messages. */
  readonly line: string;
  readonly queueMode?: "steer" | "followup" | "collect" | "interrupt" | undefined;
}

/** The lane's answer at the entry of dispatch. */
export type LaneAnswer =
  /** `dropped`: one line each of messages that were left out while the queue was full. */
  | { readonly kind: "run"; readonly dropped: readonly string[] }
  | { readonly kind: "deferred"; readonly mode: WaitingMode };

/** What a pass may ask of its lane. */
export interface LaneHandle {
  /** The queue decision, and, when it is to run, a free slot. Called once, after authorize and record. */
  arrive(text: ArrivedText): Promise<LaneAnswer>;
  /** The pass is a command: it does not queue, and those behind it need not wait for it. */
  passBy(): void;
  /** Messages to steer the active run by; they belong to its turn from now on. */
  takeSteer(): Promise<readonly SteerMessage[]>;
  /** Ends running and waiting work of this person in this place that came before the row; tells how many requests it was. */
  stop(request: {
    readonly senderId: string;
    readonly target: LaneTarget;
    readonly beforeRowId: number;
  }): Promise<number>;
  /** A new conversation begins with this write: the active run ends, and its transcript is no longer written. */
  reset(write: StoreWrite): Promise<void>;
  /** Resolves when no reset is under way: what is read of the session from then on is of the new conversation. */
  untilReset(): Promise<void>;
  status(): { readonly running: boolean; readonly waiting: number };
  /** Grows with every `reset`: a pass that began under another one writes no transcript. */
  readonly resets: number;
}

/** One pass of a turn over stored events. */
export interface PassRequest {
  /** Oldest first; message, thread and reply ids come from the last. */
  readonly rows: readonly InboxRow[];
  readonly last: InboxRow;
  readonly turnId: string;
  /** Runs begun before this one. */
  readonly attempt: number;
  /** The second pass over these events: their admission is done. */
  readonly resumed: boolean;
  readonly step: StepBuffer;
  readonly scope: OwnedTurnScope;
  readonly lane: LaneHandle;
  /** Told once for a run that comes without an admission pass of its own. */
  readonly dropped: readonly string[];
  /** Notes that the run of a resumed pass begins: from here on the attempt counts. */
  readonly begin: () => void;
}

/** How a pass ended, as far as its inbox rows are concerned. Its other writes are in `step`, not yet flushed. */
export type PassEnd =
  | { readonly kind: "deferred"; readonly mode: WaitingMode }
  | { readonly kind: "done"; readonly reason?: string | undefined }
  | { readonly kind: "dropped"; readonly reason: string }
  | { readonly kind: "handled"; readonly reason: string }
  /** Failed for a reason that may pass; tried again unless the attempts are used up. */
  | { readonly kind: "failed"; readonly reason: string; readonly retryAfterMs?: number | undefined }
  /** Cannot be run here and now, which is no fault of the turn: waits without counting an attempt. */
  | { readonly kind: "postponed"; readonly delayMs: number }
  /** Will never work. */
  | { readonly kind: "dead"; readonly reason: string }
  /** Aborted from outside: `stop`, `superseded` or `shutdown`. */
  | { readonly kind: "aborted" };

/** Runs passes. Never rejects for what a channel, a runner or a platform did; only when the lane is lost or the store is closed. */
export interface TurnPasses {
  run(request: PassRequest): Promise<PassEnd>;
  /** Called when the attempts of a turn are used up, before its rows end dead: tells the person where that is due. */
  giveUp(request: PassRequest): Promise<void>;
}
