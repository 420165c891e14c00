import { createSystemClock } from "@turnwire/adapter-kit";
import { startTelegramSimulator, type TelegramSimulator, type TelegramSimulatorOptions } from "@turnwire/platform-sim";
import { TurnwireError, type Clock } from "@turnwire/turn-kernel";
import type {
  AcceptedAs,
  AcceptOptions,
  Channel,
  ChannelHealth,
  InboundEnvelope,
  JsonValue,
  Logger,
  RawEvent,
} from "@turnwire/turn-ports";

import { telegramAccountSchema, type TelegramAccountConfig } from "../../src/config.ts";
import { createTelegramChannel } from "../../src/telegram-channel.ts";

/** One stored event with its envelope, or why it has none. */
export interface StoredEvent {
  readonly raw: RawEvent;
  readonly envelope: InboundEnvelope | null;
  readonly deadReason?: string;
}

/** A log that keeps what it was told. */
export interface KeptLog extends Logger {
  readonly lines: readonly { readonly level: string; readonly fields: object; readonly message: string }[];
}

/** One run of the listener. */
export interface Run {
  readonly done: Promise<unknown>;
  readonly stop: () => Promise<unknown>;
}

/** A Telegram, one account on it, and a store that lives as long as the world does. */
export interface TelegramWorld extends AsyncDisposable {
  readonly sim: TelegramSimulator;
  readonly channel: Channel;
  readonly config: TelegramAccountConfig;
  readonly events: readonly StoredEvent[];
  readonly cursor: () => string | null;
  readonly state: ReadonlyMap<string, JsonValue>;
  /** What the listener told of its health, newest last. */
  readonly health: readonly string[];
  readonly log: KeptLog;
  /** The next accept fails, and stores nothing. */
  readonly refuseNext: () => void;
  /** Runs the listener; `done` resolves with null, or with the error that ended it. */
  readonly start: (given?: { readonly clock?: Clock; readonly publicUrl?: string }) => Run;
  /** Resolves when the condition holds; looked at after every call, event and accept. */
  readonly until: <T>(probe: () => T | undefined | null | false, what: string) => Promise<T>;
  readonly callsOf: (method: string) => ReturnType<TelegramSimulator["calls"]>;
}

export function keptLog(): KeptLog {
  const lines: { level: string; fields: object; message: string }[] = [];
  const at =
    (level: string) =>
    (fields: object, message: string): void => {
      lines.push({ level, fields, message });
    };
  const log: KeptLog = {
    lines,
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    child: () => log,
  };
  return log;
}

export async function openWorld(
  options: {
    readonly account?: Readonly<Record<string, unknown>>;
    readonly clock?: Clock;
    readonly sim?: TelegramSimulatorOptions;
  } = {},
): Promise<TelegramWorld> {
  const sim = await startTelegramSimulator(options.sim);
  const config = telegramAccountSchema.parse({
    botToken: sim.credentials.botToken,
    apiRoot: sim.apiRoot,
    dmPolicy: "open",
    groupPolicy: "open",
    commandMenu: false,
    ...options.account,
  });
  const clock = options.clock ?? createSystemClock();
  const log = keptLog();
  const channel = createTelegramChannel(config, { accountId: "default", clock, log });
  const events: StoredEvent[] = [];
  const known = new Set<string>();
  const state = new Map<string, JsonValue>();
  const health: string[] = [];
  const watchers = new Set<() => void>();
  const runs: Run[] = [];
  let cursor: string | null = null;
  let refusals = 0;

  const changed = (): void => {
    for (const look of watchers) look();
  };
  sim.onChange(changed);

  function accept(batch: readonly RawEvent[], given: AcceptOptions = {}): Promise<readonly AcceptedAs[]> {
    if (refusals > 0) {
      refusals -= 1;
      return Promise.reject(
        new TurnwireError({ code: "inbox_unavailable", message: "store down", retryAfterMs: 5_000 }),
      );
    }
    const outcomes = batch.map((raw): AcceptedAs => {
      let envelope: InboundEnvelope | null = null;
      let deadReason: string | undefined;
      try {
        envelope = channel.envelope(raw);
      } catch (error) {
        deadReason = String(error);
      }
      const key = envelope?.dedupeKey ?? JSON.stringify(raw.payload);
      if (known.has(key)) return { kind: "duplicate" };
      known.add(key);
      const inboxId = events.push({ raw, envelope, ...(deadReason === undefined ? {} : { deadReason }) });
      return envelope === null ? { kind: "dead", inboxId } : { kind: "accepted", inboxId };
    });
    if (given.cursor !== undefined) ({ cursor } = given);
    for (const { key, value } of given.state ?? []) state.set(key, value);
    changed();
    return Promise.resolve(outcomes);
  }

  const tell = (what: string): void => {
    health.push(what);
    changed();
  };
  const listener: ChannelHealth = {
    connected: () => tell("connected"),
    exchangeOk: () => tell("ok"),
    exchangeFailed: () => tell("failed"),
    closed: () => tell("closed"),
    conflict: () => tell("conflict"),
  };

  return {
    sim,
    channel,
    config,
    events,
    cursor: () => cursor,
    state,
    health,
    log,
    refuseNext: () => {
      refusals += 1;
    },
    start(given = {}) {
      const stop = new AbortController();
      const done = channel
        .start({
          signal: stop.signal,
          inbox: { accept },
          state: { cursor: () => Promise.resolve(cursor), get: (key) => Promise.resolve(state.get(key) ?? null) },
          health: listener,
          log,
          clock: given.clock ?? clock,
          ids: { next: () => "id" },
          publicUrl: given.publicUrl,
        })
        .then(
          () => null,
          (error: unknown) => error,
        );
      const run = {
        done,
        stop: () => {
          stop.abort();
          return done;
        },
      };
      runs.push(run);
      return run;
    },
    until: (probe, what) => until(watchers, probe, what),
    callsOf: (method) => sim.calls().filter((call) => call.method === method),
    async [Symbol.asyncDispose]() {
      await Promise.all(runs.map((run) => run.stop()));
      await sim.close();
    },
  };
}

/** Longest that a test waits for anything, ms: less than a test may take. */
const PATIENCE_MS = 4_000;
/** What nobody tells of, like a call that is being held, is looked for so often, ms. */
const LOOK_MS = 5;

async function until<T>(
  watchers: Set<() => void>,
  probe: () => T | undefined | null | false,
  what: string,
): Promise<T> {
  const found = probe();
  if (found !== undefined && found !== null && found !== false) return found;
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      clearInterval(looking);
      watchers.delete(look);
    };
    const timer = setTimeout(() => {
      end();
      reject(new Error(`${what} did not come about within ${PATIENCE_MS} ms.`));
    }, PATIENCE_MS);
    const look = (): void => {
      const value = probe();
      if (value === undefined || value === null || value === false) return;
      end();
      resolve(value);
    };
    const looking = setInterval(look, LOOK_MS);
    watchers.add(look);
  });
}
