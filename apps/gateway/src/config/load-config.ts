import { createHash } from "node:crypto";
import { dirname } from "node:path";

import type { ChannelPlugin } from "@turnwire/turn-ports";
import { z } from "zod";

import { BUILT_IN_CHANNELS, loadPlugin } from "../compose/channel-plugins.ts";
import { agentProblems } from "./agent-problems.ts";
import { closestKey } from "./closest-key.ts";
import { configInvalid, type ConfigProblem } from "./config-problem.ts";
import { type GatewayConfig, gatewayConfigSchema } from "./gateway-config.ts";
import { readConfigFile } from "./read-config-file.ts";
import { resolveValues } from "./resolve-values.ts";
import type { ResolvedAccount, ResolvedConfig } from "./resolved-config.ts";
import { schemaProblems } from "./schema-problems.ts";

const JSON_SCHEMA = { io: "input", unrepresentable: "any" } as const;

function rootJsonSchema(): { readonly properties?: Readonly<Record<string, unknown>> } {
  return z.toJSONSchema(gatewayConfigSchema, JSON_SCHEMA);
}

function accountJsonSchema(plugin: ChannelPlugin): Record<string, unknown> {
  return plugin.accountSchema["~standard"].jsonSchema.input({ target: "draft-2020-12" });
}

async function pluginsOf(config: GatewayConfig): Promise<ReadonlyMap<string, ChannelPlugin>> {
  const plugins = new Map<string, ChannelPlugin>();
  for (const name of config.plugins) {
    const plugin = await loadPlugin(name);
    plugins.set(plugin.id, plugin);
  }
  for (const id of Object.keys(config.channels)) {
    const builtIn = BUILT_IN_CHANNELS[id];
    if (!plugins.has(id) && builtIn !== undefined) plugins.set(id, await builtIn());
  }
  return plugins;
}

/** The channel's own keys and the account's, the account's first; `accounts` itself is no key of an account. */
function withDefaults(
  channel: Readonly<Record<string, unknown>>,
  account: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const { accounts: _, ...defaults } = channel;
  return { ...defaults, ...account };
}

function accountsOf(
  config: GatewayConfig,
  plugins: ReadonlyMap<string, ChannelPlugin>,
): { readonly accounts: ResolvedAccount[]; readonly problems: ConfigProblem[] } {
  const accounts: ResolvedAccount[] = [];
  const problems: ConfigProblem[] = [];
  for (const [channelId, channel] of Object.entries(config.channels)) {
    const plugin = plugins.get(channelId);
    if (plugin === undefined) {
      const close = closestKey(channelId, Object.keys(BUILT_IN_CHANNELS));
      const mend =
        close === null
          ? `install its package and name it in "plugins"; built in are ${Object.keys(BUILT_IN_CHANNELS).join(", ")}`
          : `did you mean "${close}"?`;
      problems.push({ path: `channels.${channelId}`, message: `is not a known channel; ${mend}` });
      continue;
    }
    const schema = plugin.accountSchema;
    for (const [accountId, written] of Object.entries(channel.accounts)) {
      const merged = withDefaults(channel, written);
      const parsed = schema.safeParse(merged);
      if (parsed.success) {
        const fingerprint = createHash("sha256").update(JSON.stringify(parsed.data)).digest("hex");
        accounts.push({ channel: channelId, accountId, config: parsed.data, plugin, fingerprint });
      } else {
        const path = ["channels", channelId, "accounts", accountId];
        problems.push(...schemaProblems(accountJsonSchema(plugin), parsed.error.issues, path));
      }
    }
  }
  return { accounts, problems };
}

/** Validates content that was read already; used by the playground too, whose config has no file. */
export async function resolveConfig(
  file: string,
  content: unknown,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ResolvedConfig> {
  const resolved = resolveValues(content, { environment, directory: dirname(file) });
  const parsed = gatewayConfigSchema.safeParse(resolved.value);
  const problems: ConfigProblem[] = [...resolved.problems];
  if (!parsed.success) {
    problems.push(...schemaProblems(rootJsonSchema(), parsed.error.issues));
    throw configInvalid(file, problems);
  }
  problems.push(...agentProblems(parsed.data));
  const { accounts, problems: accountProblems } = accountsOf(parsed.data, await pluginsOf(parsed.data));
  problems.push(...accountProblems);
  if (problems.length > 0) throw configInvalid(file, problems);
  return { file, config: parsed.data, accounts };
}

/**
 * Reads, resolves and validates a config file; every problem is found in one go.
 * @throws TurnwireError `config_missing`, `config_unreadable`, `config_invalid`, `plugin_invalid`.
 */
export async function loadConfig(
  path: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ResolvedConfig> {
  const { file, content } = readConfigFile(path);
  return resolveConfig(file, content, environment);
}

/** JSON Schema of the config file with the accounts of every built-in channel, for editors. */
export async function configJsonSchema(): Promise<object> {
  const root = rootJsonSchema();
  const channels: Record<string, object> = {};
  for (const [id, load] of Object.entries(BUILT_IN_CHANNELS)) {
    const { $schema: _, ...account } = accountJsonSchema(await load());
    // On the channel itself every key is a default, so none is required.
    const { required: __, ...shared } = account;
    const accounts = { type: "object", additionalProperties: account };
    channels[id] = { ...shared, properties: { ...(shared["properties"] as object), accounts } };
  }
  const channelsSchema = { type: "object", properties: channels, additionalProperties: { type: "object" } };
  return { ...root, properties: { ...root.properties, channels: channelsSchema } };
}
