import type { Channel, Clock, Ids, Logger, Telemetry, TurnStore } from "@turnwire/turn-ports";

import type { RuntimeConfig } from "../config/runtime-config.ts";
import type { AgentRouter } from "../routing/agent-router.ts";
import type { TurnEvent } from "./turn-record.ts";
import type { TurnOutbox } from "./turn-outbox.ts";

/** What turns are run with. */
export interface TurnEngineOptions {
  readonly store: TurnStore;
  readonly outbox: TurnOutbox;
  readonly router: AgentRouter;
  readonly config: RuntimeConfig;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly telemetry: Telemetry;
  readonly channel: (channelId: string, accountId: string) => Channel | null;
  /** Texts that must never leave: tokens and keys of the configuration. Default none. */
  readonly secrets?: readonly string[] | undefined;
  /** Passed through to adapters unread. */
  readonly cfg?: unknown;
  /** Passed through to adapters and `recordInboundSession` unread. */
  readonly storePath: string;
  readonly onTurnEvent: (event: TurnEvent) => void;
}
