import type { ReactNode } from "react";

import type { Stage } from "./api.ts";

const STAGES = [
  "ingest",
  "classify",
  "preflight",
  "resolve",
  "authorize",
  "assemble",
  "record",
  "dispatch",
  "finalize",
] as const;

interface StageState {
  readonly event: string;
  readonly durationMs: number | undefined;
  readonly reason: string | undefined;
}

function stateOf(events: readonly Stage[], stage: string): StageState | null {
  const own = events.filter((event) => event.stage === stage && event.event !== "warning");
  const last = own.at(-1);
  if (last === undefined) return null;
  const start = own.findLast((event) => event.event === "start");
  const elapsed = last.event === "start" || start === undefined ? undefined : last.atMs - start.atMs;
  return { event: last.event, durationMs: last.durationMs ?? elapsed, reason: last.reason };
}

function duration(ms: number): string {
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  return ms < 10_000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** The nine stages in their order, each with how it ended and how long it took. */
export function Stages({ events }: { readonly events: readonly Stage[] }): ReactNode {
  return (
    <ol className="stages">
      {STAGES.map((stage) => {
        const state = stateOf(events, stage);
        return (
          <li key={stage} data-stage={stage} data-event={state?.event ?? "none"}>
            <span>{stage}</span>
            <span>{state?.event === "start" ? "running" : state?.event}</span>
            <span className="time">{state?.durationMs === undefined ? "" : duration(state.durationMs)}</span>
            {state?.reason !== undefined && <span className="reason">{state.reason}</span>}
          </li>
        );
      })}
    </ol>
  );
}
