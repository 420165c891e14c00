import type { ContextVisibility } from "./assembled-channel-turn.ts";
import type { InboundHistoryEntry } from "./message-facts.ts";
import type { SupplementalContextFacts } from "./supplemental-context-facts.ts";

/** Context from others, before or after the policy. */
export interface VisibleContext {
  readonly supplemental: SupplementalContextFacts;
  readonly inboundHistory: readonly InboundHistoryEntry[] | undefined;
}

/**
 * Keeps of quote, forward and thread what the policy lets through. `all` keeps everything; `allowlist` what comes from
 * an allowed sender; `allowlist_quote` that and an explicit quote. An absent `senderAllowed` counts as not allowed.
 */
export function applyContextVisibility(context: VisibleContext, visibility: ContextVisibility): VisibleContext {
  if (visibility === "all") return context;
  const { quote, forwarded, thread, ...rest } = context.supplemental;
  const isExplicitQuote = visibility === "allowlist_quote" && quote?.isQuote === true && quote.isExternal !== true;
  const kept: SupplementalContextFacts = {
    ...rest,
    quote: quote?.senderAllowed === true || isExplicitQuote ? quote : withoutWords(quote),
    forwarded: forwarded?.senderAllowed === true ? forwarded : undefined,
    thread: thread?.senderAllowed === true ? thread : withoutThreadWords(thread),
  };
  const inboundHistory = context.inboundHistory?.filter((entry) => entry.senderAllowed === true);
  return { supplemental: kept, inboundHistory };
}

/** Which message is answered is a fact of the place; what it says is not shown. */
function withoutWords(quote: SupplementalContextFacts["quote"]): SupplementalContextFacts["quote"] {
  if (quote === undefined || (quote.id === undefined && quote.fullId === undefined)) return undefined;
  return { id: quote.id, fullId: quote.fullId };
}

function withoutThreadWords(thread: SupplementalContextFacts["thread"]): SupplementalContextFacts["thread"] {
  if (thread === undefined) return undefined;
  const { starterBody: _, historyBody: __, ...rest } = thread;
  return rest;
}
