/** A direct-message pairing: a person who asked, and whether an operator let them in. */
export interface Pairing {
  readonly code: string;
  readonly channel: string;
  readonly accountId: string;
  readonly senderId: string;
  readonly senderLabel?: string | undefined;
  readonly status: "pending" | "approved";
  readonly createdAtMs: number;
}

/** Pairings of direct chats. */
export interface PairingStore {
  list(): Promise<readonly Pairing[]>;
  find(channel: string, accountId: string, senderId: string): Promise<Pairing | null>;
  /** Inserts a pending pairing, or returns the one that exists for this sender. */
  request(
    pairing: Omit<Pairing, "status" | "createdAtMs">,
  ): Promise<{ readonly pairing: Pairing; readonly created: boolean }>;
  approve(code: string): Promise<Pairing | null>;
  /** Removes a pairing by code or by `channel:accountId:senderId`; false when there is none. */
  revoke(codeOrKey: string): Promise<boolean>;
}
