import type { InboxRow } from "@turnwire/turn-ports";
import { describe, expect, it } from "vitest";

import { batchFreshRows, batchKnownRows } from "./batch-rows.ts";

function row(id: number, changes: Partial<InboxRow> = {}): InboxRow {
  return {
    id,
    channel: "telegram",
    accountId: "default",
    laneKey: "turn:agent:main:main",
    dedupeKey: `d${id}`,
    turnKey: `t${id}`,
    messageId: `m${id}`,
    change: "new",
    routePeer: { kind: "direct", id: "1" },
    senderId: "ann",
    replyTarget: "1",
    kind: "text",
    raw: { type: "message", payload: null, receivedAtMs: 0 },
    status: "waiting",
    attempt: 0,
    acceptedAtMs: 0,
    notBeforeMs: 0,
    ...changes,
  };
}

const ids = (batches: readonly (readonly InboxRow[])[]): readonly string[] =>
  batches.map((batch) => batch.map(({ id }) => id).join("+"));

const fresh: readonly (readonly [string, readonly InboxRow[], readonly string[]])[] = [
  ["successive texts of one person", [row(1), row(2), row(3)], ["1+2+3"]],
  ["a photo joins and ends the window", [row(1), row(2, { kind: "media" }), row(3)], ["1+2", "3"]],
  ["another person in between", [row(1), row(2, { senderId: "bob" }), row(3)], ["1", "2", "3"]],
  ["another thread", [row(1), row(2, { threadId: "9" })], ["1", "2"]],
  ["another account", [row(1), row(2, { accountId: "work" })], ["1", "2"]],
  ["another place", [row(1), row(2, { routePeer: { kind: "group", id: "1" } })], ["1", "2"]],
  ["what is neither text nor media stands alone", [row(1), row(2, { kind: "other" }), row(3)], ["1", "2", "3"]],
  ["nothing", [], []],
];

describe("batchFreshRows", () => {
  it.each(fresh)("%s", (_name, rows, batches) => {
    expect(ids(batchFreshRows(rows, () => true))).toEqual(batches);
  });

  it("without debounce every row stands alone", () => {
    expect(ids(batchFreshRows([row(1), row(2)], () => false))).toEqual(["1", "2"]);
  });
});

describe("batchKnownRows", () => {
  it("keeps together what one turn had taken, in the order of its first row", () => {
    const rows = [row(1, { turnId: "a" }), row(2), row(3, { turnId: "a" }), row(4, { turnId: "b" })];
    expect(ids(batchKnownRows(rows))).toEqual(["1+3", "2", "4"]);
  });
});
