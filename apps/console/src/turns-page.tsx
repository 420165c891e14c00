import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { api, type Turn } from "./api.ts";
import { Stages } from "./stages.tsx";
import { useEventSource } from "./use-event-source.ts";

/** Turns that ended, newest first, each with its stages behind a click. */
export function TurnsPage(): ReactNode {
  const queries = useQueryClient();
  const turns = useQuery({
    queryKey: ["turns"],
    queryFn: async () => api<{ readonly items: readonly Turn[] }>("/api/turns?limit=100"),
  });
  useEventSource("/api/events", "turn", (data) => {
    if (typeof data === "object" && data !== null && "stage" in data && data.stage === "finalize")
      void queries.invalidateQueries({ queryKey: ["turns"] });
  });
  if (turns.error !== null) return <p className="failure">{turns.error.message}</p>;
  if (turns.data?.items.length === 0) return <p className="hint">No turn yet.</p>;
  return (
    <div className="turns">
      {turns.data?.items.map((turn) => (
        <details key={`${turn.turnId}:${turn.pass}:${turn.attempt}`}>
          <summary>
            <time>{new Date(turn.startedAtMs).toLocaleTimeString()}</time>
            <span className={`badge ${turn.outcome ?? turn.admission ?? ""}`}>
              {turn.outcome ?? turn.admission ?? "…"}
            </span>
            <span>
              {turn.channel}:{turn.accountId}
            </span>
            <code>{turn.sessionKey ?? ""}</code>
            <span>{turn.endedAtMs === undefined ? "" : `${turn.endedAtMs - turn.startedAtMs} ms`}</span>
            <span className="reason">{turn.reason ?? turn.error?.code ?? ""}</span>
          </summary>
          <p>
            turn <code>{turn.turnId}</code> · {turn.pass} · attempt {turn.attempt} · message{" "}
            <code>{turn.messageId ?? ""}</code>
          </p>
          <Stages events={turn.stages} />
        </details>
      ))}
    </div>
  );
}
