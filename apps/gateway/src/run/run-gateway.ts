import type { ResolvedConfig } from "../config/resolved-config.ts";
import { watchConfig } from "../reload/watch-config.ts";
import { type Gateway, startGateway } from "./start-gateway.ts";
import { untilStopSignal } from "./until-stop-signal.ts";

/** What a run needs. */
export interface RunOptions {
  readonly resolved: ResolvedConfig;
  readonly plain: boolean;
  /** Reads the config again; called when its file changes. */
  readonly reload: () => Promise<ResolvedConfig>;
}

/** Runs until SIGTERM or SIGINT, then drains. A second signal ends the process at once. */
export async function runGateway(options: RunOptions): Promise<void> {
  // Heard from the first moment: a stop during the start is a stop.
  const stopped = untilStopSignal();
  const gateway: Gateway = await startGateway({ resolved: options.resolved, plain: options.plain });
  const unwatch = watchConfig(options.resolved.file, async () => {
    await gateway.reload(options.reload);
  });
  try {
    await stopped;
  } finally {
    unwatch();
    await gateway.stop();
  }
}
