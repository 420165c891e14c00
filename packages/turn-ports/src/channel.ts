import type { ChannelTurnAdapter, Clock, Ids, ReplyPayload } from "@turnwire/turn-kernel";

import type { ChannelAccountConfig } from "./channel-account-config.ts";
import type { ChannelCapabilities } from "./channel-capabilities.ts";
import type { ChannelHealth } from "./channel-health.ts";
import type { ChannelInbox } from "./channel-inbox.ts";
import type { ChannelState } from "./channel-state.ts";
import type { ErrorClass } from "./error-class.ts";
import type { InboundBatch } from "./inbound-batch.ts";
import type { InboundEnvelope } from "./inbound-envelope.ts";
import type { Logger } from "./logger.ts";
import type { OutboundPart } from "./outbound-part.ts";
import type { OutboundTarget } from "./outbound-target.ts";
import type { RawEvent } from "./raw-event.ts";
import type { ReconcileResult } from "./reconcile-result.ts";
import type { SendOutcome } from "./send-outcome.ts";
import type { TurnHost } from "./turn-host.ts";
import type { WebhookAdapter } from "./webhook-adapter.ts";

/** What a listener runs with. One context belongs to one start: after a restart there is a new one. */
export interface ChannelContext {
  /** Aborted when the listener must stop: shutdown, reload, lost lease. */
  readonly signal: AbortSignal;
  readonly inbox: ChannelInbox;
  readonly state: ChannelState;
  readonly health: ChannelHealth;
  readonly log: Logger;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The gateway's public origin, when it has one: webhook accounts register themselves there. */
  readonly publicUrl?: string | undefined;
}

/** How a payload is to be rendered. */
export interface RenderOptions {
  readonly target: OutboundTarget;
  /** `draft`: one part only, cut at the platform's limit, for text that still grows (fences may be open). */
  readonly mode: "final" | "draft";
  /** For `draft`: names the draft within its chat, a positive integer below 2^31. */
  readonly draftId?: number | undefined;
  /** Render as an edit of this message; parts that do not fit follow as sends. */
  readonly editOf?: string | undefined;
}

/** A health check's line, as `turnwire doctor` prints it. */
export interface DoctorLine {
  readonly ok: boolean;
  readonly check: string;
  /** What to do, when it is not ok. */
  readonly mend?: string | undefined;
}

/** One account of a platform: the port that every `packages/channel-*` implements. */
export interface Channel {
  readonly specificationVersion: 1;
  /** The platform, e.g. `telegram`. */
  readonly id: string;
  readonly accountId: string;
  readonly account: ChannelAccountConfig;
  readonly capabilities: ChannelCapabilities;
  /** What must be single about the listener, e.g. `telegram:<bot id>`; the lease has this name. */
  readonly leaseName: string;
  /** The account's webhook, or null when it listens otherwise. */
  readonly webhook: WebhookAdapter | null;

  /**
   * Runs the listener until `context.signal` aborts; resolves after a clean stop. A rejection ends this run:
   * the supervisor asks `classifyError` and starts again or gives up. It hands events to `context.inbox` and never awaits a turn.
   */
  start(context: ChannelContext): Promise<void>;
  /** Releases what outlives runs of the listener. Idempotent. */
  stop(): Promise<void>;

  /** Pure. A throw makes the event a dead letter. */
  envelope(raw: RawEvent): InboundEnvelope;
  /** The platform's side of a turn. */
  turnAdapter(host: TurnHost): ChannelTurnAdapter<InboundBatch>;
  /** Pure: one payload into the calls it takes, within the platform's limits. */
  render(payload: ReplyPayload, options: RenderOptions): readonly OutboundPart[];
  /** One call to the platform, tried once. Never throws for what the platform answers. `idempotencyId` is the same on every try of the part. */
  send(part: OutboundPart, target: OutboundTarget, idempotencyId: string, signal: AbortSignal): Promise<SendOutcome>;
  /** Settles a send whose answer was lost, by reading back. */
  reconcile(
    part: OutboundPart,
    target: OutboundTarget,
    idempotencyId: string,
    firstAttemptAtMs: number,
    signal: AbortSignal,
  ): Promise<ReconcileResult>;
  /** What the supervisor does after `start` rejected with this. */
  classifyError(error: unknown): ErrorClass;
  /** Checks that the account can work: token, permissions, webhook. Calls the platform. */
  doctor(signal: AbortSignal): Promise<readonly DoctorLine[]>;
}
