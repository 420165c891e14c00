import type { FastifyInstance, FastifyReply } from "fastify";

import type { AdminService, Page } from "../run/admin-service.ts";
import type { AccessHooks } from "./access.ts";
import { apiSchemas } from "./api-schemas.ts";
import { sendEventStream } from "./event-stream.ts";

interface ListQuery {
  readonly limit: number;
  readonly before?: string;
  readonly status?: string;
  readonly sessionKey?: string;
}

async function answer(reply: FastifyReply, done: Promise<boolean>, missing: string): Promise<unknown> {
  if (await done) return { ok: true };
  return reply.code(404).send({ error: "not_found", message: missing });
}

const pageOf = (query: ListQuery): Page => ({
  limit: query.limit,
  before: query.before,
  status: query.status,
  sessionKey: query.sessionKey,
});

/** The console's own API: reads of what the store and the runtime know, and the operator's writes. */
export function apiRoutes(server: FastifyInstance, access: AccessHooks, admin: AdminService): void {
  const read = { preHandler: access.read };
  const write = { preHandler: access.write };

  server.get("/api/accounts", { ...read, schema: apiSchemas.accounts }, async () => ({ items: admin.accounts() }));
  server.get<{ Querystring: ListQuery }>("/api/turns", { ...read, schema: apiSchemas.turns }, async (request) =>
    admin.turns(pageOf(request.query)),
  );
  server.get<{ Params: { id: string } }>(
    "/api/turns/:id",
    { ...read, schema: apiSchemas.turn },
    async (request, reply) => {
      const passes = await admin.turn(request.params.id);
      return passes.length > 0
        ? { items: passes }
        : reply.code(404).send({ error: "not_found", message: "There is no turn with this id." });
    },
  );
  server.get<{ Querystring: ListQuery }>("/api/sessions", { ...read, schema: apiSchemas.sessions }, async (request) =>
    admin.sessions(pageOf(request.query)),
  );
  server.get<{ Querystring: ListQuery }>("/api/outbox", { ...read, schema: apiSchemas.outbox }, async (request) =>
    admin.outbox(pageOf(request.query)),
  );
  server.get("/api/pairings", { ...read, schema: apiSchemas.pairings }, async () => ({
    items: await admin.pairings(),
  }));
  server.get<{ Querystring: ListQuery }>(
    "/api/deadletters",
    { ...read, schema: apiSchemas.deadletters },
    async (request) => admin.deadLetters(pageOf(request.query)),
  );
  server.get("/api/events", { ...read, schema: apiSchemas.events }, (request, reply) => {
    sendEventStream(request, reply, (send) => admin.subscribe(send));
  });

  server.post<{ Params: { code: string } }>(
    "/api/pairing/:code/approve",
    { ...write, schema: apiSchemas.pairingWrite },
    async (request, reply) =>
      answer(reply, admin.approvePairing(request.params.code), "There is no pairing with this code."),
  );
  server.post<{ Params: { code: string } }>(
    "/api/pairing/:code/revoke",
    { ...write, schema: apiSchemas.pairingWrite },
    async (request, reply) =>
      answer(reply, admin.revokePairing(request.params.code), "There is no pairing with this code."),
  );
  server.post<{ Params: { id: string } }>(
    "/api/deadletters/:id/retry",
    { ...write, schema: apiSchemas.deadletterWrite },
    async (request, reply) =>
      answer(reply, admin.retryDeadLetter(request.params.id), "There is no dead letter with this id."),
  );
  server.post<{ Params: { id: string } }>(
    "/api/deadletters/:id/drop",
    { ...write, schema: apiSchemas.deadletterWrite },
    async (request, reply) =>
      answer(reply, admin.dropDeadLetter(request.params.id), "There is no dead letter with this id."),
  );
  server.post<{ Params: { key: string } }>(
    "/api/sessions/:key/reset",
    { ...write, schema: apiSchemas.sessionReset },
    async (request, reply) =>
      answer(reply, admin.resetSession(request.params.key), "There is no session with this key."),
  );
  server.post<{ Params: { channel: string; id: string } }>(
    "/api/accounts/:channel/:id/restart",
    { ...write, schema: apiSchemas.accountRestart },
    async (request, reply) =>
      answer(reply, admin.restartAccount(request.params.channel, request.params.id), "There is no such account."),
  );
  server.post<{ Params: { id: string } }>(
    "/api/outbox/:id/resend",
    { ...write, schema: apiSchemas.outboxResend },
    async (request, reply) => answer(reply, admin.resend(request.params.id), "There is no held part with this id."),
  );
}
