import type { OwnedTurnScope } from "@turnwire/turn-kernel";
import type { SteerMessage } from "@turnwire/turn-ports";

import type { StepBuffer } from "../step-buffer.ts";
import type { LaneBook } from "./lane-book.ts";
import { stopLane } from "./lane-stop.ts";
import type { OpenTurn } from "./open-turn.ts";
import type { ReleasePermit } from "./run-permits.ts";
import type { ArrivedText, LaneAnswer, LaneHandle } from "./turn-pass.ts";

/** A pass as its lane sees it. */
export interface LanePass {
  readonly turn: OpenTurn;
  readonly step: StepBuffer;
  readonly scope: OwnedTurnScope;
  /** True from the moment at which the pass has the lane. */
  isRun: boolean;
  permit: ReleasePermit | null;
  /** The next message of the lane may be admitted. */
  readonly decided: () => void;
}

/** Gives a pass its view of the lane. */
export function createLaneHandle(book: LaneBook, pass: LanePass): LaneHandle {
  const { turn, step, scope } = pass;
  const { clock, permits, queueSettings } = book.options;

  async function takePermit(dropped: readonly string[]): Promise<LaneAnswer> {
    pass.permit = await permits.acquire(scope.signal);
    return pass.permit === null ? { kind: "deferred", mode: "followup" } : { kind: "run", dropped };
  }

  return {
    async arrive(text) {
      if (pass.isRun) return takePermit([]);
      turn.admission = null;
      turn.text = text;
      const answer = turn.stopped ? { kind: "deferred" as const, mode: "followup" as const } : queue(text);
      pass.decided();
      return answer.kind === "run" ? takePermit(answer.dropped) : answer;
    },
    passBy() {
      turn.admission = null;
      pass.decided();
    },
    takeSteer: () => takeSteer(book, turn.turnId),
    stop: (request) => stopLane(book, request),
    async reset(write) {
      // First the mark and the abort: nothing of the old conversation is added behind them.
      book.resets += 1;
      book.decide({ type: "reset" });
      book.resetting = book.resetting.then(async () => {
        await book.activeStep?.flush();
        await book.persist([write]);
      });
      await book.resetting;
    },
    untilReset: () => book.resetting,
    status: () => ({ running: book.state.active !== null, waiting: book.state.waiting.length + book.line.length }),
    get resets() {
      return book.resets;
    },
  };

  function queue(text: ArrivedText): LaneAnswer {
    const settings = queueSettings(turn.last);
    const effects = book.decide({
      type: "arrived",
      item: { ...turn.item, steerable: text.steer !== null },
      settings: { ...settings, mode: text.queueMode ?? settings.mode },
    });
    for (const effect of effects) {
      if (effect.type === "run") {
        pass.isRun = true;
        book.activeScope = scope;
        book.activeStep = step;
        step.add({ op: "inbox.run", ids: turn.item.rowIds, turnId: turn.turnId });
        return { kind: "run", dropped: book.takeLines(effect.dropped.map((item) => item.turnId)) };
      }
      if (effect.type === "defer") {
        const { mode } = effect;
        const notBeforeMs = clock.now() + Math.max(0, Math.ceil(effect.notBeforeMs - clock.monotonic()));
        step.add({ op: "inbox.defer", ids: turn.item.rowIds, as: mode, turnId: turn.turnId, notBeforeMs });
        return { kind: "deferred", mode };
      }
    }
    // Dropped on arrival: the pass ends without dispatch, and finds the mark.
    return { kind: "deferred", mode: "followup" };
  }
}

async function takeSteer(book: LaneBook, turnId: string): Promise<readonly SteerMessage[]> {
  const effects = book.decide({ type: "safe-point", turnId, nowMs: book.options.clock.monotonic() });
  const taken = effects
    .flatMap((effect) => (effect.type === "steer" ? effect.items : []))
    .flatMap((item) => book.turns.get(item.turnId) ?? []);
  if (taken.length === 0) return [];
  for (const turn of taken) await turn.admitted;
  // From here on they belong to the turn that took them, also after a crash.
  await book.persist([{ op: "inbox.run", ids: taken.flatMap((turn) => turn.item.rowIds), turnId }]);
  return taken.flatMap((turn) => turn.text?.steer ?? []);
}
