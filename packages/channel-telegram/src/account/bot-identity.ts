import { TurnwireError } from "@turnwire/turn-kernel";
import { z } from "zod";

import type { TelegramClient } from "../client.ts";
import { toTelegramError } from "../common/telegram-error.ts";

/** Who the account is at Telegram. */
export interface BotIdentity {
  readonly id: string;
  readonly username: string;
  readonly name: string;
  /** Privacy mode is off: the bot sees every message of its groups, not only those that address it. */
  readonly readsAllGroupMessages: boolean;
}

const me = z.object({
  id: z.number().int(),
  first_name: z.string(),
  username: z.string(),
  can_read_all_group_messages: z.boolean().optional(),
});

/** Asks Telegram who we are. @throws TurnwireError `telegram_token_invalid`, `telegram_unreachable` and the others of a failed call. */
export async function fetchBotIdentity(client: TelegramClient, signal: AbortSignal): Promise<BotIdentity> {
  const answer = await client.call({ method: "getMe", params: {} }, signal);
  if (!answer.ok) throw toTelegramError(answer.failure);
  const parsed = me.safeParse(answer.result);
  if (!parsed.success) {
    throw new TurnwireError({
      code: "telegram_answer_malformed",
      message: "The server behind apiRoot answered getMe with something that is no bot; check that it is a Bot API.",
    });
  }
  const { id, first_name: name, username, can_read_all_group_messages: readsAll } = parsed.data;
  return { id: String(id), username, name, readsAllGroupMessages: readsAll ?? false };
}
