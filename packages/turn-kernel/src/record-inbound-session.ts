import type { FinalizedMsgContext } from "./finalized-msg-context.ts";

/** Where later, unprompted sends of a session go. */
export interface UpdateLastRoute {
  readonly sessionKey: string;
  readonly channel: string;
  readonly to: string;
  readonly accountId?: string | undefined;
  readonly threadId?: string | undefined;
  /** Only the pinned owner's direct messages move the main session's route. */
  readonly mainDmOwnerPin?:
    | { readonly ownerRecipient: string; readonly senderRecipient: string; readonly onSkip?: (() => void) | undefined }
    | undefined;
}

/** What the record stage writes. */
export interface RecordInboundSessionParams {
  /** Passed through unread. */
  readonly storePath: string;
  readonly sessionKey: string;
  readonly ctx: FinalizedMsgContext;
  readonly groupResolution?: unknown;
  readonly createIfMissing?: boolean | undefined;
  readonly updateLastRoute?: UpdateLastRoute | undefined;
  /** Gets failures of metadata and of the last route; the turn goes on. */
  onRecordError(err: unknown): void;
  readonly trackSessionMetaTask?: ((task: Promise<unknown>) => void) | undefined;
}

/** Persists session metadata and last route. A throw of its own ends the turn before dispatch. */
export type RecordInboundSession = (params: RecordInboundSessionParams) => Promise<unknown> | void;

/** Overrides of the record stage. */
export interface RecordOptions {
  readonly groupResolution?: unknown;
  readonly createIfMissing?: boolean | undefined;
  readonly updateLastRoute?: UpdateLastRoute | undefined;
  readonly onRecordError?: ((err: unknown) => void) | undefined;
  /** Tasks given here are awaited before finalize. */
  readonly trackSessionMetaTask?: ((task: Promise<unknown>) => void) | undefined;
}
