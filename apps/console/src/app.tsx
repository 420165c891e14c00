import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";

import { AccountsPage } from "./accounts-page.tsx";
import { api, ApiError, type Pane } from "./api.ts";
import { Login } from "./login.tsx";
import { PlaygroundPage } from "./playground-page.tsx";
import { RowsPage } from "./rows-page.tsx";
import { TurnsPage } from "./turns-page.tsx";

const TABS = ["Playground", "Turns", "Sessions", "Outbox", "Pairings", "Dead letters", "Accounts"] as const;
type Tab = (typeof TABS)[number];

function Page({ tab, panes }: { readonly tab: Tab; readonly panes: readonly Pane[] }): ReactNode {
  switch (tab) {
    case "Playground":
      return <PlaygroundPage panes={panes} />;
    case "Turns":
      return <TurnsPage />;
    case "Sessions":
      return (
        <RowsPage
          key={tab}
          path="/api/sessions"
          columns={["key", "agentId", "generation", "updatedAtMs"]}
          empty="No conversation yet."
        />
      );
    case "Outbox":
      return (
        <RowsPage
          key={tab}
          path="/api/outbox"
          columns={["status", "purpose", "op", "channel", "accountId", "to", "attempts", "createdAtMs", "error"]}
          empty="Nothing was sent yet."
        />
      );
    case "Pairings":
      return (
        <RowsPage
          key={tab}
          path="/api/pairings"
          columns={["code", "status", "channel", "accountId", "senderId", "senderLabel", "createdAtMs"]}
          empty="Nobody has asked."
        />
      );
    case "Dead letters":
      return (
        <RowsPage
          key={tab}
          path="/api/deadletters"
          columns={["id", "channel", "accountId", "messageId", "reason", "atMs"]}
          empty="There is none."
        />
      );
    case "Accounts":
      return <AccountsPage />;
  }
}

/** The whole page: a row of tabs and what the chosen one shows. */
export function App(): ReactNode {
  const playground = useQuery({
    queryKey: ["playground"],
    retry: false,
    queryFn: async () => {
      try {
        return (await api<{ readonly panes: readonly Pane[] }>("/api/playground")).panes;
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return [];
        throw error;
      }
    },
  });
  const [chosen, setChosen] = useState<Tab | null>(null);

  if (playground.isPending) return null;
  if (playground.error instanceof ApiError && playground.error.status === 401)
    return <Login onDone={() => void playground.refetch()} />;
  const panes = playground.data ?? [];
  const tabs = TABS.filter((tab) => tab !== "Playground" || panes.length > 0);
  const tab = chosen ?? tabs[0] ?? "Turns";

  return (
    <>
      <header>
        <strong>Turnwire</strong>
        <nav>
          {tabs.map((name) => (
            <button
              key={name}
              type="button"
              aria-current={name === tab ? "page" : undefined}
              onClick={() => setChosen(name)}
            >
              {name}
            </button>
          ))}
        </nav>
      </header>
      <main>
        {playground.error !== null && <p className="failure">{playground.error.message}</p>}
        <Page tab={tab} panes={panes} />
      </main>
    </>
  );
}
