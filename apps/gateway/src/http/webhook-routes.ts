import { dispatchVerifiedWebhook, parseVerifiedWebhook, verifyWebhook } from "@turnwire/adapter-kit";
import { type Clock, TurnwireError } from "@turnwire/turn-kernel";
import type { TurnRuntime } from "@turnwire/turn-runtime";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** No platform sends more in one call; each adapter's own limit is checked on top. */
const MAX_WEBHOOK_BYTES = 4 * 1024 * 1024;

/** The one answer to every refusal: what exists and what was wrong is nobody's business. */
const REFUSED = { status: 401, body: "unauthorized" } as const;

function singleHeaders(request: FastifyRequest): Record<string, string | undefined> {
  // A header that stands twice proves nothing: it is left out, and the verifier refuses its absence.
  return Object.fromEntries(
    Object.entries(request.raw.headersDistinct).map(([name, values]) => [
      name,
      values?.length === 1 ? values[0] : undefined,
    ]),
  );
}

/** `POST /webhooks/<channel>/<account>`: verified over the exact bytes before anything is parsed, stored before it is answered. */
export function webhookRoutes(server: FastifyInstance, runtime: TurnRuntime, clock: Clock): void {
  void server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: MAX_WEBHOOK_BYTES }, (_request, body, done) => {
      done(null, body);
    });
    scope.post(
      "/webhooks/*",
      { bodyLimit: MAX_WEBHOOK_BYTES, schema: { hide: true } },
      async (request, reply) => await answer(request, reply),
    );
  });

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const path = request.url.split("?")[0] ?? "";
    const registered = runtime.webhook(path);
    if (registered === null) return await reply.code(REFUSED.status).send(REFUSED.body);
    const bytes = request.body instanceof Uint8Array ? request.body : new Uint8Array();
    const ingress = verifyWebhook(
      registered.adapter,
      { method: request.method, headers: singleHeaders(request), bytes },
      clock.now(),
    );
    if ("refused" in ingress) return await reply.code(REFUSED.status).send(REFUSED.body);
    try {
      const response = await dispatchVerifiedWebhook(parseVerifiedWebhook(ingress), registered.inbox);
      return await reply
        .code(response.status)
        .headers(response.headers ?? {})
        .send(response.body ?? "");
    } catch (error) {
      // Not stored, so not acknowledged: the platform sends it again.
      const retryAfterMs = TurnwireError.isInstance(error) ? (error.retryAfterMs ?? 1000) : 1000;
      return await reply
        .code(503)
        .header("retry-after", Math.ceil(retryAfterMs / 1000))
        .send("try again");
    }
  }
}
