import type { AgentResume, OutboxRow, ToolJournalEntry } from "@turnwire/turn-ports";

import type { RecoveryPolicy } from "../config/runtime-config.ts";

/** What an attempt before this one left behind. */
export interface Leftovers {
  readonly outbox: readonly OutboxRow[];
  readonly journal: readonly ToolJournalEntry[];
  readonly policy: RecoveryPolicy;
}

/** What becomes of a turn that had begun before. */
export type RecoveryDecision =
  /** Its answer is in the outbox, which delivers what is left of it: nothing is run, nothing is sent twice. */
  | { readonly kind: "answered" }
  /** Not run again; the person is told that it was cut off. */
  | { readonly kind: "notice"; readonly draft: string | null }
  /** Run again. `draft` is the message to go on in. */
  | { readonly kind: "run"; readonly resume: AgentResume | null; readonly draft: string | null };

/** Whether a part was or may have been seen. */
const MAY_BE_SEEN: ReadonlySet<OutboxRow["status"]> = new Set(["sending", "sent", "unknown"]);

/** Decides by the outbox first (what was planned is delivered, never planned anew), then by the policy. Pure. */
export function decideRecovery({ outbox, journal, policy }: Leftovers): RecoveryDecision {
  const isFinal = (row: OutboxRow): boolean => row.purpose === "final" && row.status !== "superseded";
  if (outbox.some(isFinal)) return { kind: "answered" };

  const draft = liveDraftOf(outbox);
  const blocks = outbox.filter(
    (row) => (row.purpose === "block" || row.purpose === "tool") && MAY_BE_SEEN.has(row.status),
  );
  const hasTrace = blocks.length > 0 || draft !== null || journal.length > 0;
  if (policy === "notice" && hasTrace) return { kind: "notice", draft };
  if (blocks.length === 0 && journal.length === 0) return { kind: "run", resume: null, draft };

  const latest = new Map(journal.map((entry) => [entry.callId, entry]));
  const ended = [...latest.values()].filter((entry) => entry.status !== "started");
  const unknown = [...latest.values()].filter((entry) => entry.status === "started");
  return {
    kind: "run",
    draft,
    resume: {
      visibleText: blocks.map((row) => row.part.text ?? "").join("\n"),
      toolResults: ended.map(({ callId, name, result }) => ({ id: callId, name, result: result ?? null })),
      unknownToolCalls: unknown.map(({ callId, name, args }) => ({ id: callId, name, args })),
    },
  };
}

/** The message of a draft that still stands in the chat. */
function liveDraftOf(outbox: readonly OutboxRow[]): string | null {
  const drafts = outbox.filter((row) => row.purpose === "draft");
  const posted = drafts.findLast((row) => row.part.op === "send" && row.status === "sent");
  const id = posted?.receipt?.primaryPlatformMessageId ?? posted?.receipt?.platformMessageIds[0];
  if (id === undefined || drafts.some((row) => row.part.op === "delete" && row.part.messageId === id)) return null;
  return id;
}
