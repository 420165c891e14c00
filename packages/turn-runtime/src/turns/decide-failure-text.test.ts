import { describe, expect, it } from "vitest";

import { decideFailureText, type FailedTurn } from "./decide-failure-text.ts";
import { FAILURE_NOTICES } from "./notice-texts.ts";

const direct: FailedTurn = { chatKind: "direct", code: "runner_threw", verbose: "off" };
const group: FailedTurn = { ...direct, chatKind: "group" };

const table: readonly (readonly [string, FailedTurn, string | null])[] = [
  ["direct, unclassified: one fixed sentence", direct, FAILURE_NOTICES.internal.text],
  [
    "direct, unclassified: the runner's own words never leave",
    { ...direct, userText: "ECONNREFUSED 10.0.0.7" },
    FAILURE_NOTICES.internal.text,
  ],
  [
    "direct, /verbose full: with the code",
    { ...direct, verbose: "full" },
    `${FAILURE_NOTICES.internal.text} (runner_threw)`,
  ],
  ["direct, /verbose on: without it", { ...direct, verbose: "on" }, FAILURE_NOTICES.internal.text],
  ["direct, timed out", { ...direct, code: "timed_out" }, FAILURE_NOTICES.timed_out.text],
  [
    "direct, classified, with the runner's sentence",
    { ...direct, code: "runner_rate_limited", userText: "Quota is back at 9." },
    "Quota is back at 9.",
  ],
  ["group, unclassified: silence", group, null],
  ["group, unclassified, /verbose full: silence all the same", { ...group, verbose: "full" }, null],
  ["group, timed out: silence", { ...group, code: "timed_out" }, null],
  [
    "group, missing key: people can act upon it",
    { ...group, code: "runner_auth_missing" },
    FAILURE_NOTICES.auth_missing.text,
  ],
  ["group, refusal: a word, not a hang", { ...group, code: "runner_refused" }, FAILURE_NOTICES.refused.text],
];

describe("decideFailureText", () => {
  it.each(table)("%s", (_name, failed, text) => {
    expect(decideFailureText(failed)).toBe(text);
  });
});
