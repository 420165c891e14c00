import { accountConfigShape } from "@turnwire/adapter-kit";
import type { ChannelAccountConfig } from "@turnwire/turn-ports";
import { z } from "zod";

/** One Telegram account's config, with its defaults filled in: the keys that all channels share, and Telegram's own. */
export interface TelegramAccountConfig extends ChannelAccountConfig {
  readonly botToken: string;
  /** Origin of the Bot API, without a slash at its end. */
  readonly apiRoot: string;
  /** How updates come: the bot asks for them, or Telegram calls the gateway. */
  readonly mode: "polling" | "webhook";
  readonly webhook?:
    | {
        /** Route below the gateway's origin. */
        readonly path?: string | undefined;
        readonly secretToken?: string | undefined;
      }
    | undefined;
  /** Whether the gateway's commands are shown in Telegram's menu. */
  readonly commandMenu: boolean;
}

/** Telegram takes 1 to 256 of these as a webhook's secret (Bot API, `setWebhook`). */
const SECRET_TOKEN = /^[A-Za-z0-9_-]*$/;

/** Schema of one Telegram account's config. */
export const telegramAccountSchema: z.ZodType<TelegramAccountConfig> = z.strictObject({
  ...accountConfigShape,
  botToken: z
    .string()
    .trim()
    .min(1, "is empty; paste the token that @BotFather gave you")
    .describe("The token that @BotFather gave for this bot, like 123456789:AA…"),
  apiRoot: z
    .url({ protocol: /^https?$/ })
    .overwrite((url) => url.replace(/\/+$/, ""))
    .default("https://api.telegram.org")
    .describe("Origin of the Bot API; another one for a self-hosted Bot API server or a simulator."),
  mode: z
    .enum(["polling", "webhook"])
    .default("polling")
    .describe("How updates come: the bot asks for them (polling), or Telegram calls the gateway (webhook)."),
  webhook: z
    .strictObject({
      path: z
        .string()
        .startsWith("/")
        .optional()
        .describe("Route below the gateway's origin; default /webhooks/telegram/<account>."),
      secretToken: z
        .string()
        .max(256)
        .regex(SECRET_TOKEN, "may hold only letters, digits, _ and -")
        .optional()
        .describe("Secret that Telegram sends with every update; without it a webhook account does not start."),
    })
    .optional()
    .describe("Used in webhook mode."),
  commandMenu: z
    .boolean()
    .default(true)
    .describe("Show the gateway's commands in Telegram's menu (setMyCommands); false leaves the menu alone."),
});
