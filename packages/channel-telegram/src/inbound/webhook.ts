import { equalSecrets } from "@turnwire/adapter-kit";
import { TurnwireError } from "@turnwire/turn-kernel";
import type { ChannelContext, WebhookAdapter } from "@turnwire/turn-ports";

import type { BotIdentity } from "../account/bot-identity.ts";
import type { TelegramClient } from "../client.ts";
import { toTelegramError } from "../common/telegram-error.ts";
import { ALLOWED_UPDATES } from "./listen.ts";
import { toRawEvent } from "./raw-event.ts";

/** The header that proves who calls (`setWebhook`, `secret_token`). */
const SECRET_HEADER = "x-telegram-bot-api-secret-token";
/** An update has no files in it; a message of 4096 characters with all its entities stays far below. */
const BODY_LIMIT_BYTES = 1024 * 1024;

/** What a webhook account is served with. */
export interface TelegramWebhookOptions {
  readonly path: string;
  /** Blank: every request is refused. */
  readonly secret: string;
  /** Who we are; null until the listener knows, and until then requests are refused: Telegram delivers again. */
  readonly identity: () => BotIdentity | null;
  readonly now: () => number;
  /** Told of every verified request. */
  readonly onRequest: () => void;
}

/** The transport side of one account's webhook. */
export function createTelegramWebhook(options: TelegramWebhookOptions): WebhookAdapter {
  const { path, secret, identity, now, onRequest } = options;
  return {
    path,
    secret,
    bodyLimitBytes: BODY_LIMIT_BYTES,
    verify: (request) => equalSecrets(request.headers[SECRET_HEADER], secret) && identity() !== null,
    parse(bytes) {
      const bot = identity();
      if (bot === null) return { kind: "ignore" };
      onRequest();
      const update: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
      return { kind: "accept", events: [toRawEvent(update, bot, now())] };
    },
  };
}

/** Where a webhook is reached from outside. */
export function webhookUrl(publicUrl: string, path: string): string {
  return publicUrl.replace(/\/+$/, "") + path;
}

/**
 * Registers the webhook where the gateway has a public origin, and waits for the end: updates come through the gateway's router.
 * @throws TurnwireError `telegram_webhook_refused` when Telegram does not take the address, and those of a failed call.
 */
export async function serveWebhook(
  client: TelegramClient,
  webhook: WebhookAdapter,
  { signal, health, log, publicUrl }: ChannelContext,
): Promise<void> {
  if (publicUrl === undefined) {
    log.info({ path: webhook.path }, "No http.publicUrl is configured: set the bot's webhook yourself");
  } else {
    await registerWebhook(client, webhook, publicUrl, signal);
  }
  if (signal.aborted) return;
  health.connected();
  await new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

async function registerWebhook(
  client: TelegramClient,
  webhook: WebhookAdapter,
  publicUrl: string,
  signal: AbortSignal,
): Promise<void> {
  const url = webhookUrl(publicUrl, webhook.path);
  const params = { url, secret_token: webhook.secret, allowed_updates: ALLOWED_UPDATES };
  const answer = await client.call({ method: "setWebhook", params }, signal);
  if (answer.ok || signal.aborted) return;
  const { failure } = answer;
  if (failure.kind === "refused" && failure.status === 400) {
    throw new TurnwireError({
      code: "telegram_webhook_refused",
      message: `Telegram does not take ${url} as this bot's webhook (${failure.description}); http.publicUrl must be an https address that Telegram can reach on port 443, 80, 88 or 8443.`,
    });
  }
  throw toTelegramError(failure);
}
