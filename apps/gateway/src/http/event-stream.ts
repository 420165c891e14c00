import type { FastifyReply, FastifyRequest } from "fastify";

/** Proxies close silent connections after a minute or so. */
const KEEPALIVE_MS = 15_000;

/** A listener that is slower than this many unsent bytes is cut off; its browser connects again. */
const MAX_BUFFERED_BYTES = 1024 * 1024;

/** Answers with server-sent events until the client goes; `subscribe` gets `send` and returns how to stop. */
export function sendEventStream(
  request: FastifyRequest,
  reply: FastifyReply,
  subscribe: (send: (event: string, data: object) => void) => () => void,
): void {
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no" });
  raw.write(": connected\n\n");
  const unsubscribe = subscribe((event, data) => {
    if (raw.writableLength > MAX_BUFFERED_BYTES) raw.destroy();
    else raw.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  });
  const keepalive = setInterval(() => raw.write(": keepalive\n\n"), KEEPALIVE_MS);
  request.raw.on("close", () => {
    clearInterval(keepalive);
    unsubscribe();
  });
}
