import { unwatchFile, watchFile } from "node:fs";

/** How often the file is looked at, ms. Polling also sees files that are replaced or mounted, which events miss. */
const POLL_MS = 1_000;

/** Calls back when the file's content may have changed; calls never overlap. Returns how to stop. */
export function watchConfig(file: string, onChange: () => Promise<void>): () => void {
  let running = Promise.resolve();
  const listener = (
    now: { readonly mtimeMs: number; readonly size: number },
    before: { readonly mtimeMs: number; readonly size: number },
  ): void => {
    if (now.mtimeMs === before.mtimeMs && now.size === before.size) return;
    running = running.then(onChange);
  };
  watchFile(file, { interval: POLL_MS, persistent: false }, listener);
  return () => {
    unwatchFile(file, listener);
  };
}
