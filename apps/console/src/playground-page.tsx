import type { ReactNode } from "react";

import type { Pane } from "./api.ts";
import { ChatPane } from "./chat-pane.tsx";
import { Stages } from "./stages.tsx";
import { useTurns } from "./use-turns.ts";

/** Chats of the simulated platforms on the left, the turns that they cause on the right. */
export function PlaygroundPage({ panes }: { readonly panes: readonly Pane[] }): ReactNode {
  const turns = useTurns();
  return (
    <div className="playground">
      <div className="panes">
        {panes.map((pane) => (
          <ChatPane key={pane.platform} pane={pane} />
        ))}
      </div>
      <aside aria-label="Turns">
        <h2>Turns</h2>
        {turns.length === 0 && (
          <p className="hint">
            Write something: each message becomes a turn, and its nine stages show here as they happen.
          </p>
        )}
        {turns.slice(0, 8).map((turn) => (
          <section key={turn.turnId} className="turn" data-turn={turn.turnId}>
            <h3>
              {turn.channel} <code>{turn.sessionKey ?? ""}</code>
            </h3>
            <Stages events={turn.events} />
          </section>
        ))}
      </aside>
    </div>
  );
}
