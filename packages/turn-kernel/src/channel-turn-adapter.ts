import type { ResolvedAssembledTurn } from "./assembled-channel-turn.ts";
import type { ChannelEventClass } from "./channel-event-class.ts";
import type { ChannelTurnAdmission } from "./channel-turn-admission.ts";
import type { ChannelTurnResult } from "./channel-turn-result.ts";
import type { NormalizedTurnInput } from "./normalized-turn-input.ts";
import type { PreflightFacts } from "./preflight-facts.ts";
import type { ResolvedPreparedTurn } from "./prepared-channel-turn.ts";
import type { TurnScope } from "./turn-scope.ts";

/** A turn that is ready to be authorized: assembled, or prepared for the channel's own dispatch. */
export type ChannelTurnResolved = ResolvedAssembledTurn | ResolvedPreparedTurn;

/** What the callbacks are told of the pass they run in. */
export interface TurnPassContext {
  readonly turnId: string;
  readonly attempt: number;
  /** The second pass over stored events: skip dedupe, debounce and history recording. */
  readonly resumed: boolean;
  readonly signal: AbortSignal;
  /** Released when the turn ends, however it ends: what an adapter starts early (ack reaction, typing) registers here. */
  readonly scope: TurnScope;
}

/** The platform's side of a turn, for `run`. */
export interface ChannelTurnAdapter<TRaw> {
  ingest(raw: TRaw): Promise<NormalizedTurnInput | null> | NormalizedTurnInput | null;
  classify?(input: NormalizedTurnInput): Promise<ChannelEventClass> | ChannelEventClass;
  /** Called once before preflight when the class has `requiresImmediateAck`. */
  ack?(input: NormalizedTurnInput): Promise<void> | void;
  preflight?(
    input: NormalizedTurnInput,
    eventClass: ChannelEventClass,
    context: TurnPassContext,
  ):
    | Promise<PreflightFacts | ChannelTurnAdmission | null | undefined>
    | PreflightFacts
    | ChannelTurnAdmission
    | null
    | undefined;
  resolveTurn(
    input: NormalizedTurnInput,
    eventClass: ChannelEventClass,
    preflight: PreflightFacts,
    context: TurnPassContext,
  ): Promise<ChannelTurnResolved> | ChannelTurnResolved;
  onFinalize?(result: ChannelTurnResult): Promise<void> | void;
}
