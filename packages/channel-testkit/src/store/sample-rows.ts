import type { AcceptRequest, InboxInsert, OutboxInsert, TurnRow } from "@turnwire/turn-ports";

/** The account that the suite's events belong to. */
export const ACCOUNT = { channel: "telegram", accountId: "default" } as const;

/** A text message of one person. `n` makes its keys and its message id. */
export function anEvent(n: number | string, more: Partial<InboxInsert> = {}): InboxInsert {
  return {
    laneKey: "turn:a",
    dedupeKey: `update:${n}`,
    turnKey: `peer-1::${n}:0`,
    messageId: String(n),
    change: "new",
    routePeer: { kind: "direct", id: "peer-1" },
    senderId: "ada",
    replyTarget: "peer-1",
    kind: "text",
    raw: { type: "message", payload: { text: `message ${n}` }, receivedAtMs: 1 },
    ...more,
  };
}

/** An edit of message `n`, as an event with keys of its own. */
export function anEdit(n: number | string, version: number, more: Partial<InboxInsert> = {}): InboxInsert {
  return anEvent(n, {
    dedupeKey: `update:${n}:edit:${version}`,
    turnKey: `peer-1::${n}:${version}`,
    change: "edit",
    raw: { type: "edited_message", payload: { text: `message ${n}, version ${version}` }, receivedAtMs: 2 },
    ...more,
  });
}

/** A removal of message `n`. */
export function aDelete(n: number | string, more: Partial<InboxInsert> = {}): InboxInsert {
  return anEvent(n, { dedupeKey: `update:${n}:delete`, turnKey: null, change: "delete", kind: "other", ...more });
}

/** A command that goes ahead of the line. */
export function aStop(n: number | string, more: Partial<InboxInsert> = {}): InboxInsert {
  return anEvent(n, { kind: "control", command: "stop", ...more });
}

export function accept(...rows: readonly InboxInsert[]): AcceptRequest {
  return { ...ACCOUNT, rows };
}

/** A visible piece of turn `turn-1`, on its way to `peer-1`. */
export function aPart(id: string, more: Partial<OutboxInsert> = {}): OutboxInsert {
  return {
    id,
    deliverKey: "deliver:telegram:default:peer-1",
    ...ACCOUNT,
    turnId: "turn-1",
    sessionKey: "agent:main:main",
    purpose: "final",
    part: { op: "send", kind: "text", index: 0, body: { text: `part ${id}` }, text: `part ${id}` },
    target: { to: "peer-1", chatKind: "direct" },
    ...more,
  };
}

export function aTurn(turnId: string, more: Partial<TurnRow> = {}): TurnRow {
  return {
    turnId,
    sessionKey: "agent:main:main",
    ...ACCOUNT,
    messageId: "1",
    attempt: 1,
    pass: "run",
    admission: "dispatch",
    startedAtMs: 1_000,
    endedAtMs: 1_010,
    stages: [{ stage: "ingest", event: "done", atMs: 1_000, durationMs: 1 }],
    ...more,
  };
}
