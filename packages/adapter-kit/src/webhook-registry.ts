import { TurnwireError } from "@turnwire/turn-kernel";
import type { ChannelInbox, WebhookAdapter } from "@turnwire/turn-ports";

/** A route with what serves it. */
export interface RegisteredWebhook {
  readonly adapter: WebhookAdapter;
  readonly inbox: ChannelInbox;
}

/** The webhooks that may dispatch messages. The router looks routes up here and nowhere else. */
export interface WebhookRegistry {
  /** @throws TurnwireError `webhook_route_invalid` for a path that is taken or no plain absolute path, and for a body limit that is none. */
  readonly add: (webhook: RegisteredWebhook) => void;
  readonly remove: (path: string) => void;
  /** By the exact path, without query. */
  readonly find: (path: string) => RegisteredWebhook | null;
  /** All routes, sorted: what a boot test compares with the router. */
  readonly paths: () => readonly string[];
}

/** Segments of letters, digits, `.`, `_`, `~`, `-` and `%xx`: no pattern, no query, no empty segment that a router might read otherwise. */
const PLAIN_PATH = /^(?:\/(?:[\w.~-]|%[0-9A-Fa-f]{2})+)+$/;

/** An empty registry: one for each gateway, filled from its accounts. */
export function createWebhookRegistry(): WebhookRegistry {
  const webhooks = new Map<string, RegisteredWebhook>();
  return {
    add(webhook) {
      const { path, bodyLimitBytes } = webhook.adapter;
      const problem = problemOf(path, bodyLimitBytes, webhooks.has(path));
      if (problem !== null) {
        throw new TurnwireError({ code: "webhook_route_invalid", message: `The webhook route ${path} ${problem}.` });
      }
      webhooks.set(path, webhook);
    },
    remove(path) {
      webhooks.delete(path);
    },
    find: (path) => webhooks.get(path) ?? null,
    paths: () => [...webhooks.keys()].toSorted(),
  };
}

function problemOf(path: string, bodyLimitBytes: number, isTaken: boolean): string | null {
  if (!PLAIN_PATH.test(path)) return "must be a plain absolute path, such as /webhooks/telegram/default";
  if (isTaken) return "is taken by another account; give each account a path of its own";
  if (!Number.isSafeInteger(bodyLimitBytes) || bodyLimitBytes <= 0) return "needs a body limit of at least one byte";
  return null;
}
