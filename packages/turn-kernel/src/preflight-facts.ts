import type { AccessFacts } from "./access-facts.ts";
import type { ChannelTurnAdmission } from "./channel-turn-admission.ts";
import type { ConversationFacts } from "./conversation-facts.ts";
import type { InboundMediaFacts } from "./inbound-media-facts.ts";
import type { MessageFacts } from "./message-facts.ts";
import type { ReplyPlanFacts } from "./reply-plan-facts.ts";
import type { RouteFacts } from "./route-facts.ts";
import type { SenderFacts } from "./sender-facts.ts";
import type { SupplementalContextFacts } from "./supplemental-context-facts.ts";

/** A command that preflight recognised. `control` ones (stop, new) pass a mention gate when authorized. */
export interface PreflightCommand {
  readonly name: string;
  readonly body: string;
  readonly control: boolean;
}

/** Where a message that starts no turn is remembered. */
export interface PreflightHistory {
  readonly key: string;
  readonly limit: number;
  readonly mediaLimit?: number | undefined;
  /** Asked just before writing. */
  readonly shouldRecord?: (() => boolean) | undefined;
}

/** Partial facts known before the turn is resolved. Where `resolve` gives the same fact, it wins, field by field. */
export interface PreflightFacts {
  readonly admission?: ChannelTurnAdmission | undefined;
  readonly message?: Partial<MessageFacts> | undefined;
  /** As a function it is called only if history is recorded. */
  readonly media?:
    | readonly InboundMediaFacts[]
    | (() => readonly InboundMediaFacts[] | Promise<readonly InboundMediaFacts[]>)
    | undefined;
  readonly history?: PreflightHistory | undefined;
  readonly supplemental?: SupplementalContextFacts | undefined;
  readonly sender?: Partial<SenderFacts> | undefined;
  readonly conversation?: Partial<ConversationFacts> | undefined;
  readonly route?: Partial<RouteFacts> | undefined;
  readonly reply?: Partial<ReplyPlanFacts> | undefined;
  readonly access?: AccessFacts | undefined;
  readonly command?: PreflightCommand | undefined;
}
