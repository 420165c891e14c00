import type { TurnRuntime } from "@turnwire/turn-runtime";

import type { RuntimeControl } from "./admin-service.ts";

/** What the API and the console ask of a running runtime. */
export function createRuntimeControl(runtime: TurnRuntime): RuntimeControl {
  return {
    accounts: () => runtime.accounts(),
    restartAccount: async (channel, accountId) => Promise.resolve(runtime.restartChannel(channel, accountId)),
    resend: async (outboxId) => runtime.outbox.resend(outboxId),
    subscribe(send) {
      const stopTurns = runtime.onTurnEvent(({ error: _, ...event }) => {
        send("turn", event);
      });
      const stopAccounts = runtime.onAccountChange((account) => {
        send("account", account);
      });
      return () => {
        stopTurns();
        stopAccounts();
      };
    },
  };
}
