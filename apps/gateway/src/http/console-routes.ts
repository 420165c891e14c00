import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";

import { ADMIN_COOKIE, type AccessHooks, consoleSession } from "./access.ts";

/** Where the build puts the console's files: beside this code in the package. */
const CONSOLE_DIRECTORY = fileURLToPath(new URL("./console/", import.meta.url));

/** The page runs only its own code, and talks only to this origin. */
const CONTENT_SECURITY_POLICY =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";

/** The web page at `/`, and the login that trades the admin token for the console's cookie. */
export async function consoleRoutes(
  server: FastifyInstance,
  access: AccessHooks,
  secureCookie: boolean,
): Promise<void> {
  if (existsSync(CONSOLE_DIRECTORY)) {
    await server.register(fastifyStatic, {
      root: CONSOLE_DIRECTORY,
      setHeaders: (response) => {
        void response.header("content-security-policy", CONTENT_SECURITY_POLICY);
        void response.header("x-content-type-options", "nosniff");
        void response.header("referrer-policy", "no-referrer");
      },
    });
  }
  server.post<{ Body: { token: string } }>(
    "/api/login",
    {
      schema: {
        summary: "Trade the admin token for the console's cookie",
        tags: ["access"],
        body: {
          type: "object",
          required: ["token"],
          additionalProperties: false,
          properties: { token: { type: "string", maxLength: 512 } },
        },
      },
    },
    async (request, reply) => {
      if (!access.isAdmin(request.body.token))
        return reply.code(401).send({ error: "unauthorized", message: "That is not the admin token." });
      const cookie = `${ADMIN_COOKIE}=${consoleSession(request.body.token)}; Path=/; HttpOnly; SameSite=Strict; Max-Age=43200${secureCookie ? "; Secure" : ""}`;
      return reply.header("set-cookie", cookie).send({ ok: true });
    },
  );
}
