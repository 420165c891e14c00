import { textOf } from "../core/text-of.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

import { applyDelay } from "../core/apply-delay.ts";
import { DroppedConnection } from "../core/dropped-connection.ts";
import type { FaultAction } from "../core/fault-request.ts";
import type { ActiveFault } from "../core/faults.ts";
import type { RecordedCall } from "../core/recorder.ts";
import { BotApiError } from "./bot-api-error.ts";
import type { MethodContext } from "./methods/method-context.ts";
import { findMethod } from "./methods/method-table.ts";
import { createRateLimiter } from "./rate-limiter.ts";
import { readRequest } from "./read-request.ts";
import { placeKeys, targetChat, type TelegramState } from "./telegram-state.ts";
import type { UpdateQueue } from "./update-queue.ts";
import type { WebhookSender } from "./webhook-sender.ts";
import type { Json } from "./world.ts";

/** What the server works with. */
export interface BotApiServerOptions {
  readonly state: TelegramState;
  readonly queue: UpdateQueue;
  readonly webhook: () => WebhookSender;
  readonly rateLimits: boolean;
}

interface Answer {
  readonly status: number;
  readonly body: Json | Buffer;
  readonly retryAfter?: number | undefined;
  /** Media type of a body that is no JSON. */
  readonly type?: string | undefined;
}

type CallRequest = FastifyRequest<{ Params: { token: string; method: string } }>;

/** Methods that put something into a chat: the ones that rates are counted for. */
const COUNTED = /^(send(?!ChatAction|MessageDraft)|copy|forward|edit)/i;

function failure(error: BotApiError): Answer {
  const { status, message, retryAfter } = error;
  return {
    status,
    body: {
      ok: false,
      error_code: status,
      description: message,
      ...(retryAfter === undefined ? {} : { parameters: { retry_after: retryAfter } }),
    },
    retryAfter,
  };
}

function faultAnswer(action: FaultAction): Answer | null {
  if (action.retryAfter !== undefined)
    return failure(new BotApiError(429, `Too Many Requests: retry after ${action.retryAfter}`, action.retryAfter));
  if (action.status === undefined) return null;
  const body = action.body ?? {
    ok: false,
    error_code: action.status,
    description: action.status >= 500 ? "Internal Server Error" : "Bad Request",
  };
  return { status: action.status, body: body as Json };
}

/** Runs calls of the Bot API, by HTTP and from webhook answers. */
export interface BotApi {
  readonly call: (method: string, params: Json) => Promise<void>;
}

