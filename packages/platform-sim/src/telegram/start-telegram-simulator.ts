import Fastify from "fastify";

import { type ChangeFeed, createChangeFeed } from "../core/change-feed.ts";
import { controlRoutes } from "../core/control-routes.ts";
import { createFaults, type Faults } from "../core/faults.ts";
import { createRecorder, type RecordedCall, type RecordedEvent, type Violation } from "../core/recorder.ts";
import { createManualClock, createRealClock } from "../core/sim-clock.ts";
import { botApiRoutes, type BotApi } from "./bot-api-server.ts";
import { createTelegramState, placeKey, resetTelegramState } from "./telegram-state.ts";
import { createTelegramVerbs, type TelegramVerbs } from "./telegram-verbs.ts";
import { createUpdateQueue } from "./update-queue.ts";
import { createWebhookSender } from "./webhook-sender.ts";
import type { Json } from "./world.ts";

/** How to start. */
export interface TelegramSimulatorOptions {
  /** Default: a free one. */
  readonly port?: number;
  /** Default loopback; another needs `controlToken`. */
  readonly host?: string;
  readonly controlToken?: string;
  /** The same seed gives the same ids and tokens. Default 1. */
  readonly seed?: number;
  readonly clock?: "real" | "manual";
  /** Refuses what a real server would for its rate. Default false. */
  readonly rateLimits?: boolean;
}

/** A Telegram that runs on this machine. */
export interface TelegramSimulator extends TelegramVerbs, AsyncDisposable {
  readonly platform: "telegram";
  /** What a client takes as API root. */
  readonly apiRoot: string;
  /** Where the control surface is. */
  readonly control: string;
  readonly credentials: { readonly botToken: string };
  readonly bot: { readonly id: string; readonly username: string; readonly name: string };
  /** Names and native ids of the places that are there from the start. */
  readonly defaults: {
    readonly people: readonly { readonly name: string; readonly id: string }[];
    readonly places: readonly {
      readonly name: string;
      readonly kind: string;
      readonly id: string;
      readonly thread?: string;
    }[];
  };
  readonly emit: (event: Json) => { readonly eventIds: readonly string[] };
  readonly calls: (since?: number) => readonly RecordedCall[];
  readonly events: (since?: number) => readonly RecordedEvent[];
  readonly violations: () => readonly Violation[];
  readonly faults: Faults;
  readonly onChange: ChangeFeed["listen"];
  /** Resolves with the first defined value of the probe; rejects after its deadline. */
  readonly waitFor: ChangeFeed["waitFor"];
  readonly advanceClock: (ms: number) => void;
  readonly reset: () => void;
  readonly close: () => Promise<void>;
}

/** Media of 50 MB and the form around them. */
const BODY_LIMIT_BYTES = 60 * 1024 * 1024;

/** Starts a Telegram on loopback, with a bot, the people `ann` and `bob`, their direct chats, a forum group and a topic. */
export async function startTelegramSimulator(options: TelegramSimulatorOptions = {}): Promise<TelegramSimulator> {
  const { host = "127.0.0.1", port = 0, seed = 1, controlToken } = options;
  if (host !== "127.0.0.1" && host !== "localhost" && host !== "::1" && controlToken === undefined)
    throw new Error(`On ${host} the simulator could be driven by others; set a control token.`);
  const clock = options.clock === "manual" ? createManualClock() : createRealClock();
  const recorder = createRecorder(clock.now);
  const faults = createFaults((place) => placeKey(state, place));
  const feed = createChangeFeed();
  const state = createTelegramState({ clock, recorder, faults, feed, seed });
  const queue = createUpdateQueue(state);
  const verbs = createTelegramVerbs(state, queue);
  const server = Fastify({
    bodyLimit: BODY_LIMIT_BYTES,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 500 },
  });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => {
    done(null, body);
  });
  let api: BotApi | null = null;
  const webhook = createWebhookSender(state, queue, async (method, params) => api?.call(method, params));
  api = botApiRoutes(server, { state, queue, webhook: () => webhook, rateLimits: options.rateLimits ?? false });

  function reset(): void {
    webhook.remove(false);
    queue.clear();
    recorder.clear();
    faults.clear();
    resetTelegramState(state);
  }

  const emit = (event: Json): { readonly eventIds: readonly string[] } => ({ eventIds: [queue.emit(event).eventId] });
  const describe = (): TelegramSimulator["defaults"] => ({
    people: [...state.users.values()]
      .filter((user) => user.id !== state.bot.id)
      .map(({ name, id }) => ({ name, id: String(id) })),
    places: [...state.places].map(([name, { chatId, threadId }]) => ({
      name,
      kind: placeKind(chatId, threadId),
      id: String(chatId),
      ...(threadId === undefined ? {} : { thread: String(threadId) }),
    })),
  });
  function placeKind(chatId: number, threadId: number | undefined): string {
    if (threadId !== undefined) return "topic";
    const kind = state.chats.get(chatId)?.kind;
    if (kind === "private") return "direct";
    return kind === "channel" ? "channel" : "group";
  }

  const { messages, place, ...posts } = verbs;
  controlRoutes(
    server,
    {
      clock,
      recorder,
      faults,
      feed,
      verbs: posts,
      messages,
      place,
      emit,
      app: null,
      state: () => ({
        platform: "telegram",
        now: clock.now(),
        bot: { id: String(state.bot.id), username: state.bot.username },
        ...describe(),
        pendingUpdates: queue.pending().length,
        webhook: webhook.info(),
      }),
      reset,
    },
    controlToken,
  );
  const address = await server.listen({ host, port });
  const close = async (): Promise<void> => {
    webhook.close();
    queue.clear();
    faults.clear();
    clock.close();
    await server.close();
  };

  return {
    platform: "telegram",
    apiRoot: address,
    control: `${address}/_sim`,
    credentials: { botToken: state.token },
    bot: { id: String(state.bot.id), username: state.bot.username, name: state.bot.name },
    defaults: describe(),
    ...verbs,
    emit,
    calls: (from = 0) => recorder.calls.filter((call) => call.seq > from),
    events: (from = 0) => recorder.events.filter((event) => event.seq > from),
    violations: () => recorder.violations,
    faults,
    onChange: feed.listen,
    waitFor: feed.waitFor,
    advanceClock: clock.advance,
    reset,
    close,
    [Symbol.asyncDispose]: close,
  };
}
