import { createTurnScope, type OwnedTurnScope } from "@turnwire/turn-kernel";

import type { LaneEffect } from "../queue/lane-policy.ts";
import type { LaneBook } from "./lane-book.ts";
import { createLaneHandle, type LanePass } from "./lane-handle.ts";
import type { OpenTurn } from "./open-turn.ts";
import type { PassEnd, PassRequest } from "./turn-pass.ts";

/** Admits a turn: its pass runs at once, or ends deferred. `decided` is called as soon as the next one may be admitted. */
export function startAdmission(book: LaneBook, turn: OpenTurn, decided: () => void): void {
  const scope = openScope(book);
  turn.admission = scope;
  book.turns.set(turn.turnId, turn);
  turn.admitted = runPass(book, [turn], { scope, isRun: false, dropped: [], decided });
  book.spawn(turn.admitted);
}

/** Starts the runs that the policy orders for turns whose admission is done or about to end. */
export function startRuns(book: LaneBook, effects: readonly LaneEffect[]): void {
  for (const effect of effects) {
    if (effect.type !== "run") continue;
    const parts = effect.items.flatMap((item) => book.turns.get(item.turnId) ?? []);
    const dropped = book.takeLines(effect.dropped.map((item) => item.turnId));
    // The scope exists from now on: a stop that comes before the pass begins reaches it.
    const scope = openScope(book);
    book.activeScope = scope;
    const admitted = Promise.all(parts.map((part) => part.admitted));
    book.spawn(admitted.then(() => runPass(book, parts, { scope, isRun: true, dropped, decided: () => undefined })));
  }
}

function openScope({ options }: LaneBook): OwnedTurnScope {
  return createTurnScope((error) => {
    options.log.warn({ laneKey: options.laneKey, error }, "a turn's clean-up failed");
  });
}

interface PassStart {
  readonly scope: OwnedTurnScope;
  readonly isRun: boolean;
  readonly dropped: readonly string[];
  readonly decided: () => void;
}

async function runPass(book: LaneBook, parts: readonly OpenTurn[], start: PassStart): Promise<void> {
  const { passes, maxAttempts } = book.options;
  const turn = parts.at(-1);
  if (turn === undefined || book.isLost) return;
  const step = book.openStep();
  const { scope } = start;
  if (start.isRun) book.activeStep = step;
  const pass: LanePass = { turn, step, scope, isRun: start.isRun, permit: null, decided: start.decided };
  const request: PassRequest = {
    rows: parts.flatMap((part) => part.rows),
    last: turn.last,
    turnId: turn.turnId,
    attempt: turn.attempt,
    resumed: start.isRun && turn.recorded,
    step,
    scope,
    lane: createLaneHandle(book, pass),
    dropped: start.dropped,
    begin() {
      if (!start.isRun) return;
      step.add({ op: "inbox.run", ids: parts.flatMap((part) => part.item.rowIds), turnId: turn.turnId });
    },
  };
  try {
    const end = await passes.run(request);
    if (end.kind === "failed" && turn.attempt + 1 >= maxAttempts) await passes.giveUp(request);
    turn.admission = null;
    await (pass.isRun ? settleRun(book, pass, end) : settleAdmission(book, pass, end));
  } finally {
    pass.permit?.();
    start.decided();
  }
}

async function settleAdmission(book: LaneBook, { turn, step }: LanePass, end: PassEnd): Promise<void> {
  if (book.isLost && end.kind === "aborted") return;
  if (turn.stopped) step.add(...book.endingWrites(turn, { kind: "handled", reason: "stopped" }, [turn]));
  else if (turn.overflow) step.add(...book.endingWrites(turn, { kind: "dropped", reason: "queue_overflow" }, [turn]));
  else {
    // A pass that failed before it ran counts as an attempt all the same.
    if (end.kind === "failed") step.add({ op: "inbox.run", ids: turn.item.rowIds, turnId: turn.turnId });
    step.add(...book.endingWrites(turn, end, [turn]));
  }
  const waits = end.kind === "deferred" && !turn.stopped && !turn.overflow;
  await step.flush();
  turn.recorded = true;
  if (!waits) book.turns.delete(turn.turnId);
}

async function settleRun(book: LaneBook, { turn, step }: LanePass, end: PassEnd): Promise<void> {
  const finished = end.kind !== "aborted" && end.kind !== "deferred";
  if (book.isLost && !finished) return;
  const { clock } = book.options;
  const parts = (book.state.active?.items ?? []).flatMap((item) => book.turns.get(item.turnId) ?? []);
  const effects = book.decide({ type: "run-ended", turnId: turn.turnId, finished, nowMs: clock.monotonic() });
  book.activeScope = null;
  book.activeStep = null;

  if (finished) step.add(...book.endingWrites(turn, end, parts));
  for (const effect of effects) {
    if (effect.type !== "end") continue;
    const ending = effect.as === "stopped" ? "handled" : "done";
    step.add({ op: "inbox.end", ids: effect.items.flatMap((item) => item.rowIds), ending, reason: effect.as });
  }
  const open = new Set([...book.state.waiting, ...(book.state.active?.items ?? [])].map((item) => item.turnId));
  const again = parts.filter((part) => open.has(part.turnId));
  if (again.length > 0) {
    // Another person's part of a stopped run: it waits on and runs without the part that was stopped.
    const ids = again.flatMap((part) => part.item.rowIds);
    step.add({ op: "inbox.requeue", ids, notBeforeMs: clock.now() });
  }
  for (const part of parts) {
    part.recorded = true;
    if (!again.includes(part)) book.turns.delete(part.turnId);
  }
  // The next run begins only when this one's end is stored: its first commit must not come before.
  await step.flush();
  startRuns(book, effects);
}
