import type { JsonValue } from "./json-value.ts";

/** A waiting question about a tool call, bound to account, conversation, turn and the people who may answer. */
export interface Approval {
  readonly token: string;
  readonly turnId: string;
  readonly channel: string;
  readonly accountId: string;
  readonly conversationId: string;
  readonly approvers: readonly string[];
  readonly question: JsonValue;
  readonly status: "waiting" | "approved" | "refused" | "expired";
  readonly answeredBy?: string | undefined;
  readonly expiresAtMs: number;
}

/** Approvals outlive a restart; writes go through `TurnStore.commit`. */
export interface ApprovalStore {
  get(token: string): Promise<Approval | null>;
  waiting(turnId: string): Promise<readonly Approval[]>;
}
