import { EXIT_CODES } from "../exit-code.ts";

/** Repeats of a signal within this time are one: a terminal sends Ctrl-C to npm and to us, and npm sends it again. */
const SAME_SIGNAL_MS = 500;

/** Resolves with the first SIGTERM or SIGINT. A later one, for people who will not wait for the drain, ends the process. */
export async function untilStopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let firstMs: number | null = null;
    const onSignal = (signal: NodeJS.Signals): void => {
      const nowMs = performance.now();
      if (firstMs === null) {
        firstMs = nowMs;
        resolve(signal);
      } else if (nowMs - firstMs > SAME_SIGNAL_MS) {
        // oxlint-disable-next-line unicorn/no-process-exit -- somebody who asks twice does not want to wait for anything
        process.exit(EXIT_CODES.crash);
      }
    };
    process.on("SIGTERM", onSignal);
    process.on("SIGINT", onSignal);
  });
}
