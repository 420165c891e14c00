import type { Channel, ChannelInbox, Clock, Fence, Ids, Logger, TurnStore } from "@turnwire/turn-ports";

import { type AccountHealth, createAccountHealth, sentenceOf } from "./account-health.ts";
import { createBackoff } from "./backoff.ts";
import { classifyRunError, decideRestart, type RestartDecision } from "./decide-restart.ts";
import { type HeldLease, tryHoldLease } from "./hold-lease.ts";
import { runListener } from "./run-listener.ts";
import { wait } from "./wait.ts";

/** First pause after a failure, ms. */
const INITIAL_BACKOFF_MS = 1_000;
/** Longest pause, ms. */
const MAX_BACKOFF_MS = 60_000;
/** A run of this length was stable: the pauses begin anew. */
const STABLE_RUN_MS = 5 * INITIAL_BACKOFF_MS;
/** How often a lease that another holds is asked for, ms: take-over happens within a term and this. */
const STANDBY_POLL_MS = 1_000;

/** What a supervisor works with. */
export interface ListenerSupervisorOptions {
  readonly channel: Channel;
  readonly store: TurnStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  /** Names this process among the holders of leases. */
  readonly owner: string;
  readonly publicUrl?: string | undefined;
  /** Makes the inbox of one run, under its lease. */
  readonly openInbox: (lease: Fence | undefined) => ChannelInbox;
  readonly onHealth: (health: AccountHealth) => void;
  /** 0 to 1; default `Math.random`. */
  readonly random?: (() => number) | undefined;
}

/** One account's listener, kept running. */
export interface ListenerSupervisor {
  readonly channel: Channel;
  readonly start: () => void;
  /** Stops the listener and waits for it. The channel can still send. */
  readonly stop: () => Promise<void>;
  /** An operator's or a reload's restart: also gets a failed account going again. */
  readonly restart: () => Promise<void>;
  readonly health: () => AccountHealth;
}

/** Keeps one listener running: lease, backoff, and health from what its exchanges tell. */
export function createListenerSupervisor(options: ListenerSupervisorOptions): ListenerSupervisor {
  const { channel, store, clock, ids, log, owner, publicUrl, openInbox, onHealth, random = Math.random } = options;
  const health = createAccountHealth({ channel: channel.id, accountId: channel.accountId, clock, onChange: onHealth });
  /** Of the run that there is; aborted while there is none. */
  let stopping = new AbortController();
  stopping.abort("not_started");
  let running: Promise<void> = Promise.resolve();

  async function holdLease(signal: AbortSignal): Promise<HeldLease | null> {
    const request = { leases: store.leases, name: channel.leaseName, holder: owner, clock, log };
    while (!signal.aborted) {
      try {
        const lease = await tryHoldLease(request);
        if (lease !== null) return lease;
        health.set("standby");
      } catch (error) {
        health.set("degraded", sentenceOf(error));
      }
      await wait(clock, STANDBY_POLL_MS, signal);
    }
    return null;
  }

  async function listen(signal: AbortSignal, lease: Fence | undefined): Promise<void> {
    const inbox = openInbox(lease);
    const state = store.channelState(channel.id, channel.accountId);
    await runListener(channel, { signal, inbox, state, health, log, clock, ids, publicUrl });
  }

  /** One run from lease to end, and what follows. */
  async function runOnce(
    stop: AbortSignal,
    backoff: { readonly nextMs: () => number; readonly reset: () => void },
  ): Promise<RestartDecision> {
    const lease = channel.capabilities.singleListener ? await holdLease(stop) : null;
    if (stop.aborted) {
      await lease?.release();
      return { kind: "stop" };
    }
    if (health.current().status === "standby") health.set("starting");
    const startedAtMs = clock.monotonic();
    const signal = lease === null ? stop : AbortSignal.any([stop, lease.lost]);
    let failure: unknown = null;
    try {
      await listen(signal, lease?.fence);
    } catch (error) {
      failure = error;
    }
    const leaseLost = lease?.lost.aborted === true;
    await lease?.release().catch((error: unknown) => {
      log.warn({ error }, "The lease could not be given back; it runs out by itself");
    });
    if (clock.monotonic() - startedAtMs >= STABLE_RUN_MS) backoff.reset();
    if (!stop.aborted && failure !== null) {
      log.warn({ error: failure }, "The listener ended with an error");
      health.exchangeFailed(failure);
    } else if (!stop.aborted) {
      health.closed(leaseLost ? "The lease of the listener was lost." : "The listener ended by itself.");
    }
    const error = classifyRunError(failure, (thrown) => channel.classifyError(thrown));
    return decideRestart({ stopped: stop.aborted, leaseLost, error, backoffMs: backoff.nextMs() });
  }

  async function keepRunning(stop: AbortSignal): Promise<void> {
    const backoff = createBackoff({ initialMs: INITIAL_BACKOFF_MS, maxMs: MAX_BACKOFF_MS, random });
    for (;;) {
      const decision = await runOnce(stop, backoff);
      switch (decision.kind) {
        case "stop":
          health.set("stopped");
          return;
        case "fail":
          log.error({ hint: decision.hint }, `The account is stopped until somebody acts: ${decision.hint}`);
          health.set("failed", decision.hint);
          return;
        case "restart":
          await wait(clock, decision.delayMs, stop);
          health.restarted();
      }
    }
  }

  function start(): void {
    if (!stopping.signal.aborted) return;
    stopping = new AbortController();
    health.set(channel.account.enabled ? "starting" : "stopped");
    if (!channel.account.enabled) return;
    running = keepRunning(stopping.signal).catch((error: unknown) => {
      log.error({ error }, "The supervisor ended with an error");
      health.set("failed", sentenceOf(error));
    });
  }

  async function stop(): Promise<void> {
    stopping.abort("shutdown");
    await running;
    if (health.current().status !== "failed") health.set("stopped");
  }

  return {
    channel,
    start,
    stop,
    async restart() {
      await stop();
      start();
    },
    health: () => health.current(),
  };
}
