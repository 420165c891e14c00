import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";

import type { FastifyReply, FastifyRequest } from "fastify";

/** Name of the console's cookie. */
export const ADMIN_COOKIE = "turnwire_admin";

/** What the console's cookie holds: proof of having known the admin token, not the token itself. A new token ends all sessions. */
export function consoleSession(adminToken: string): string {
  return createHmac("sha256", adminToken).update("turnwire console session").digest("base64url");
}

/** What the gateway's own surface is guarded by. */
export interface AccessOptions {
  readonly host: string;
  readonly adminToken: string | undefined;
  readonly metricsToken: string | undefined;
  readonly publicUrl: string | undefined;
}

/** True for an address that only this machine reaches. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host === "[::1]" || (isIP(host) === 4 && host.startsWith("127."));
}

function equalTokens(given: string, expected: string): boolean {
  // Hashed first: equal lengths, so that neither content nor length shows in the time taken.
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

function cookie(request: FastifyRequest, name: string): string | undefined {
  for (const pair of (request.headers.cookie ?? "").split(";")) {
    const [key, ...rest] = pair.trim().split("=");
    if (key === name) return decodeURIComponent(rest.join("="));
  }
  return undefined;
}

function bearer(request: FastifyRequest): string | undefined {
  const header = request.headers.authorization;
  return header?.toLowerCase().startsWith("bearer ") === true ? header.slice(7).trim() : undefined;
}

function sameOrigin(request: FastifyRequest): boolean {
  const origin = request.headers.origin;
  if (origin === undefined) return false;
  try {
    return new URL(origin).host === request.headers.host;
  } catch {
    return false;
  }
}

/** Fastify hooks that let a request through or answer it. */
export interface AccessHooks {
  /** Reads: open on loopback, else the admin token as bearer or cookie. */
  readonly read: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
  /** Writes: the admin token always; as a cookie only from the console's own origin. */
  readonly write: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
  readonly metrics: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
  /** True when this token is the admin token. */
  readonly isAdmin: (token: string) => boolean;
}

/** Builds the hooks; refusals have fixed bodies. */
export function createAccessHooks(options: AccessOptions): AccessHooks {
  const open = isLoopback(options.host);
  const allowedHosts = new Set(["localhost", "127.0.0.1", "[::1]", "::1", options.host]);
  if (options.publicUrl !== undefined) allowedHosts.add(new URL(options.publicUrl).hostname);

  const isAdmin = (token: string | undefined): boolean =>
    token !== undefined && options.adminToken !== undefined && equalTokens(token, options.adminToken);
  const session = options.adminToken === undefined ? undefined : consoleSession(options.adminToken);
  const hasSession = (value: string | undefined): boolean =>
    value !== undefined && session !== undefined && equalTokens(value, session);
  const refuse = async (reply: FastifyReply): Promise<unknown> =>
    reply.code(401).send({ error: "unauthorized", message: "Send the admin token as a bearer." });

  /** A page of another site that resolves its own name to this machine must not read the API (DNS rebinding). */
  const knownHost = (request: FastifyRequest): boolean => {
    const host = request.headers.host ?? "";
    return allowedHosts.has(host.replace(/:\d+$/, ""));
  };

  return {
    isAdmin,
    async read(request, reply) {
      if (isAdmin(bearer(request)) || hasSession(cookie(request, ADMIN_COOKIE))) return;
      if (open && knownHost(request)) return;
      return refuse(reply);
    },
    async write(request, reply) {
      if (isAdmin(bearer(request))) return;
      if (hasSession(cookie(request, ADMIN_COOKIE)) && sameOrigin(request)) return;
      if (options.adminToken === undefined) {
        return reply.code(403).send({
          error: "admin_token_missing",
          message: 'Writes need "http.adminToken" in the config; set it and send it as a bearer.',
        });
      }
      return refuse(reply);
    },
    async metrics(request, reply) {
      const token = bearer(request);
      if (token !== undefined && options.metricsToken !== undefined && equalTokens(token, options.metricsToken)) return;
      if (isAdmin(token) || (open && knownHost(request))) return;
      return refuse(reply);
    },
  };
}
