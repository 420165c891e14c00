import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

import type { ChildCommand, ChildReport } from "./serve-store-child.ts";
import { must } from "./store-under-test.ts";

/** The parent's handle of a child that serves a store. */
export interface StoreChild {
  /** The next report of the child. Rejects when it ended without one. */
  next(): Promise<ChildReport>;
  /** Sends a command and waits until it was done. */
  do(command: ChildCommand): Promise<void>;
  /** Sends a command that never ends. */
  begin(command: ChildCommand): void;
  /** Ends the child with SIGKILL and answers everything that it had told. */
  kill(): Promise<readonly ChildReport[]>;
}

/** @param child a process that `StoreHarness.startChild` started */
export function superviseStoreChild(child: ChildProcess): StoreChild {
  const reports: ChildReport[] = [];
  const complaints: string[] = [];
  let taken = 0;
  let wake: (() => void) | undefined;
  let ended = false;
  const lines = createInterface({ input: must(child.stdout) });
  lines.on("line", (line) => {
    // The last line of a killed process may be cut off: what it says was not told.
    const report = parse(line);
    if (report !== null) reports.push(report);
    wake?.();
  });
  child.stderr?.on("data", (chunk: Buffer) => complaints.push(chunk.toString()));
  const closed = once(lines, "close").then(() => {
    ended = true;
    wake?.();
  });
  const send = (command: ChildCommand): void => {
    must(child.stdin).write(`${JSON.stringify(command)}\n`);
  };
  const next = async (): Promise<ChildReport> => {
    while (reports.length <= taken) {
      if (ended) throw new Error(`the child ended without a report: ${complaints.join("")}`);
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    taken += 1;
    return must(reports[taken - 1]);
  };
  return {
    next,
    begin: send,
    async do(command) {
      send(command);
      await next();
    },
    async kill() {
      const exited = child.exitCode === null && child.signalCode === null ? once(child, "exit") : Promise.resolve();
      child.kill("SIGKILL");
      await exited;
      await closed;
      return reports;
    },
  };
}

function parse(line: string): ChildReport | null {
  try {
    return JSON.parse(line) as ChildReport;
  } catch {
    return null;
  }
}
