import type { ChannelPlugin } from "@turnwire/turn-ports";

import type { GatewayConfig } from "./gateway-config.ts";

/** One account with its validated config, ready to be made into a channel. */
export interface ResolvedAccount {
  readonly channel: string;
  readonly accountId: string;
  /** What the channel's own schema made of it, shared keys included. */
  readonly config: unknown;
  readonly plugin: ChannelPlugin;
  /** Equal for two loads when nothing of the account differs: reload compares it. */
  readonly fingerprint: string;
}

/** A config that can be composed: every key is known and every account is valid. */
export interface ResolvedConfig {
  readonly file: string;
  readonly config: GatewayConfig;
  readonly accounts: readonly ResolvedAccount[];
}
