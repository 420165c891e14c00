import { describe, expect, it } from "vitest";

import { applyContextVisibility } from "./apply-context-visibility.ts";
import type { ContextVisibility } from "./assembled-channel-turn.ts";
import type { SupplementalContextFacts } from "./supplemental-context-facts.ts";

const POLICIES: readonly ContextVisibility[] = ["all", "allowlist", "allowlist_quote"];

/** What of the given facts each policy lets through: the words that the model would read. */
function visible(supplemental: SupplementalContextFacts): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    POLICIES.map((policy) => {
      const { quote, forwarded, thread } = applyContextVisibility(
        { supplemental, inboundHistory: undefined },
        policy,
      ).supplemental;
      const words = [quote?.body, forwarded?.from, thread?.starterBody, thread?.historyBody];
      return [policy, words.filter((word) => word !== undefined)];
    }),
  );
}

describe("context visibility: what each policy shows", () => {
  it.each<{
    readonly case: string;
    readonly facts: SupplementalContextFacts;
    readonly all: readonly string[];
    readonly allowlist: readonly string[];
    readonly allowlist_quote: readonly string[];
  }>([
    {
      case: "a reply to one who is allowed",
      facts: { quote: { body: "q", senderAllowed: true } },
      all: ["q"],
      allowlist: ["q"],
      allowlist_quote: ["q"],
    },
    {
      case: "a reply to one who is not",
      facts: { quote: { body: "q", senderAllowed: false } },
      all: ["q"],
      allowlist: [],
      allowlist_quote: [],
    },
    {
      case: "a reply to one of whom nothing is known",
      facts: { quote: { body: "q" } },
      all: ["q"],
      allowlist: [],
      allowlist_quote: [],
    },
    {
      case: "an explicit quote of one who is not",
      facts: { quote: { body: "q", isQuote: true, senderAllowed: false } },
      all: ["q"],
      allowlist: [],
      allowlist_quote: ["q"],
    },
    {
      case: "an explicit quote from another chat",
      facts: { quote: { body: "q", isQuote: true, isExternal: true } },
      all: ["q"],
      allowlist: [],
      allowlist_quote: [],
    },
    {
      case: "a forward of one who is allowed",
      facts: { forwarded: { from: "f", senderAllowed: true } },
      all: ["f"],
      allowlist: ["f"],
      allowlist_quote: ["f"],
    },
    {
      case: "a forward of one who is not",
      facts: { forwarded: { from: "f" } },
      all: ["f"],
      allowlist: [],
      allowlist_quote: [],
    },
    {
      case: "a thread of one who is allowed",
      facts: { thread: { starterBody: "s", historyBody: "h", senderAllowed: true } },
      all: ["s", "h"],
      allowlist: ["s", "h"],
      allowlist_quote: ["s", "h"],
    },
    {
      case: "a thread of one who is not",
      facts: { thread: { starterBody: "s", historyBody: "h" } },
      all: ["s", "h"],
      allowlist: [],
      allowlist_quote: [],
    },
  ])("$case", ({ facts, all, allowlist, allowlist_quote }) => {
    expect(visible(facts)).toEqual({ all, allowlist, allowlist_quote });
  });

  it("hides words, never the place: ids of a quote and of a thread stay", () => {
    const { supplemental } = applyContextVisibility(
      {
        supplemental: {
          quote: { id: "q", fullId: "qf", body: "said", sender: "Bo" },
          thread: { id: "t", label: "T", parentSessionKey: "p", starterBody: "start" },
          untrustedContext: [{ label: "x", payload: 1 }],
          groupSystemPrompt: "brief",
        },
        inboundHistory: undefined,
      },
      "allowlist",
    );
    expect(supplemental).toEqual({
      quote: { id: "q", fullId: "qf" },
      forwarded: undefined,
      thread: { id: "t", label: "T", parentSessionKey: "p" },
      untrustedContext: [{ label: "x", payload: 1 }],
      groupSystemPrompt: "brief",
    });
  });

  it("keeps nothing of a quote without an id", () => {
    const { supplemental } = applyContextVisibility(
      { supplemental: { quote: { body: "said" } }, inboundHistory: undefined },
      "allowlist",
    );
    expect(supplemental.quote).toBeUndefined();
  });

  it("holds for inbound history too", () => {
    const inboundHistory = [
      { sender: "a", body: "1", senderAllowed: true },
      { sender: "b", body: "2", senderAllowed: false },
      { sender: "c", body: "3" },
    ];
    const shown = POLICIES.map((policy) =>
      applyContextVisibility({ supplemental: {}, inboundHistory }, policy).inboundHistory?.map(({ body }) => body),
    );
    expect(shown).toEqual([["1", "2", "3"], ["1"], ["1"]]);
  });
});
