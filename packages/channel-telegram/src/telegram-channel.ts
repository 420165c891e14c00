import { createHash } from "node:crypto";

import { TurnwireError } from "@turnwire/turn-kernel";
import type { Channel, ChannelContext, ChannelDeps, ChannelPlugin } from "@turnwire/turn-ports";

import { fetchBotIdentity, type BotIdentity } from "./account/bot-identity.ts";
import { telegramCapabilities } from "./capabilities.ts";
import { createTelegramClient } from "./client.ts";
import { syncCommandMenu } from "./account/command-menu.ts";
import { telegramAccountSchema, type TelegramAccountConfig } from "./config.ts";
import { doctor } from "./account/doctor.ts";
import { listen } from "./inbound/listen.ts";
import { envelope } from "./inbound/raw-event.ts";
import { createTelegramTurnAdapter } from "./inbound/turn-adapter.ts";
import { createTelegramWebhook, serveWebhook } from "./inbound/webhook.ts";
import { deliver } from "./outbound/deliver.ts";
import { reconcile } from "./outbound/reconcile.ts";
import { render } from "./outbound/render.ts";
import { classifyTelegramError } from "./common/telegram-error.ts";

/** What the channel needs beside its config. */
export type TelegramChannelDeps = Pick<ChannelDeps, "accountId" | "clock" | "log">;

/** Makes one Telegram account. Does no I/O before it is started. */
export function createTelegramChannel(config: TelegramAccountConfig, deps: TelegramChannelDeps): Channel {
  const { accountId, clock } = deps;
  const { botToken, apiRoot, mode } = config;
  const client = createTelegramClient({ botToken, apiRoot, clock });
  let identity: BotIdentity | null = null;
  let running: ChannelContext | null = null;
  const webhook =
    mode === "webhook"
      ? createTelegramWebhook({
          path: config.webhook?.path ?? `/webhooks/telegram/${encodeURIComponent(accountId)}`,
          secret: config.webhook?.secretToken ?? "",
          identity: () => identity,
          now: () => clock.now(),
          onRequest: () => running?.health.exchangeOk(),
        })
      : null;

  async function run(context: ChannelContext): Promise<void> {
    if (webhook?.secret === "") {
      throw new TurnwireError({
        code: "telegram_webhook_secret_missing",
        message: `The Telegram account ${accountId} takes webhooks and has no secret; set webhook.secretToken to 1-256 letters, digits, _ or -.`,
      });
    }
    identity = await fetchBotIdentity(client, context.signal);
    // Beside the listener: Telegram may ask to wait for minutes before it takes the menu.
    const menu = config.commandMenu
      ? syncCommandMenu(client, context).catch((error: unknown) => {
          context.log.warn({ error }, "The command menu could not be registered; it is tried again at the next start");
        })
      : Promise.resolve();
    if (webhook === null) await listen(client, identity, context);
    else await serveWebhook(client, webhook, context);
    await menu;
  }

  return {
    specificationVersion: 1,
    id: "telegram",
    accountId,
    account: config,
    // Any number of nodes may take in what Telegram sends to a webhook.
    capabilities: webhook === null ? telegramCapabilities : { ...telegramCapabilities, singleListener: false },
    leaseName: `telegram:${client.botId ?? createHash("sha256").update(botToken).digest("base64url").slice(0, 16)}`,
    webhook,

    async start(context) {
      running = context;
      const stop = new AbortController();
      const signal = AbortSignal.any([context.signal, stop.signal]);
      try {
        await run({ ...context, signal });
      } catch (error) {
        if (!context.signal.aborted) throw error;
      } finally {
        stop.abort();
        running = null;
      }
    },
    stop() {
      client.close();
      return Promise.resolve();
    },

    envelope,
    turnAdapter: (host) => createTelegramTurnAdapter({ accountId, client, clock }, host),
    render: (payload, options) => render(payload, options, config),
    send: (part, target, _idempotencyId, signal) => deliver({ client, clock }, { part, target }, signal),
    reconcile,
    classifyError: classifyTelegramError,
    doctor: (signal) => doctor({ client, config, clock }, signal),
  };
}

/** What a gateway loads: the account's schema, and how an account is made of it. */
export const turnwireChannel: ChannelPlugin = {
  specificationVersion: 1,
  id: "telegram",
  accountSchema: telegramAccountSchema,
  // The gateway hands on what the schema gave.
  create: (config, deps) => createTelegramChannel(config as TelegramAccountConfig, deps),
};
