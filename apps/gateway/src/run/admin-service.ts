import type { InboxRow, OutboxRow, OutboxStatus, Pairing, SessionRow, TurnRow, TurnStore } from "@turnwire/turn-ports";

import type { AccountReport } from "../http/health-routes.ts";

/** What a list is asked for. */
export interface Page {
  readonly limit: number;
  readonly before: string | undefined;
  readonly status: string | undefined;
  readonly sessionKey: string | undefined;
}

/** One page and where the next begins. */
export interface Listed<T> {
  readonly items: readonly T[];
  readonly next?: string | undefined;
}

/** An outbox row without its body. */
export interface OutboxItem {
  readonly id: string;
  readonly seq: number;
  readonly channel: string;
  readonly accountId: string;
  readonly to: string;
  readonly threadId?: string | undefined;
  readonly turnId?: string | undefined;
  readonly purpose: string;
  readonly op: string;
  readonly status: string;
  readonly attempts: number;
  readonly error?: { readonly code: string; readonly message: string } | undefined;
  readonly platformMessageIds: readonly string[];
  readonly createdAtMs: number;
  readonly settledAtMs?: number | undefined;
}

/** An event or a delivery that gave up. */
export interface DeadLetterItem {
  /** `event:<inbox id>` or `delivery:<outbox id>`. */
  readonly id: string;
  readonly kind: "event" | "delivery";
  readonly channel: string;
  readonly accountId: string;
  readonly messageId?: string | undefined;
  readonly reason?: string | undefined;
  readonly atMs: number;
}

/** What the runtime does for an operator; the CLI has a smaller one when no gateway runs. */
export interface RuntimeControl {
  readonly accounts: () => readonly AccountReport[];
  readonly restartAccount: (channel: string, accountId: string) => Promise<boolean>;
  readonly resend: (outboxId: string) => Promise<void>;
  readonly subscribe: (send: (event: string, data: object) => void) => () => void;
}

/** Everything that people look at and do, over the store and the runtime: the API's routes and the CLI call it. */
export interface AdminService {
  readonly accounts: () => readonly AccountReport[];
  readonly turns: (page: Page) => Promise<Listed<TurnRow>>;
  readonly turn: (turnId: string) => Promise<readonly TurnRow[]>;
  readonly sessions: (page: Page) => Promise<Listed<SessionRow>>;
  readonly outbox: (page: Page) => Promise<Listed<OutboxItem>>;
  readonly pairings: () => Promise<readonly Pairing[]>;
  readonly deadLetters: (page: Page) => Promise<Listed<DeadLetterItem>>;
  readonly approvePairing: (code: string) => Promise<boolean>;
  readonly revokePairing: (code: string) => Promise<boolean>;
  readonly retryDeadLetter: (id: string) => Promise<boolean>;
  readonly dropDeadLetter: (id: string) => Promise<boolean>;
  readonly resetSession: (key: string) => Promise<boolean>;
  readonly restartAccount: (channel: string, accountId: string) => Promise<boolean>;
  readonly resend: (outboxId: string) => Promise<boolean>;
  readonly subscribe: (send: (event: string, data: object) => void) => () => void;
}

const OUTBOX_STATUSES: readonly OutboxStatus[] = [
  "queued",
  "sending",
  "sent",
  "rejected",
  "unknown",
  "given_up",
  "superseded",
];

function outboxItem(row: OutboxRow): OutboxItem {
  return {
    id: row.id,
    seq: row.seq,
    channel: row.channel,
    accountId: row.accountId,
    to: row.target.to,
    threadId: row.target.threadId,
    turnId: row.turnId,
    purpose: row.purpose,
    op: row.part.op,
    status: row.status,
    attempts: row.attempts,
    error: row.error,
    platformMessageIds: row.receipt?.platformMessageIds ?? [],
    createdAtMs: row.createdAtMs,
    settledAtMs: row.settledAtMs,
  };
}

function deadEvent(row: InboxRow): DeadLetterItem {
  return {
    id: `event:${row.id}`,
    kind: "event",
    channel: row.channel,
    accountId: row.accountId,
    messageId: row.messageId,
    reason: row.reason,
    atMs: row.endedAtMs ?? row.acceptedAtMs,
  };
}

