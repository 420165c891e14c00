import { TurnwireError } from "@turnwire/turn-kernel";
import type { Logger } from "@turnwire/turn-ports";
import Fastify, { type FastifyInstance } from "fastify";

/** API bodies are small; webhooks have limits of their own. */
const API_BODY_LIMIT_BYTES = 64 * 1024;

/** An empty HTTP server with the error handling that every route shares: fixed sentences, never a request's own bytes. */
export function createServer(log: Logger): FastifyInstance {
  const server = Fastify({
    logger: false,
    bodyLimit: API_BODY_LIMIT_BYTES,
    forceCloseConnections: true,
    routerOptions: { ignoreTrailingSlash: true },
  });
  server.setErrorHandler(async (error: unknown, _request, reply) => {
    const status =
      typeof error === "object" && error !== null && "statusCode" in error && typeof error.statusCode === "number"
        ? error.statusCode
        : 500;
    if (status < 500)
      return reply
        .code(status)
        .send({ error: "bad_request", message: "The request is not understood; see /api/openapi.json." });
    const code = TurnwireError.isInstance(error) ? error.code : "internal_error";
    log.error({ code, err: error }, "A request failed");
    const temporary = code === "store_unavailable" || code === "store_full";
    return reply.code(temporary ? 503 : 500).send({
      error: code,
      message: temporary ? "The store does not answer; try again." : "The gateway failed; its log says why.",
    });
  });
  server.setNotFoundHandler(async (_request, reply) =>
    reply.code(404).send({ error: "not_found", message: "There is nothing here." }),
  );
  return server;
}

/**
 * Starts listening and returns the origin.
 * @throws TurnwireError `port_taken` or `address_unavailable`.
 */
export async function listen(server: FastifyInstance, host: string, port: number): Promise<string> {
  try {
    await server.listen({ host, port });
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    if (code === "EADDRINUSE") {
      throw new TurnwireError({
        code: "port_taken",
        message: `Port ${port} on ${host} is taken by another process; stop that one, or set "http.port" to another.`,
        cause,
      });
    }
    throw new TurnwireError({
      code: "address_unavailable",
      message: `The address ${host}:${port} of "http" cannot be listened on (${String(code)}); set "http.host" to an address of this machine.`,
      cause,
    });
  }
  const bound = server.addresses()[0];
  const shown = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
  return `http://${shown}:${typeof bound === "object" ? bound.port : port}`;
}
