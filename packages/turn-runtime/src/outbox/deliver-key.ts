import type { OutboundTarget } from "@turnwire/turn-ports";

/** What the key of a delivery queue begins with. */
export const DELIVER_PREFIX = "deliver:";

const unescape = (text: string): string => text.replaceAll("%3A", ":").replaceAll("%25", "%");
const escape = (text: string): string => text.replaceAll("%", "%25").replaceAll(":", "%3A");

/** The delivery queue of a target: parts of one chat and thread leave strictly in order, others do not wait for them. */
export function deliverKeyOf(channel: string, accountId: string, target: OutboundTarget): string {
  const chat = `${DELIVER_PREFIX}${escape(channel)}:${escape(accountId)}:${escape(target.to)}`;
  return target.threadId === undefined ? chat : `${chat}:${escape(target.threadId)}`;
}

/** The account whose queue a key is. */
export function accountOf(key: string): { readonly channelId: string; readonly accountId: string } {
  const [channelId = "", accountId = ""] = key.slice(DELIVER_PREFIX.length).split(":").map(unescape);
  return { channelId, accountId };
}
