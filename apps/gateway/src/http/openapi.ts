import fastifySwagger from "@fastify/swagger";
import type { FastifyInstance } from "fastify";

/** Collects the schemas of all routes registered after it and serves them at `/api/openapi.json`. */
export async function openapi(server: FastifyInstance): Promise<void> {
  await server.register(fastifySwagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Turnwire gateway",
        description:
          "The console's API. Reads need the admin token unless the gateway listens on loopback; writes always do.",
        version: "1",
      },
      components: { securitySchemes: { adminToken: { type: "http", scheme: "bearer" } } },
      security: [{ adminToken: [] }],
    },
  });
  server.get("/api/openapi.json", { schema: { hide: true } }, async () => server.swagger());
}
