import type { Fence, StoreWrite } from "@turnwire/turn-ports";

import { deferInbox, discardInbox, endInbox, requeueInbox, reviveInbox, runInbox } from "./inbox-writes.ts";
import { insertOutbox, moveOutbox, supersedeOutbox } from "./outbox-writes.ts";
import { appendHistory, clearHistory, putApproval, putJournal, putTurn } from "./record-writes.ts";
import { appendTranscript, putSession, resetSession, settleTranscript } from "./session-writes.ts";
import type { WriteContext } from "./write-context.ts";

/** Carries one write out. */
type Writer<Op extends StoreWrite["op"]> = (
  context: WriteContext,
  write: Extract<StoreWrite, { readonly op: Op }>,
) => void;

/** Every op of the port and what carries it out. */
const writers: { readonly [Op in StoreWrite["op"]]: Writer<Op> } = {
  "inbox.run": runInbox,
  "inbox.defer": deferInbox,
  "inbox.requeue": requeueInbox,
  "inbox.end": endInbox,
  "inbox.revive": reviveInbox,
  "inbox.discard": discardInbox,
  "outbox.insert": insertOutbox,
  "outbox.move": moveOutbox,
  "outbox.supersede": supersedeOutbox,
  "session.put": putSession,
  "session.reset": resetSession,
  "transcript.append": appendTranscript,
  "transcript.settle": settleTranscript,
  "history.append": appendHistory,
  "history.clear": clearHistory,
  "journal.put": putJournal,
  "approval.put": putApproval,
  "turn.put": putTurn,
};

/** One step: all of its writes, in order, under its fences. Runs inside a transaction. */
export function commitWrites(context: WriteContext, fences: readonly Fence[], writes: readonly StoreWrite[]): void {
  context.requireFences(fences);
  for (const write of writes) apply(context, write);
}

function apply<Op extends StoreWrite["op"]>(
  context: WriteContext,
  write: Extract<StoreWrite, { readonly op: Op }> & { readonly op: Op },
): void {
  const writer: Writer<Op> = writers[write.op];
  writer(context, write);
}
