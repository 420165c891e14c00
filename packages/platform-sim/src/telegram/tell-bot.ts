import type { TelegramState } from "./telegram-state.ts";
import type { UpdateQueue } from "./update-queue.ts";
import type { Json, SimChat } from "./world.ts";

/** Tells the bot of what happened in a chat, when it is in it. Returns the ids of the events. */
export function tellBot(
  { state, queue }: { readonly state: TelegramState; readonly queue: UpdateQueue },
  chat: SimChat,
  kind: string,
  payload: Json,
): readonly string[] {
  return chat.members.has(state.bot.id) ? [queue.push(kind, payload).eventId] : [];
}
