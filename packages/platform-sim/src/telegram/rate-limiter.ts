import { tooManyRequests } from "./bot-api-error.ts";
import type { SimChat } from "./world.ts";

/** Published limits: about one message a second in a chat with short bursts, 20 a minute in a group, 30 a second in all. */
const BURST = 3;
const GROUP_PER_MINUTE = 20;
const ALL_PER_SECOND = 30;

/** Refuses what a real server would refuse for its rate. */
export function createRateLimiter(now: () => number): (chat: SimChat) => void {
  const sends: { readonly chatId: number; readonly atMs: number }[] = [];
  return (chat) => {
    const nowMs = now();
    while (sends[0] !== undefined && nowMs - sends[0].atMs > 60_000) sends.shift();
    const within = (ms: number, chatId?: number): number =>
      sends.filter((send) => nowMs - send.atMs < ms && (chatId === undefined || send.chatId === chatId)).length;
    if (within(1_000) >= ALL_PER_SECOND) throw tooManyRequests(1);
    if (within(BURST * 1_000, chat.id) >= BURST) throw tooManyRequests(BURST);
    if (chat.kind !== "private" && within(60_000, chat.id) >= GROUP_PER_MINUTE) throw tooManyRequests(30);
    sends.push({ chatId: chat.id, atMs: nowMs });
  };
}
