import {
  TurnwireError,
  type AcceptRequest,
  type InboxCounts,
  type InboxRow,
  type JsonValue,
  type OutboxRow,
  type TurnStore,
} from "@turnwire/turn-ports";

import { createBlobFiles } from "./blob-files.ts";
import type { SqliteStoreOptions } from "./sqlite-store-options.ts";
import { startStoreThread, type StoreThread } from "./store-thread.ts";
import {
  toApproval,
  toHistoryEntry,
  toInboxRow,
  toJournalEntry,
  toOutboxRow,
  toPairing,
  toSessionRow,
  toTranscriptEntry,
  toTurnRow,
} from "./to-rows.ts";
import type { WireAccept } from "./worker/accept-batch.ts";
import type { EngineOptions } from "./worker/engine.ts";
import type { InboxRecord } from "./worker/inbox-sql.ts";
import type { OutboxRecord } from "./worker/outbox-sql.ts";
import type { PurgeReport } from "./worker/purge.ts";
import { defaultRetention } from "./worker/retention.ts";

/** Calls that may wait for the worker: at 10,000 writes a second, two seconds of them. */
const MAX_WAITING = 20_000;

/** A `TurnStore`, and what only an embedded store can do. */
export interface SqliteStore extends TurnStore {
  /** One pass of retention over every table, as the store makes by itself; answers how many rows went, by table. */
  purge(): Promise<PurgeReport>;
}

/**
 * The embedded store: one file, one process, one worker thread. Concurrent accepts and commits share a transaction
 * and are answered after its flush.
 * @throws TurnwireError `store_misconfigured` when the options contradict each other
 */
