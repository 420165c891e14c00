import {
  TurnwireError,
  type AgentEvent,
  type AgentRunContext,
  type AgentRunner,
  type AgentSteer,
  type Clock,
} from "@turnwire/turn-ports";

/** How an iteration ended. */
export type RunEnd =
  | { readonly kind: "done"; readonly event: AgentEvent & { readonly type: "done" } }
  /** The iterator ended without `done`, or threw. */
  | { readonly kind: "broken"; readonly code: string; readonly cause?: unknown }
  | { readonly kind: "aborted"; readonly stuck: boolean };

/** What a runner gets of the grace when the process stops, ms: the deadline of the stop has passed already. */
const SHUTDOWN_GRACE_MS = 200;

/** What a run is consumed with. */
export interface ConsumeOptions {
  readonly runner: AgentRunner;
  readonly context: AgentRunContext;
  readonly signal: AbortSignal;
  readonly steer: AgentSteer;
  readonly clock: Clock;
  /** How long a runner may go on after its abort before it is left behind, ms. */
  readonly graceMs: number;
  readonly onEvent: (event: AgentEvent) => void | Promise<void>;
}

/**
 * Runs an agent and hands its events on, until `done`, an error, or the abort. After the abort nothing more is handed on;
 * the runner gets `graceMs` to end, so that two runs of a session do not overlap, and is then left behind.
 */
export async function consumeRun(options: ConsumeOptions): Promise<RunEnd> {
  const { runner, context, signal, steer, onEvent } = options;
  const aborted = new Promise<"aborted">((resolve) => {
    if (signal.aborted) resolve("aborted");
    else signal.addEventListener("abort", () => resolve("aborted"), { once: true });
  });
  try {
    const iterator = runner.run(context, { signal, steer })[Symbol.asyncIterator]();
    for (;;) {
      const next = iterator.next();
      const result = await Promise.race([next, aborted]);
      if (result === "aborted" || signal.aborted)
        return { kind: "aborted", stuck: await isStuck(options, iterator, next) };
      if (result.done === true) return { kind: "broken", code: "runner_ended" };
      if (result.value.type === "done") return { kind: "done", event: result.value };
      await onEvent(result.value);
    }
  } catch (error) {
    if (signal.aborted) return { kind: "aborted", stuck: false };
    return { kind: "broken", code: TurnwireError.isInstance(error) ? error.code : "runner_threw", cause: error };
  }
}

async function isStuck(
  { clock, graceMs, signal }: ConsumeOptions,
  iterator: AsyncIterator<AgentEvent>,
  next: Promise<unknown>,
): Promise<boolean> {
  const ended = next
    .then(() => iterator.return?.())
    .then(
      () => false,
      () => false,
    );
  let cancel: () => void = () => undefined;
  const grace = new Promise<boolean>((resolve) => {
    cancel = clock.setTimer(
      () => resolve(true),
      signal.reason === "shutdown" ? Math.min(graceMs, SHUTDOWN_GRACE_MS) : graceMs,
    );
  });
  const stuck = await Promise.race([ended, grace]);
  cancel();
  return stuck;
}
