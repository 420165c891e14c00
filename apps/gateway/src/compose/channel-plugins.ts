import { TurnwireError } from "@turnwire/turn-kernel";
import type { ChannelPlugin } from "@turnwire/turn-ports";

/** The channels that come with the gateway, loaded only when a config names them: an SDK that is not used costs nothing. */
export const BUILT_IN_CHANNELS: Readonly<Record<string, () => Promise<ChannelPlugin>>> = {
  telegram: async () => (await import("@turnwire/channel-telegram")).turnwireChannel,
};

function isChannelPlugin(value: unknown): value is ChannelPlugin {
  return typeof value === "object" && value !== null && "id" in value && "accountSchema" in value && "create" in value;
}

/**
 * Loads a channel package by name.
 * @throws TurnwireError `plugin_invalid` when it cannot be loaded or does not export a channel of this version.
 */
export async function loadPlugin(packageName: string): Promise<ChannelPlugin> {
  let module: Readonly<Record<string, unknown>>;
  try {
    module = (await import(packageName)) as Readonly<Record<string, unknown>>;
  } catch (cause) {
    throw new TurnwireError({
      code: "plugin_invalid",
      message: `The channel package "${packageName}" of "plugins" cannot be loaded; install it beside the gateway, or remove it from the list.`,
      cause,
    });
  }
  const plugin = module["turnwireChannel"];
  if (!isChannelPlugin(plugin)) {
    throw new TurnwireError({
      code: "plugin_invalid",
      message: `The package "${packageName}" of "plugins" does not export "turnwireChannel"; ask its author for a release that does.`,
    });
  }
  if (plugin.specificationVersion !== 1) {
    throw new TurnwireError({
      code: "plugin_invalid",
      message: `The package "${packageName}" of "plugins" is written for another version of the channel port; install a release for version 1.`,
    });
  }
  return plugin;
}
