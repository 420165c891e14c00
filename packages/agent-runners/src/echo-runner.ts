import type { AgentEvent, AgentRunContext, AgentRunner, Clock } from "@turnwire/turn-ports";

import { waitFor } from "./wait-for.ts";

/** How the echo runner answers. */
export interface EchoRunnerOptions {
  /** Needed only with `delayMs`. */
  readonly clock?: Clock | undefined;
  /** Pause before each word, ms; makes streaming visible. Default 0. */
  readonly delayMs?: number | undefined;
}

/** Words with the white space behind them, so that they join to exactly the text. */
const WORDS = /\s*\S+|\s+/gu;

/**
 * Says back what it was told, word by word. Needs no key and no network: the embedded default,
 * and what the playground and most tests run with.
 */
export function createEchoRunner(options: EchoRunnerOptions = {}): AgentRunner {
  const { clock, delayMs = 0 } = options;
  return {
    kind: "echo",
    async *run(context, { signal }): AsyncIterable<AgentEvent> {
      const text = textOf(context);
      const words = text.match(WORDS) ?? [];
      for (const word of words) {
        if (delayMs > 0 && clock !== undefined) await waitFor(clock, delayMs, signal);
        if (signal.aborted) return;
        yield { type: "text-delta", text: word };
      }
      yield { type: "usage", inputTokens: words.length, outputTokens: words.length };
      yield { type: "done", outcome: "completed" };
    },
  };
}

/** What the person said: without the label and the history that a model is shown around it. */
function textOf({ message }: AgentRunContext): string {
  return (
    message.CommandBody ?? message.BodyForCommands ?? message.RawBody ?? message.BodyForAgent ?? message.Body ?? ""
  );
}
