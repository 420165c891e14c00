import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import type { AgentEvent, AgentRunContext, Clock } from "@turnwire/turn-ports";
import { afterEach, describe, expect, it } from "vitest";

import { decideResponse } from "./decide-response.ts";
import { createHttpRunner } from "./http-runner.ts";

const context: AgentRunContext = {
  turnId: "t1",
  attempt: 2,
  agent: { id: "main", name: "Ada" },
  session: { key: "agent:main:main", generation: 0 },
  message: { BodyForAgent: "hello", CommandAuthorized: false },
  transcript: [],
  history: [],
  tools: [],
  limits: { maxSteps: 1, maxOutputTokens: 1, timeoutMs: 60_000 },
};

/** Time stands still and every pause is over at once: what counts is how often was asked. */
function impatientClock(): Clock & { readonly pauses: readonly number[] } {
  const pauses: number[] = [];
  return {
    pauses,
    now: () => 0,
    monotonic: () => 0,
    setTimer(callback, delayMs) {
      // The run's own limit stays ahead.
      if (delayMs >= 60_000) return () => undefined;
      pauses.push(delayMs);
      queueMicrotask(callback);
      return () => undefined;
    },
  };
}

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
  }
});

async function serve(...handlers: readonly Handler[]): Promise<{
  readonly url: string;
  readonly bodies: readonly string[];
  readonly headers: readonly IncomingMessage["headers"][];
}> {
  const bodies: string[] = [];
  const headers: IncomingMessage["headers"][] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      const handler = handlers[Math.min(bodies.length, handlers.length - 1)];
      bodies.push(body);
      headers.push(request.headers);
      handler?.(request, response, body);
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, bodies, headers };
}

const stream =
  (...events: readonly (readonly [string, unknown])[]): Handler =>
  (_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const [name, data] of events) response.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
    response.end();
  };

const status =
  (code: number, headers: Record<string, string> = {}): Handler =>
  (_request, response) => {
    response.writeHead(code, headers).end();
  };

async function run(
  url: string,
  options: { readonly clock?: Clock; readonly signal?: AbortSignal } = {},
): Promise<readonly AgentEvent[]> {
  const runner = createHttpRunner({
    clock: options.clock ?? impatientClock(),
    url,
    headers: { authorization: "Bearer x" },
  });
  const events: AgentEvent[] = [];
  const controls = {
    signal: options.signal ?? new AbortController().signal,
    steer: { take: () => Promise.resolve([]) },
  };
  for await (const event of runner.run(context, controls)) events.push(event);
  return events;
}

const completed = { type: "done", outcome: "completed" };
const failure = (code: string): object => ({ type: "done", outcome: "failed", error: { code } });
const answer = stream(["text-delta", { text: "hi" }], ["done", { outcome: "completed" }]);

describe("createHttpRunner against a real server", () => {
  it("sends the turn under its idempotency key and reads a stream", async () => {
    const server = await serve(
      stream(
        ["reasoning-delta", { text: "hm" }],
        ["text-delta", { text: "hé" }],
        ["later-event", { x: 1 }],
        ["tool-start", { id: "1", name: "look", args: { q: 1 } }],
        ["tool-end", { id: "1", result: "found" }],
        ["media", { url: "https://example.org/a.png", contentType: "image/png" }],
        ["usage", { inputTokens: 3, outputTokens: 4 }],
        ["done", { outcome: "completed" }],
      ),
    );
    const events = await run(server.url);
    expect(events.map((event) => event.type)).toEqual([
      "reasoning-delta",
      "text-delta",
      "tool-start",
      "tool-end",
      "media",
      "usage",
      "done",
    ]);
    expect(events[1]).toEqual({ type: "text-delta", text: "hé" });
    expect(server.headers[0]).toMatchObject({
      "idempotency-key": "t1:2",
      authorization: "Bearer x",
      accept: "text/event-stream",
    });
    expect(JSON.parse(server.bodies[0] ?? "")).toMatchObject({
      v: 1,
      turn: { id: "t1", attempt: 2 },
      message: { BodyForAgent: "hello" },
    });
  });

  it("reads a plain JSON answer", async () => {
    const server = await serve((_request, response) => {
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ text: "hi", media: [{ url: "https://example.org/a.png", contentType: "image/png" }] }));
    });
    expect(await run(server.url)).toEqual([
      { type: "text-delta", text: "hi" },
      { type: "media", url: "https://example.org/a.png", contentType: "image/png", caption: undefined },
      completed,
    ]);
  });

  it("asks again on 429 and 503, after what the service says, and gives the same key", async () => {
    const clock = impatientClock();
    const server = await serve(status(429, { "retry-after": "3" }), status(503), answer);
    expect(await run(server.url, { clock })).toEqual([{ type: "text-delta", text: "hi" }, completed]);
    expect(clock.pauses).toEqual([3_000, 1_000]);
    expect(new Set(server.headers.map((headers) => headers["idempotency-key"]))).toEqual(new Set(["t1:2"]));
  });

  it("asks again when the connection fails before the first event", async () => {
    const server = await serve((request) => request.socket.destroy(), answer);
    expect(await run(server.url)).toEqual([{ type: "text-delta", text: "hi" }, completed]);
    expect(server.bodies).toHaveLength(2);
  });

  it("never replays a stream that broke after its first event", async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`event: text-delta\ndata: {"text":"half"}\n\n`, () => response.socket?.destroy());
    });
    expect(await run(server.url)).toEqual([{ type: "text-delta", text: "half" }, failure("runner_disconnected")]);
    expect(server.bodies).toHaveLength(1);
  });

  it.each([
    [400, "runner_refused"],
    [401, "runner_refused"],
    [404, "runner_refused"],
    [500, "runner_failed"],
  ])("status %i is final: %s", async (code, reason) => {
    const server = await serve(status(code));
    expect(await run(server.url)).toEqual([failure(reason)]);
    expect(server.bodies).toHaveLength(1);
  });

  it("gives up with the service's reason when the next try would come after the limit", async () => {
    const server = await serve(status(429, { "retry-after": "120" }));
    expect(await run(server.url)).toEqual([failure("runner_rate_limited")]);
  });

  it("an answer that is neither a stream nor JSON is unreadable", async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { "content-type": "text/html" }).end("<p>hi</p>");
    });
    expect(await run(server.url)).toEqual([failure("runner_answer_unreadable")]);
  });

  it("an abort closes the connection and says nothing more", async () => {
    const controller = new AbortController();
    const closed = Promise.withResolvers<void>();
    const server = await serve((_request, response) => {
      response.on("close", closed.resolve);
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`event: text-delta\ndata: {"text":"hi"}\n\n`);
    });
    const runner = createHttpRunner({ clock: impatientClock(), url: server.url });
    const iterator = runner
      .run(context, { signal: controller.signal, steer: { take: () => Promise.resolve([]) } })
      [Symbol.asyncIterator]();
    expect((await iterator.next()).value).toEqual({ type: "text-delta", text: "hi" });
    controller.abort();
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
    await closed.promise;
  });
});

describe("decideResponse", () => {
  it("reads Retry-After as a date too", () => {
    const decision = decideResponse({
      status: 429,
      contentType: null,
      retryAfter: "Thu, 01 Jan 1970 00:00:10 GMT",
      nowMs: 4_000,
    });
    expect(decision).toEqual({ kind: "retry", code: "runner_rate_limited", afterMs: 6_000 });
  });
});
