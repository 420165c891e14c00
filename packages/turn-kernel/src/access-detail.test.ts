import { expect, it } from "vitest";

import { accessDetail } from "./access-detail.ts";

const dm = { decision: "deny", reason: "not on the list", allowFrom: ["ann", "bob"] } as const;
const group = {
  policy: "allowlist",
  routeAllowed: true,
  senderAllowed: false,
  allowFrom: ["ann"],
  requireMention: false,
} as const;

it.each([
  { reason: "dm_denied", access: { dm }, says: "not on the list; allowlist of 2" },
  { reason: "pairing_required", access: { dm: { ...dm, reason: undefined } }, says: "allowlist of 2" },
  { reason: "dm_denied", access: {}, says: undefined },
  { reason: "dm_denied", access: undefined, says: undefined },
  { reason: "sender_not_allowed", access: { group }, says: "allowlist of 1" },
  { reason: "sender_not_allowed", access: { dm }, says: undefined },
  { reason: "missing_mention", access: { dm, group }, says: undefined },
  { reason: undefined, access: { dm, group }, says: undefined },
])("$reason says $says, and never who is on a list", ({ reason, access, says }) => {
  expect(accessDetail({ kind: "drop", reason }, access)).toBe(says);
});
