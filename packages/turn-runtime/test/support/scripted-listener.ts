import type { Channel, ChannelContext, ErrorClass } from "@turnwire/turn-ports";

import { createMemoryChannel } from "./memory-channel.ts";
import { MemoryPlatform } from "./memory-platform.ts";

/** What one run of a listener does. */
export type ListenerRun = (context: ChannelContext) => Promise<void>;

/** A listener that connects and runs until it is told to stop. */
export const healthyRun: ListenerRun = async ({ health, signal }) => {
  health.connected();
  await untilAborted(signal);
};

/** Resolves when the signal aborts. */
export async function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** A channel whose listener does what `run` says, each run by its number from 0. */
export function createScriptedListener(options: {
  readonly run: (index: number) => ListenerRun;
  readonly classifyError?: (error: unknown) => ErrorClass;
  readonly singleListener?: boolean;
  readonly enabled?: boolean;
}): Channel & { readonly contexts: readonly ChannelContext[] } {
  const { run, classifyError, singleListener = false, enabled = true } = options;
  const contexts: ChannelContext[] = [];
  const base = createMemoryChannel(new MemoryPlatform(), { capabilities: { singleListener }, account: { enabled } });
  return {
    ...base,
    contexts,
    ...(classifyError === undefined ? {} : { classifyError }),
    async start(context) {
      contexts.push(context);
      await run(contexts.length - 1)(context);
    },
  };
}
