import { createOutboundBudget, type OutboundBudget } from "@turnwire/adapter-kit";
import type { Channel, Clock } from "@turnwire/turn-ports";

/** The outbound budget of each account: one for everything that leaves it. */
export interface AccountBudgets {
  readonly of: (channel: Channel) => OutboundBudget;
  readonly close: () => void;
}

/** Budgets come to be with an account's first call; a channel that was made anew gets a new one. */
export function createAccountBudgets(clock: Clock): AccountBudgets {
  const budgets = new Map<string, { readonly channel: Channel; readonly budget: OutboundBudget }>();
  return {
    of(channel) {
      const key = `${channel.id}:${channel.accountId}`;
      const known = budgets.get(key);
      if (known?.channel === channel) return known.budget;
      known?.budget.close();
      const { outboundRate } = channel.capabilities;
      const own = channel.account.outbound;
      const budget = createOutboundBudget({
        clock,
        perBotPerSecond: own?.perBotPerSecond ?? outboundRate.perBotPerSecond,
        perChatPerSecond: own?.perChatPerSecond ?? outboundRate.perChatPerSecond,
        // An operator who sets a chat's rate has said what groups may take, too.
        perGroupPerMinute: own?.perChatPerSecond === undefined ? outboundRate.perGroupPerMinute : undefined,
      });
      budgets.set(key, { channel, budget });
      return budget;
    },
    close() {
      for (const { budget } of budgets.values()) budget.close();
      budgets.clear();
    },
  };
}
