import type { AccessFacts } from "./access-facts.ts";
import type { ChannelTurnAdmission } from "./channel-turn-admission.ts";

/**
 * What an operator may want to know about a refusal beside its reason: the channel's own word on it, and how many the
 * allowlist has. No ids: events go to logs.
 */
export function accessDetail({ reason }: ChannelTurnAdmission, access: AccessFacts | undefined): string | undefined {
  if (reason === "dm_denied" || reason === "pairing_required") {
    const { dm } = access ?? {};
    return dm === undefined ? undefined : [dm.reason, listSize(dm.allowFrom)].filter(Boolean).join("; ");
  }
  return reason === "sender_not_allowed" && access?.group !== undefined ? listSize(access.group.allowFrom) : undefined;
}

function listSize(allowFrom: readonly string[]): string {
  return `allowlist of ${allowFrom.length}`;
}
