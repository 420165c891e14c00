import { createHash } from "node:crypto";

import type { ChannelContext } from "@turnwire/turn-ports";

import type { TelegramClient } from "../client.ts";
import { MENU_COMMANDS } from "../inbound/commands.ts";
import { toTelegramError } from "../common/telegram-error.ts";
import { wait } from "../common/wait.ts";

/** Where the hash of the registered menu is kept. */
export const MENU_STATE_KEY = "command_menu";
/** Tries in one run of the listener; a menu is no reason to keep calling. */
const MAX_TRIES = 3;

/**
 * Registers the gateway's commands with Telegram's menu, once for each set of commands and bot: the hash is kept in the account's
 * state. Runs beside the listener and never fails it; Telegram may ask to wait for minutes.
 */
export async function syncCommandMenu(
  client: TelegramClient,
  { state, inbox, clock, log, signal }: ChannelContext,
): Promise<void> {
  const commands = MENU_COMMANDS.map(({ name, description }) => ({ command: name, description }));
  const hash = createHash("sha256")
    .update(JSON.stringify([client.botId, commands]))
    .digest("base64url");
  if ((await state.get(MENU_STATE_KEY)) === hash) return;
  for (let tries = 1; tries <= MAX_TRIES && !signal.aborted; tries += 1) {
    const answer = await client.call({ method: "setMyCommands", params: { commands } }, signal);
    if (answer.ok) {
      await inbox.accept([], { state: [{ key: MENU_STATE_KEY, value: hash }] });
      return;
    }
    const error = toTelegramError(answer.failure);
    if (error.retryAfterMs === undefined || tries === MAX_TRIES) {
      log.warn({ code: error.code }, "The command menu could not be registered; it is tried again at the next start");
      return;
    }
    await wait(clock, error.retryAfterMs, signal);
  }
}
