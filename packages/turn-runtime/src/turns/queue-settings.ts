import type { ChannelAccountConfig } from "@turnwire/turn-ports";

import type { RuntimeConfig } from "../config/runtime-config.ts";
import type { QueueSettings } from "../queue/lane-policy.ts";

/** How a channel's lanes queue: account over channel over general; a session's own mode comes on top. */
export function queueSettingsOf(
  config: RuntimeConfig,
  account: { readonly id: string; readonly queue: ChannelAccountConfig["queue"] },
): QueueSettings {
  const { mode, cap, drop, debounceMs, byChannel, debounceMsByChannel } = config.messages.queue;
  return {
    mode: account.queue?.mode ?? byChannel[account.id] ?? mode,
    cap,
    drop,
    debounceMs: account.queue?.debounceMs ?? debounceMsByChannel[account.id] ?? debounceMs,
  };
}
