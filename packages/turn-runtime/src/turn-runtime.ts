import type { PluginRuntime } from "@turnwire/turn-kernel";
import type {
  Channel,
  ChannelInbox,
  Clock,
  Ids,
  Logger,
  Telemetry,
  TurnStore,
  WebhookAdapter,
} from "@turnwire/turn-ports";
import { TurnwireError } from "@turnwire/turn-ports";

import { checkResponsePrefix, checkRuntimeConfig } from "./config/check-runtime-config.ts";
import type { RuntimeConfig } from "./config/runtime-config.ts";
import { createChannelInbox } from "./inbox/create-channel-inbox.ts";
import { createLaneDriver } from "./lanes/lane-driver.ts";
import { startLaneWorker } from "./lanes/lane-worker.ts";
import { createRunPermits } from "./lanes/run-permits.ts";
import { createOutbox, type Outbox } from "./outbox/create-outbox.ts";
import { createAgentRouter, type AgentRouter } from "./routing/agent-router.ts";
import type { AccountHealth } from "./supervision/account-health.ts";
import { createListenerSupervisor, type ListenerSupervisor } from "./supervision/listener-supervisor.ts";
import { createListeners } from "./listeners.ts";
import { queueSettingsOf } from "./turns/queue-settings.ts";
import { createTurnEngine } from "./turns/turn-engine.ts";
import type { TurnEvent } from "./turns/turn-record.ts";

/** What a runtime is made of. */
export interface TurnRuntimeOptions {
  readonly config: RuntimeConfig;
  readonly store: TurnStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly telemetry: Telemetry;
  /** Names this process among owners of lanes and leases. Default: a new id. */
  readonly owner?: string | undefined;
  /** Texts that must never leave in an answer: tokens and keys of the configuration. Default none. */
  readonly secrets?: readonly string[] | undefined;
  /** Passed through to adapters unread. */
  readonly cfg?: unknown;
  /** Passed through to adapters unread. Default "". */
  readonly storePath?: string | undefined;
  /** The gateway's public origin: webhook accounts register themselves there. */
  readonly publicUrl?: string | undefined;
}

/** Everything around the kernel, as one thing: `open`, `addChannel`, `start`, `drain`, `close`. */
export interface TurnRuntime {
  readonly store: TurnStore;
  readonly outbox: Outbox;
  readonly router: AgentRouter;
  readonly pluginRuntime: PluginRuntime;
  /** Opens the store, which migrates and makes what ran before a crash wait again. @throws `store_locked`, `store_unavailable`, `store_schema_newer` */
  open(): Promise<void>;
  /** Takes over lanes and deliveries that wait, then starts the listeners. */
  start(): void;
  /** Adds an account; its listener starts with `start`, or at once when that was. @throws `config_invalid`, `account_exists` */
  addChannel(channel: Channel): void;
  /** Stops an account's listener, waits for its turns up to the deadline, and lets it go. What waits for it waits on. */
  removeChannel(channelId: string, accountId: string, drainMs: number): Promise<void>;
  /** An operator's restart of an account's listener; false when there is no such account. */
  restartChannel(channelId: string, accountId: string): Promise<boolean>;
  accounts(): readonly AccountHealth[];
  /** The webhook of an added account by its path, with the inbox that its events go to. */
  webhook(path: string): { readonly adapter: WebhookAdapter; readonly inbox: ChannelInbox } | null;
  /** Stops intake, lets turns end and the outbox empty within the deadline; what is left is handed over. */
  drain(deadlineMs: number): Promise<{ readonly cutOff: number; readonly unsent: number }>;
  /** Releases everything and closes the store. */
  close(): Promise<void>;
  /** Sets the gauges that are read from the store: rows by state, parts by state, slots. */
  observe(): Promise<void>;
  /** Hears of every stage of every turn as it happens; returns how to stop. */
  onTurnEvent(listener: (event: TurnEvent) => void): () => void;
  onAccountChange(listener: (health: AccountHealth) => void): () => void;
}

/** How often a removal looks whether the account's turns are over, ms. */
const REMOVE_POLL_MS = 50;