/** Adds `/bot<token>/<method>` and `/file/bot<token>/<path>`. */
export function botApiRoutes(server: FastifyInstance, options: BotApiServerOptions): BotApi {
  const { state, queue, webhook } = options;
  const limit = createRateLimiter(state.clock.now);

  async function perform(
    name: string,
    context: Omit<MethodContext, "state" | "queue" | "webhook">,
    call: RecordedCall,
  ): Promise<Answer> {
    const method = findMethod(name);
    if (method === undefined) {
      state.recorder.violate(`The method ${name} is not known here.`, name);
      return failure(new BotApiError(404, "Not Found: method not found"));
    }
    try {
      if (options.rateLimits && COUNTED.test(name)) limit(targetChat(state, context.params["chat_id"]));
      const result = await method.run({ state, queue, webhook: webhook(), ...context });
      call.result = result;
      call.effect = /^get/i.test(name) ? "none" : "applied";
      return { status: 200, body: { ok: true, result } };
    } catch (error) {
      return refusal(error, name);
    }
  }

  /** An error as the bot sees it. What is no refusal is a fault of the simulator, and is listed. */
  function refusal(error: unknown, name: string): Answer {
    if (error instanceof DroppedConnection) throw error;
    if (error instanceof BotApiError) return failure(error);
    state.recorder.violate(`The simulator failed: ${error instanceof Error ? error.message : textOf(error)}`, name);
    return failure(new BotApiError(500, "Internal Server Error"));
  }

  async function withFault(fault: ActiveFault | null, run: () => Promise<Answer>): Promise<Answer> {
    if (fault === null) return run();
    const { drop, close, duplicate } = fault.action;
    // The delay is before the effect, a hold behind it: only the answer waits for its release.
    await applyDelay(fault.action, state.clock);
    if (drop === "before" || close === true) throw new DroppedConnection();
    const refused = faultAnswer(fault.action);
    // Refused after the effect is `drop: "after"` together with a status.
    if (refused !== null && drop === undefined) {
      await fault.released;
      return refused;
    }
    const answered = await run();
    if (duplicate === true) await run();
    await fault.released;
    if (drop !== "after") return answered;
    if (refused === null) throw new DroppedConnection();
    return refused;
  }

  /** Runs one HTTP call and records it. @throws DroppedConnection when there is to be no answer. */
  async function respond(request: CallRequest, signal: AbortSignal): Promise<Answer> {
    const { token, method } = request.params;
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    let form: Awaited<ReturnType<typeof readRequest>>;
    try {
      form = await readRequest({ url: new URL(request.url, "http://sim"), headers: request.headers, body });
    } catch (error) {
      const unread = refusal(error, method);
      state.recorder.call(method, {}).status = unread.status;
      return unread;
    }
    const { params, uploads } = form;
    const call = state.recorder.call(method, params);
    const tell = (): void => {
      state.feed.emit({ place: textOf(params["chat_id"]), kind: "call" });
    };
    // Told twice: a poll is there long before it is answered.
    tell();
    try {
      const answered = await run();
      call.status = answered.status;
      return answered;
    } finally {
      call.tookMs = state.clock.now() - call.at;
      tell();
    }

    async function run(): Promise<Answer> {
      if (token !== state.token) return failure(new BotApiError(401, "Unauthorized"));
      const places = placeKeys(params["chat_id"], params["message_thread_id"]);
      const fault = state.faults.take({ method, places, direction: "call" });
      if (fault !== null) call.fault = fault.id;
      return withFault(fault, async () => perform(method, { params, uploads, signal }, call));
    }
  }

  /** Sends what `run` answers, or closes the socket when it says so. */
  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    run: (signal: AbortSignal) => Promise<Answer>,
  ): Promise<unknown> {
    const gone = new AbortController();
    reply.raw.on("close", () => {
      if (!reply.raw.writableFinished) gone.abort();
    });
    try {
      const { status, body, retryAfter, type } = await run(gone.signal);
      if (retryAfter !== undefined) void reply.header("retry-after", retryAfter);
      if (type !== undefined) void reply.type(type);
      return await reply.code(status).send(body);
    } catch (error) {
      if (!(error instanceof DroppedConnection)) throw error;
      reply.hijack();
      request.raw.socket.destroy();
      return reply;
    }
  }

  /** Gives a file out: `downloadFile` among the recorded calls and for faults. */
  async function download(token: string, path: string): Promise<Answer> {
    const call = state.recorder.call("downloadFile", { path });
    const fault = state.faults.take({ method: "downloadFile", direction: "call" });
    if (fault !== null) call.fault = fault.id;
    try {
      const answered = await withFault(fault, async () => {
        const file = [...state.files.values()].find((candidate) => candidate.path === path);
        if (file === undefined || token !== state.token) return failure(new BotApiError(404, "Not Found"));
        return { status: 200, body: Buffer.from(file.bytes), type: file.mediaType };
      });
      call.status = answered.status;
      return answered;
    } finally {
      call.tookMs = state.clock.now() - call.at;
    }
  }

  server.route<{ Params: { token: string; method: string } }>({
    method: ["GET", "POST"],
    url: "/bot:token/:method",
    handler: async (request, reply) => send(request, reply, async (signal) => respond(request, signal)),
  });
  server.get<{ Params: { token: string; "*": string } }>("/file/bot:token/*", async (request, reply) =>
    send(request, reply, async () => download(request.params.token, request.params["*"])),
  );
  server.setNotFoundHandler(async (_request, reply) =>
    reply.code(404).send({ ok: false, error_code: 404, description: "Not Found" }),
  );

  return {
    async call(method, params) {
      const call = state.recorder.call(method, params);
      const outcome = await perform(method, { params, uploads: new Map(), signal: new AbortController().signal }, call);
      call.status = outcome.status;
    },
  };
}
