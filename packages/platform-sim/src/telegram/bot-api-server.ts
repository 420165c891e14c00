import { textOf } from "../core/text-of.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

import type { ActiveFault, FaultAction } from "../core/faults.ts";
import type { RecordedCall } from "../core/recorder.ts";
import { BotApiError } from "./bot-api-error.ts";
import type { MethodContext } from "./methods/method-context.ts";
import { findMethod } from "./methods/method-table.ts";
import { createRateLimiter } from "./rate-limiter.ts";
import { readRequest } from "./read-request.ts";
import { targetChat, type TelegramState } from "./telegram-state.ts";
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
  readonly body: Json;
  readonly retryAfter?: number | undefined;
}

/** Methods that put something into a chat: the ones that rates are counted for. */
const COUNTED = /^(send(?!ChatAction|MessageDraft)|copy|forward|edit)/i;

function failure(error: unknown): Answer {
  if (!(error instanceof BotApiError)) throw error;
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
      return failure(error);
    }
  }

  async function withFault(fault: ActiveFault | null, run: () => Promise<Answer>): Promise<Answer | "drop"> {
    if (fault === null) return run();
    const { action } = fault;
    if (action.delayMs !== undefined)
      await new Promise<void>((resolve) => {
        state.clock.after(action.delayMs ?? 0, resolve);
      });
    if (action.drop === "before" || action.close === true) return "drop";
    const refused = faultAnswer(action);
    // Refused after the effect is `drop: "after"` together with a status.
    if (refused !== null && action.drop === undefined) {
      await fault.released;
      return refused;
    }
    const answer = await run();
    if (action.duplicate === true) await run();
    await fault.released;
    if (action.drop === "after") return refused ?? "drop";
    return answer;
  }

  async function answer(
    request: FastifyRequest<{ Params: { token: string; method: string } }>,
    reply: FastifyReply,
  ): Promise<unknown> {
    const { token, method } = request.params;
    const startedMs = state.clock.now();
    const gone = new AbortController();
    reply.raw.on("close", () => {
      if (!reply.raw.writableFinished) gone.abort();
    });
    let outcome: Answer | "drop";
    let call = state.recorder.call(method, {});
    state.recorder.calls.pop();
    try {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const { params, uploads } = await readRequest({
        url: new URL(request.url, "http://sim"),
        headers: request.headers,
        body,
      });
      call = state.recorder.call(method, params);
      if (token !== state.token) outcome = failure(new BotApiError(401, "Unauthorized"));
      else {
        const place = params["chat_id"] === undefined ? undefined : textOf(params["chat_id"]);
        const fault = state.faults.take({ method, place, direction: "call" });
        if (fault !== null) call.fault = fault.id;
        outcome = await withFault(fault, async () => perform(method, { params, uploads, signal: gone.signal }, call));
      }
    } catch (error) {
      outcome = failure(error);
    }
    call.tookMs = state.clock.now() - startedMs;
    call.status = outcome === "drop" ? 0 : outcome.status;
    state.feed.emit({ place: textOf(call.params["chat_id"]), kind: "call" });
    if (outcome === "drop") {
      reply.hijack();
      request.raw.socket.destroy();
      return reply;
    }
    if (outcome.retryAfter !== undefined) void reply.header("retry-after", outcome.retryAfter);
    return reply.code(outcome.status).send(outcome.body);
  }

  server.route<{ Params: { token: string; method: string } }>({
    method: ["GET", "POST"],
    url: "/bot:token/:method",
    handler: answer,
  });
  server.get<{ Params: { token: string; "*": string } }>("/file/bot:token/*", async (request, reply) => {
    const file = [...state.files.values()].find((candidate) => candidate.path === request.params["*"]);
    const call = state.recorder.call("downloadFile", { path: request.params["*"] });
    const fault = state.faults.take({ method: "downloadFile", direction: "call" });
    call.status = fault?.action.status ?? (file === undefined || request.params.token !== state.token ? 404 : 200);
    if (call.status !== 200 || file === undefined)
      return reply.code(call.status).send({ ok: false, error_code: call.status, description: "Not Found" });
    return reply.type(file.mediaType).send(Buffer.from(file.bytes));
  });
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
