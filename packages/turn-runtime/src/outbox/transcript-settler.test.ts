import type { DeliveryState, OutboxPurpose, OutboxRow, OutboxStatus } from "@turnwire/turn-ports";
import { describe, expect, it } from "vitest";

import { decideDeliveryState } from "./transcript-settler.ts";

type Part = readonly [index: number, status: OutboxStatus, purpose?: OutboxPurpose];

function rowOf([index, status, purpose = "final"]: Part, seq: number): OutboxRow {
  return {
    id: `p${seq}`,
    seq,
    deliverKey: "deliver:memory:default:dm",
    channel: "memory",
    accountId: "default",
    purpose,
    part: { op: "send", kind: "text", index, body: "x" },
    target: { to: "dm", chatKind: "direct" },
    status,
    attempts: 1,
    notBeforeMs: 0,
    createdAtMs: 0,
  };
}

describe("what a transcript is told of an answer", () => {
  const table: readonly (readonly [string, readonly Part[], DeliveryState | null])[] = [
    ["nothing was to be sent", [], null],
    [
      "all parts are sent",
      [
        [0, "sent"],
        [1, "sent"],
      ],
      "delivered",
    ],
    [
      "a part waits",
      [
        [0, "sent"],
        [1, "queued"],
      ],
      null,
    ],
    [
      "a part is held",
      [
        [0, "unknown"],
        [1, "sent"],
      ],
      "unknown",
    ],
    [
      "a part is refused, and the rest is not sent",
      [
        [0, "sent"],
        [1, "rejected"],
        [2, "superseded"],
      ],
      "failed",
    ],
    ["a part is given up", [[0, "given_up"]], "failed"],
    [
      "an edit was impossible, and the answer sent anew",
      [
        [0, "rejected"],
        [0, "sent"],
      ],
      "delivered",
    ],
    [
      "a block before it is held",
      [
        [0, "unknown", "block"],
        [0, "sent"],
      ],
      "delivered",
    ],
    [
      "the notice about it waits",
      [
        [0, "unknown"],
        [0, "queued", "notice"],
      ],
      "unknown",
    ],
  ];
  it.each(table)("%s", (_name, parts, state) => {
    expect(decideDeliveryState(parts.map(rowOf))).toBe(state);
  });
});
