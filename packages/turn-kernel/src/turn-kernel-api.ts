import type { ChannelTurnResolved } from "./channel-turn-adapter.ts";
import type { ChannelTurnResult } from "./channel-turn-result.ts";
import type { FinalizedMsgContext } from "./finalized-msg-context.ts";
import type { TurnPassOptions } from "./kernel-ports.ts";
import type { BuildContextParams, RunAssembledParams, RunPreparedParams, RunTurnParams } from "./turn-params.ts";

/** The entry points: `runtime.channel.turn.*`. */
export interface TurnKernel {
  /** All nine stages, driven by an adapter. */
  run<TRaw>(params: RunTurnParams<TRaw>): Promise<ChannelTurnResult>;
  /** Record to finalize for a finished context, with the buffered block dispatcher. */
  runAssembled(params: RunAssembledParams): Promise<ChannelTurnResult>;
  /** Record, the channel's own dispatch, finalize. */
  runPrepared(params: RunPreparedParams): Promise<ChannelTurnResult>;
  /** Pure mapping of facts; never throws on absent optional facts. */
  buildContext(params: BuildContextParams): FinalizedMsgContext;
  /** @deprecated Use `run`. For a turn that is resolved already. */
  runResolved(
    params: TurnPassOptions & {
      readonly channel: string;
      readonly accountId?: string | undefined;
      readonly turn: ChannelTurnResolved;
      readonly onFinalize?: ((result: ChannelTurnResult) => void | Promise<void>) | undefined;
    },
  ): Promise<ChannelTurnResult>;
  /** @deprecated Use `runAssembled`. */
  dispatchAssembled(params: RunAssembledParams): Promise<ChannelTurnResult>;
}
