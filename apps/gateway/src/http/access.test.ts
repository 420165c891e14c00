import Fastify, { type FastifyInstance } from "fastify";
import { describe, expect, it } from "vitest";

import { consoleSession, createAccessHooks, isLoopback } from "./access.ts";

const TOKEN = "admin-token-1";

function server(host: string, adminToken: string | undefined = TOKEN): FastifyInstance {
  const access = createAccessHooks({
    host,
    adminToken,
    metricsToken: "metrics-1",
    publicUrl: "https://bot.example.org",
  });
  const app = Fastify();
  app.get("/read", { preHandler: access.read }, async () => ({ ok: true }));
  app.post("/write", { preHandler: access.write }, async () => ({ ok: true }));
  app.get("/metrics", { preHandler: access.metrics }, async () => "");
  return app;
}

const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });
const cookie = `turnwire_admin=${consoleSession(TOKEN)}`;

describe("access to the gateway's own surface", () => {
  it.each([
    // where, request, headers, status
    ["127.0.0.1", "GET /read", {}, 200],
    ["127.0.0.1", "GET /read", { host: "evil.example" }, 401],
    ["127.0.0.1", "GET /read", { host: "bot.example.org" }, 200],
    ["0.0.0.0", "GET /read", {}, 401],
    ["0.0.0.0", "GET /read", bearer("wrong"), 401],
    ["0.0.0.0", "GET /read", bearer(TOKEN), 200],
    ["0.0.0.0", "GET /read", { cookie }, 200],
    ["0.0.0.0", "GET /read", { cookie: `turnwire_admin=${TOKEN}` }, 401],
    ["127.0.0.1", "POST /write", {}, 401],
    ["127.0.0.1", "POST /write", bearer(TOKEN), 200],
    ["127.0.0.1", "POST /write", { cookie }, 401],
    ["127.0.0.1", "POST /write", { cookie, host: "localhost:8787", origin: "http://localhost:8787" }, 200],
    ["127.0.0.1", "POST /write", { cookie, host: "localhost:8787", origin: "http://evil.example" }, 401],
    ["127.0.0.1", "GET /metrics", {}, 200],
    ["0.0.0.0", "GET /metrics", {}, 401],
    ["0.0.0.0", "GET /metrics", bearer("metrics-1"), 200],
    ["0.0.0.0", "GET /metrics", bearer(TOKEN), 200],
    ["0.0.0.0", "GET /read", bearer("metrics-1"), 401],
  ])("bound to %s: %s with %j answers %i", async (host, request, headers: Record<string, string>, status) => {
    const [method, url] = request.split(" ");
    const answer = await server(host).inject({
      method: method as "GET" | "POST",
      url: url ?? "",
      headers: { host: "localhost", ...headers },
    });
    expect(answer.statusCode).toBe(status);
  });

  it("says how to allow writes where no admin token is set", async () => {
    const access = createAccessHooks({
      host: "127.0.0.1",
      adminToken: undefined,
      metricsToken: undefined,
      publicUrl: undefined,
    });
    const app = Fastify();
    app.post("/write", { preHandler: access.write }, async () => ({ ok: true }));
    const answer = await app.inject({ method: "POST", url: "/write" });
    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toMatchObject({ error: "admin_token_missing" });
  });

  it.each([
    ["127.0.0.1", true],
    ["127.8.9.1", true],
    ["localhost", true],
    ["::1", true],
    ["0.0.0.0", false],
    ["127.example.org", false],
    ["10.0.0.1", false],
  ])("isLoopback(%s) is %s", (host, expected) => {
    expect(isLoopback(host)).toBe(expected);
  });
});
