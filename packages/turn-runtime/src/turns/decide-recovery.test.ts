import type { OutboxRow, ToolJournalEntry } from "@turnwire/turn-ports";
import { describe, expect, it } from "vitest";

import { decideRecovery, type Leftovers, type RecoveryDecision } from "./decide-recovery.ts";

function row(changes: Partial<OutboxRow>): OutboxRow {
  return {
    id: "o1",
    seq: 1,
    deliverKey: "deliver:sim:default:1",
    channel: "sim",
    accountId: "default",
    purpose: "final",
    part: { op: "send", kind: "text", index: 0, body: null, text: "seen" },
    target: { to: "1", chatKind: "direct" },
    status: "sent",
    attempts: 1,
    notBeforeMs: 0,
    createdAtMs: 0,
    ...changes,
  };
}

const receipt = { platformMessageIds: ["m7"], parts: [], sentAt: 0 };
const draft = row({ purpose: "draft", receipt });
const deleted = row({ purpose: "draft", part: { op: "delete", kind: "text", index: 0, messageId: "m7", body: null } });
const block = row({ purpose: "block" });
const started: ToolJournalEntry = {
  turnId: "t",
  callId: "c1",
  name: "look",
  args: { q: 1 },
  status: "started",
  atMs: 0,
};
const ended: ToolJournalEntry = { ...started, status: "ended", result: "found" };
const nothing: Leftovers = { outbox: [], journal: [], policy: "resume" };
const fromTheStart: RecoveryDecision = { kind: "run", resume: null, draft: null };

const table: readonly (readonly [string, Leftovers, RecoveryDecision])[] = [
  ["nothing visible, no tool: from the start", nothing, fromTheStart],
  ...(["queued", "sending", "sent", "unknown", "rejected", "given_up"] as const).map(
    (status): readonly [string, Leftovers, RecoveryDecision] => [
      `a final that is ${status}: answered, nothing is run`,
      { ...nothing, outbox: [row({ status })] },
      { kind: "answered" },
    ],
  ),
  ["a superseded final was never seen", { ...nothing, outbox: [row({ status: "superseded" })] }, fromTheStart],
  ["a draft stands there: go on in it", { ...nothing, outbox: [draft] }, { kind: "run", resume: null, draft: "m7" }],
  ["a draft that was taken away is gone", { ...nothing, outbox: [draft, deleted] }, fromTheStart],
  [
    "a draft whose post is unknown cannot be gone on with",
    { ...nothing, outbox: [row({ purpose: "draft", status: "unknown" })] },
    fromTheStart,
  ],
  [
    "blocks were seen: the agent is told",
    { ...nothing, outbox: [block] },
    { kind: "run", draft: null, resume: { visibleText: "seen", toolResults: [], unknownToolCalls: [] } },
  ],
  ["a queued block was not seen", { ...nothing, outbox: [row({ purpose: "block", status: "queued" })] }, fromTheStart],
  [
    "a finished tool is replayed, one without a result is unknown",
    { ...nothing, journal: [started, ended, { ...started, callId: "c2" }] },
    {
      kind: "run",
      draft: null,
      resume: {
        visibleText: "",
        toolResults: [{ id: "c1", name: "look", result: "found" }],
        unknownToolCalls: [{ id: "c2", name: "look", args: { q: 1 } }],
      },
    },
  ],
  ["rerun: only while no tool was called", { ...nothing, policy: "rerun" }, fromTheStart],
  ["notice: nothing visible is simply run again", { ...nothing, policy: "notice" }, fromTheStart],
  [
    "notice: something visible is told of",
    { ...nothing, policy: "notice", outbox: [draft] },
    { kind: "notice", draft: "m7" },
  ],
  [
    "notice: a called tool is told of",
    { ...nothing, policy: "notice", journal: [started] },
    { kind: "notice", draft: null },
  ],
];

describe("decideRecovery", () => {
  it.each(table)("%s", (_name, leftovers, decision) => {
    expect(decideRecovery(leftovers)).toEqual(decision);
  });
});