function deadDelivery(row: OutboxRow): DeadLetterItem {
  return {
    id: `delivery:${row.id}`,
    kind: "delivery",
    channel: row.channel,
    accountId: row.accountId,
    reason: row.error?.code,
    atMs: row.settledAtMs ?? row.createdAtMs,
  };
}

const numberOf = (text: string | undefined): number | undefined =>
  text === undefined || !/^\d+$/.test(text) ? undefined : Number(text);

/** Splits `event:12` or `delivery:abc`; null for anything else. */
function parseDeadLetterId(
  id: string,
): { readonly kind: "event"; readonly id: number } | { readonly kind: "delivery"; readonly id: string } | null {
  const event = /^event:(\d+)$/.exec(id);
  if (event?.[1] !== undefined) return { kind: "event", id: Number(event[1]) };
  const delivery = /^delivery:(.+)$/.exec(id);
  return delivery?.[1] === undefined ? null : { kind: "delivery", id: delivery[1] };
}

/** Builds the service. */
export function createAdminService(store: TurnStore, runtime: RuntimeControl): AdminService {
  return {
    accounts: () => runtime.accounts(),
    async turns(page) {
      const items = await store.turns.list({
        limit: page.limit,
        beforeMs: numberOf(page.before),
        sessionKey: page.sessionKey,
      });
      return { items, next: items.length < page.limit ? undefined : String(items.at(-1)?.startedAtMs) };
    },
    turn: async (turnId) => store.turns.get(turnId),
    async sessions(page) {
      const items = await store.sessions.list({ limit: page.limit, afterKey: page.before });
      return { items, next: items.length < page.limit ? undefined : items.at(-1)?.key };
    },
    async outbox(page) {
      const status = OUTBOX_STATUSES.find((known) => known === page.status);
      const rows = await store.outbox.list({ limit: page.limit, beforeSeq: numberOf(page.before), status });
      return { items: rows.map(outboxItem), next: rows.length < page.limit ? undefined : String(rows.at(-1)?.seq) };
    },
    pairings: async () => store.pairings.list(),
    async deadLetters(page) {
      const [events, deliveries] = await Promise.all([
        store.inbox.list({ status: "dead", limit: page.limit, beforeId: numberOf(page.before) }),
        page.before === undefined ? store.outbox.list({ status: "given_up", limit: page.limit }) : [],
      ]);
      const next = events.length < page.limit ? undefined : String(events.at(-1)?.id);
      return { items: [...deliveries.map(deadDelivery), ...events.map(deadEvent)], next };
    },
    approvePairing: async (code) => (await store.pairings.approve(code)) !== null,
    revokePairing: async (code) => store.pairings.revoke(code),
    async retryDeadLetter(id) {
      const parsed = parseDeadLetterId(id);
      if (parsed?.kind === "event") {
        if ((await store.inbox.get(parsed.id))?.status !== "dead") return false;
        await store.commit([], [{ op: "inbox.revive", id: parsed.id }]);
        return true;
      }
      if (parsed?.kind === "delivery") {
        if ((await store.outbox.get(parsed.id)) === null) return false;
        await runtime.resend(parsed.id);
        return true;
      }
      return false;
    },
    async dropDeadLetter(id) {
      const parsed = parseDeadLetterId(id);
      if (parsed?.kind === "event") {
        if ((await store.inbox.get(parsed.id))?.status !== "dead") return false;
        await store.commit([], [{ op: "inbox.discard", id: parsed.id }]);
        return true;
      }
      if (parsed?.kind === "delivery") {
        if ((await store.outbox.get(parsed.id))?.status !== "given_up") return false;
        await store.commit([], [{ op: "outbox.move", id: parsed.id, from: ["given_up"], to: "superseded" }]);
        return true;
      }
      return false;
    },
    async resetSession(key) {
      if ((await store.sessions.get(key)) === null) return false;
      await store.commit([], [{ op: "session.reset", key }]);
      return true;
    },
    restartAccount: async (channel, accountId) => runtime.restartAccount(channel, accountId),
    async resend(outboxId) {
      const status = (await store.outbox.get(outboxId))?.status;
      if (status !== "unknown" && status !== "given_up") return false;
      await runtime.resend(outboxId);
      return true;
    },
    subscribe: (send) => runtime.subscribe(send),
  };
}
