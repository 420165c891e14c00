export { telegramCapabilities } from "./capabilities.ts";
export { telegramAccountSchema } from "./config.ts";
export type { TelegramAccountConfig } from "./config.ts";
export { createTelegramChannel, turnwireChannel } from "./telegram-channel.ts";
export type { TelegramChannelDeps } from "./telegram-channel.ts";
