import type { FastifyInstance } from "fastify";

import type { AccessHooks } from "./access.ts";

/** One account as `/readyz` and `/api/accounts` show it. */
export interface AccountReport {
  readonly channel: string;
  readonly accountId: string;
  readonly status: "starting" | "ok" | "degraded" | "failed" | "standby" | "stopped";
  readonly sinceMs: number;
  readonly lastExchangeMs?: number | undefined;
  readonly restarts: number;
  readonly lastError?: string | undefined;
}

/** What readiness is decided from. */
export interface ReadinessInput {
  readonly storeAnswers: boolean;
  readonly draining: boolean;
  readonly accounts: readonly AccountReport[];
  readonly nowMs: number;
}

/** An account may take this long to connect or to recover before the gateway counts as not ready (gateway contract). */
export const ACCOUNT_GRACE_MS = 60_000;

/** Ready: the store answers, and each account is connected or within its grace; parked ones count only when none is left. */
export function decideReadiness(input: ReadinessInput): boolean {
  if (!input.storeAnswers || input.draining) return false;
  if (input.accounts.length === 0) return true;
  const active = input.accounts.filter(
    (account) => account.status === "starting" || account.status === "ok" || account.status === "degraded",
  );
  if (active.length === 0) return false;
  return active.every((account) => account.status === "ok" || input.nowMs - account.sinceMs <= ACCOUNT_GRACE_MS);
}

/** What the routes ask. */
export interface HealthSource {
  readonly readiness: () => Promise<ReadinessInput>;
  readonly metrics: () => Promise<{ readonly contentType: string; readonly text: string }>;
}

/** `/healthz`, `/readyz`, `/metrics`. */
export function healthRoutes(server: FastifyInstance, access: AccessHooks, source: HealthSource): void {
  server.get("/healthz", async () => ({ status: "alive" }));
  server.get("/readyz", async (_request, reply) => {
    const input = await source.readiness();
    const ready = decideReadiness(input);
    return reply.code(ready ? 200 : 503).send({
      ready,
      store: input.storeAnswers ? "ok" : "unreachable",
      draining: input.draining,
      accounts: input.accounts,
    });
  });
  server.get("/metrics", { preHandler: access.metrics }, async (_request, reply) => {
    const { contentType, text } = await source.metrics();
    return reply.type(contentType).send(text);
  });
}