/** Puts the runtime together. Nothing is started and nothing is read before `open`. @throws TurnwireError `config_invalid` */
export function createTurnRuntime(options: TurnRuntimeOptions): TurnRuntime {
  const { config, store, clock, ids, log, telemetry, secrets, cfg, storePath = "", publicUrl } = options;
  checkRuntimeConfig(config);
  const owner = options.owner ?? ids.next();
  const router = createAgentRouter({
    agents: config.agents,
    bindings: config.bindings,
    dmScope: config.session.dmScope,
  });
  const channels = new Map<string, { readonly channel: Channel; readonly supervisor: ListenerSupervisor }>();
  const turnListeners = createListeners<TurnEvent>(log);
  const accountListeners = createListeners<AccountHealth>(log);
  const channelOf = (channelId: string, accountId: string): Channel | null =>
    channels.get(keyOf(channelId, accountId))?.channel ?? null;
  let isStarted = false;

  const outbox = createOutbox({ store, channel: channelOf, clock, ids, log, telemetry, owner });
  const engine = createTurnEngine({
    store,
    outbox,
    router,
    config,
    clock,
    ids,
    log,
    telemetry,
    secrets,
    cfg,
    storePath,
    channel: channelOf,
    onTurnEvent: turnListeners.tell,
  });
  const permits = createRunPermits(config.limits.maxRuns);
  const { inbound } = config.messages;
  const debounces = [inbound.debounceMs, ...Object.values(inbound.byChannel)].filter((delayMs) => delayMs > 0);
  const lanes = createLaneDriver({
    store,
    clock,
    log,
    telemetry,
    owner,
    pollMs: config.limits.lanePollMs,
    startWorker: (laneKey, fence) =>
      startLaneWorker({
        laneKey,
        fence,
        store,
        clock,
        ids,
        log,
        permits,
        passes: engine,
        maxAttempts: config.agentDefaults.maxAttempts,
        queueSettings(row) {
          const account = channelOf(row.channel, row.accountId)?.account;
          return queueSettingsOf(config, { id: row.channel, queue: account?.queue });
        },
        isDebounced: (row) => (inbound.byChannel[row.channel] ?? inbound.debounceMs) > 0,
        rereadMs: Math.min(config.limits.lanePollMs, ...debounces),
        onDropped: (count) => telemetry.count("queue_dropped_total", {}, count),
      }),
  });

  function openInbox(channel: Channel, lease?: Parameters<typeof createChannelInbox>[0]["lease"]): ChannelInbox {
    return createChannelInbox({ channel, store, router, inbound, clock, telemetry, lease });
  }

  return {
    store,
    outbox,
    router,
    pluginRuntime: engine.pluginRuntime,
    open: () => store.open(),
    start() {
      isStarted = true;
      outbox.start();
      lanes.start();
      for (const { supervisor } of channels.values()) supervisor.start();
    },
    addChannel(channel) {
      const key = keyOf(channel.id, channel.accountId);
      checkResponsePrefix(
        `channels.${channel.id}.accounts.${channel.accountId}.responsePrefix`,
        channel.account.responsePrefix ?? "",
      );
      if (channels.has(key)) {
        throw new TurnwireError({
          code: "account_exists",
          message: `${key} was added before; remove it first, or give the account another id.`,
        });
      }
      const supervisor = createListenerSupervisor({
        channel,
        store,
        clock,
        ids,
        owner,
        publicUrl,
        log: log.child({ channel: channel.id, accountId: channel.accountId }),
        openInbox: (lease) => openInbox(channel, lease),
        onHealth: accountListeners.tell,
      });
      channels.set(key, { channel, supervisor });
      if (isStarted) supervisor.start();
    },
    async removeChannel(channelId, accountId, drainMs) {
      const key = keyOf(channelId, accountId);
      const entry = channels.get(key);
      if (entry === undefined) return;
      await entry.supervisor.stop();
      const deadlineMs = clock.monotonic() + drainMs;
      while (engine.activeOf(channelId, accountId) > 0 && clock.monotonic() < deadlineMs) {
        await new Promise<void>((resolve) => {
          clock.setTimer(resolve, REMOVE_POLL_MS);
        });
      }
      channels.delete(key);
      await entry.channel.stop();
    },
    async restartChannel(channelId, accountId) {
      const entry = channels.get(keyOf(channelId, accountId));
      await entry?.supervisor.restart();
      return entry !== undefined;
    },
    accounts: () => [...channels.values()].map(({ supervisor }) => supervisor.health()),
    webhook(path) {
      for (const { channel } of channels.values()) {
        if (channel.webhook?.path === path) return { adapter: channel.webhook, inbox: openInbox(channel) };
      }
      return null;
    },
    async drain(deadlineMs) {
      const startedMs = clock.monotonic();
      await Promise.all([...channels.values()].map(({ supervisor }) => supervisor.stop()));
      const { cutOff } = await lanes.drain(deadlineMs);
      const { left } = await outbox.drain(Math.max(0, startedMs + deadlineMs - clock.monotonic()));
      return { cutOff, unsent: left };
    },
    async close() {
      await Promise.all([...channels.values()].map(({ supervisor }) => supervisor.stop()));
      await lanes.drain(0);
      await outbox.close();
      await Promise.all([...channels.values()].map(({ channel }) => channel.stop()));
      await store.close();
    },
    async observe() {
      const [inbox, parts] = await Promise.all([store.inbox.counts(), store.outbox.counts()]);
      for (const [state, count] of Object.entries({ ...inbox })) telemetry.gauge("inbox_rows", count, { state });
      for (const [state, count] of Object.entries(parts)) telemetry.gauge("outbox_parts", count, { state });
      telemetry.gauge("runs_active", permits.inUse);
      telemetry.gauge("runs_waiting", permits.waiting);
      telemetry.gauge("lanes_active", lanes.active);
    },
    onTurnEvent: turnListeners.add,
    onAccountChange: accountListeners.add,
  };
}

function keyOf(channelId: string, accountId: string): string {
  return `${channelId}:${accountId}`;
}
