import type { RecordInboundSession } from "./record-inbound-session.ts";
import type { DispatchReplyWithBufferedBlockDispatcher } from "./reply-dispatcher.ts";
import type { RouteFacts } from "./route-facts.ts";
import type { TurnKernel } from "./turn-kernel-api.ts";

/** What a channel plugin gets from the gateway. */
export interface PluginRuntime {
  readonly channel: {
    readonly turn: TurnKernel;
    readonly session: { readonly recordInboundSession: RecordInboundSession };
    readonly reply: { readonly dispatchReplyWithBufferedBlockDispatcher: DispatchReplyWithBufferedBlockDispatcher };
    readonly routing: {
      /** Null when no agent owns the place. */
      resolveAgentRoute(query: {
        readonly channel: string;
        readonly accountId?: string | undefined;
        readonly peer: { readonly kind: "direct" | "group" | "channel"; readonly id: string };
        readonly threadId?: string | undefined;
      }): RouteFacts | null;
    };
  };
  readonly log?:
    | {
        debug?(message: string, fields?: object): void;
        info?(message: string, fields?: object): void;
        warn?(message: string, fields?: object): void;
      }
    | undefined;
  error?(message: string, fields?: object): void;
}