export function createSqliteStore(options: SqliteStoreOptions): SqliteStore {
  const engine = toEngineOptions(options);
  const listeners = new Set<(keys: readonly string[]) => void>();
  let running: StoreThread | undefined;
  let opening: Promise<void> | undefined;

  const thread = (): StoreThread => {
    if (running === undefined) {
      throw new TurnwireError({
        code: "store_unavailable",
        message: `The store ${options.path} is not open; call open() first.`,
      });
    }
    return running;
  };

  const start = async (): Promise<void> => {
    const started = startStoreThread({
      engine,
      clock: options.clock,
      maxWaiting: options.maxWaiting ?? MAX_WAITING,
      onReady(keys) {
        for (const listener of listeners) listener(keys);
      },
    });
    try {
      await started.call("open");
      running = started;
    } catch (error) {
      await started.close();
      throw error;
    }
  };

  const inboxRow = (record: InboxRecord): InboxRow => toInboxRow(record, thread().aheadMs());
  const outboxRow = (record: OutboxRecord): OutboxRow => toOutboxRow(record, thread().aheadMs());

  return {
    kind: "sqlite",
    async open() {
      opening ??= start();
      try {
        await opening;
      } catch (error) {
        opening = undefined;
        throw error;
      }
    },
    async close() {
      const ending = running;
      running = undefined;
      opening = undefined;
      await ending?.close();
    },
    ping: async () => {
      await thread().call("ping");
    },
    accept: async (request) => thread().call("accept", toWireAccept(request)),
    commit: async (fences, writes) => {
      await thread().call("commit", fences, JSON.stringify(writes));
    },
    onReady(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    inbox: {
      ready: async (laneKey, limit) => (await thread().call("inbox.ready", laneKey, limit)).map(inboxRow),
      open: async (laneKey, limit) => (await thread().call("inbox.open", laneKey, limit)).map(inboxRow),
      async get(id) {
        const record = await thread().call("inbox.get", id);
        return record === null ? null : inboxRow(record);
      },
      list: async (filter) => (await thread().call("inbox.list", filter)).map(inboxRow),
      counts: async () => toInboxCounts(await thread().call("counters")),
      waitingOf: async (channel, accountId) => thread().call("inbox.waitingOf", channel, accountId),
    },
    lanes: {
      claim: async (key, owner) => thread().call("lanes.claim", key, owner),
      release: async (fence) => thread().call("lanes.release", fence),
      abandon: async (fence) => {
        await thread().call("lanes.abandon", fence);
      },
      ready: async (limit) => thread().call("lanes.ready", limit),
    },
    outbox: {
      pending: async (deliverKey, limit) => (await thread().call("outbox.pending", deliverKey, limit)).map(outboxRow),
      byTurn: async (turnId) => (await thread().call("outbox.byTurn", turnId)).map(outboxRow),
      async get(id) {
        const record = await thread().call("outbox.get", id);
        return record === null ? null : outboxRow(record);
      },
      list: async (filter) => (await thread().call("outbox.list", filter)).map(outboxRow),
      async counts() {
        const of = await thread().call("counters");
        return {
          queued: of["outbox.queued"] ?? 0,
          sending: of["outbox.sending"] ?? 0,
          sent: of["outbox.sent"] ?? 0,
          rejected: of["outbox.rejected"] ?? 0,
          unknown: of["outbox.unknown"] ?? 0,
          given_up: of["outbox.given_up"] ?? 0,
          superseded: of["outbox.superseded"] ?? 0,
        };
      },
    },
    sessions: {
      async get(key) {
        const record = await thread().call("sessions.get", key);
        return record === null ? null : toSessionRow(record);
      },
      list: async ({ afterKey, limit }) => (await thread().call("sessions.list", afterKey, limit)).map(toSessionRow),
      transcript: async (key, limit) => (await thread().call("sessions.transcript", key, limit)).map(toTranscriptEntry),
    },
    turns: {
      get: async (turnId) => (await thread().call("turns.get", turnId)).map(toTurnRow),
      list: async (filter) => (await thread().call("turns.list", filter)).map(toTurnRow),
    },
    history: {
      load: async (historyKey, limit) => (await thread().call("history.load", historyKey, limit)).map(toHistoryEntry),
    },
    leases: {
      acquire: async (name, holder, ttlMs) => thread().call("leases.acquire", name, holder, ttlMs),
      renew: async (fence, ttlMs) => thread().call("leases.renew", fence, ttlMs),
      release: async (fence) => {
        await thread().call("leases.release", fence);
      },
    },
    journal: {
      byTurn: async (turnId) => (await thread().call("journal.byTurn", turnId)).map(toJournalEntry),
    },
    blobs: createBlobFiles(engine.blobDir, thread),
    pairings: {
      list: async () => (await thread().call("pairings.list")).map(toPairing),
      async find(channel, accountId, senderId) {
        const record = await thread().call("pairings.find", channel, accountId, senderId);
        return record === null ? null : toPairing(record);
      },
      async request(pairing) {
        const { pairing: record, created } = await thread().call("pairings.request", pairing);
        return { pairing: toPairing(record), created };
      },
      async approve(code) {
        const record = await thread().call("pairings.approve", code);
        return record === null ? null : toPairing(record);
      },
      revoke: async (codeOrKey) => thread().call("pairings.revoke", codeOrKey),
    },
    approvals: {
      async get(token) {
        const record = await thread().call("approvals.get", token);
        return record === null ? null : toApproval(record);
      },
      waiting: async (turnId) => (await thread().call("approvals.waiting", turnId)).map(toApproval),
    },
    channelState: (channel, accountId) => ({
      cursor: async () => thread().call("state.cursor", channel, accountId),
      async get(key) {
        const text = await thread().call("state.get", channel, accountId, key);
        return text === null ? null : (JSON.parse(text) as JsonValue);
      },
    }),
    purge: async () => thread().call("purge"),
  };
}

function toEngineOptions(options: SqliteStoreOptions): EngineOptions {
  const retention = { ...defaultRetention, ...options.retention };
  if (retention.dedupeMs <= retention.endedMs) {
    throw misconfigured("retention.dedupeMs must be greater than retention.endedMs: a key outlives its event");
  }
  const blobDir = options.blobDir ?? (options.path === ":memory:" ? undefined : `${options.path}.blobs`);
  if (blobDir === undefined) throw misconfigured("a store in memory needs a blobDir");
  return {
    path: options.path,
    blobDir,
    synchronous: options.synchronous ?? "full",
    mayMigrate: options.migrate ?? true,
    retention,
    maxFileBytes: options.maxFileBytes,
  };
}

function misconfigured(what: string): TurnwireError {
  return new TurnwireError({ code: "store_misconfigured", message: `The SQLite store cannot be set up so: ${what}.` });
}

/** Raw events cross as JSON text: the worker stores them unread. */
function toWireAccept(request: AcceptRequest): WireAccept {
  return {
    ...request,
    rows: request.rows.map((row) => ({ ...row, raw: JSON.stringify(row.raw) })),
    state: request.state?.map(({ key, value }) => ({ key, value: value === null ? null : JSON.stringify(value) })),
  };
}

function toInboxCounts(of: Readonly<Record<string, number>>): InboxCounts {
  return {
    accepted: of["accepted"] ?? 0,
    done: of["done"] ?? 0,
    dropped: of["dropped"] ?? 0,
    handled: of["handled"] ?? 0,
    dead: of["dead"] ?? 0,
    waiting: of["waiting"] ?? 0,
  };
}
