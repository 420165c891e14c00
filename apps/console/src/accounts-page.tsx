import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { type Account, api } from "./api.ts";
import { useEventSource } from "./use-event-source.ts";

/** Each account with its state, and what to do where it has failed. */
export function AccountsPage(): ReactNode {
  const queries = useQueryClient();
  const accounts = useQuery({
    queryKey: ["accounts"],
    queryFn: async () => api<{ readonly items: readonly Account[] }>("/api/accounts"),
    refetchInterval: 5_000,
  });
  useEventSource("/api/events", "account", () => void queries.invalidateQueries({ queryKey: ["accounts"] }));
  if (accounts.error !== null) return <p className="failure">{accounts.error.message}</p>;
  if (accounts.data?.items.length === 0) return <p className="hint">The config names no account.</p>;
  return (
    <ul className="accounts">
      {accounts.data?.items.map((account) => (
        <li key={`${account.channel}:${account.accountId}`}>
          <span className={`badge ${account.status}`}>{account.status}</span>
          <b>
            {account.channel}:{account.accountId}
          </b>
          <span>since {new Date(account.sinceMs).toLocaleTimeString()}</span>
          {account.lastExchangeMs !== undefined && (
            <span>last exchange {new Date(account.lastExchangeMs).toLocaleTimeString()}</span>
          )}
          <span>{account.restarts} restarts</span>
          {account.lastError !== undefined && <p className="failure">{account.lastError}</p>}
        </li>
      ))}
    </ul>
  );
}
