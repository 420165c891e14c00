import { dirname } from "node:path";

import { createSystemClock } from "@turnwire/adapter-kit";
import { TurnwireError } from "@turnwire/turn-kernel";
import { createTurnRuntime, type TurnRuntime } from "@turnwire/turn-runtime";
import type { FastifyInstance } from "fastify";

import { composeRuntimeConfig } from "../compose/compose-runtime-config.ts";
import { createChannel } from "../compose/create-channel.ts";
import { duplicatePackages } from "../compose/duplicate-packages.ts";
import { openStore } from "../compose/open-store.ts";
import { uuidIds } from "../compose/uuid-ids.ts";
import type { ResolvedConfig } from "../config/resolved-config.ts";
import { type AccessHooks, createAccessHooks } from "../http/access.ts";
import { apiRoutes } from "../http/api-routes.ts";
import { consoleRoutes } from "../http/console-routes.ts";
import { createServer, listen } from "../http/create-server.ts";
import { healthRoutes } from "../http/health-routes.ts";
import { openapi } from "../http/openapi.ts";
import { webhookRoutes } from "../http/webhook-routes.ts";
import { planReload } from "../reload/plan-reload.ts";
import { createLogger } from "../telemetry/create-logger.ts";
import { createPrometheusTelemetry } from "../telemetry/prometheus-telemetry.ts";
import { createAdminService } from "./admin-service.ts";
import { logTurn } from "./log-turn.ts";
import { createRuntimeControl } from "./runtime-control.ts";

/** How often the start looks whether every account is connected, ms. */
const READY_POLL_MS = 100;

/** A gateway that runs. */
export interface Gateway {
  /** Where its HTTP surface listens. */
  readonly origin: string;
  /** Takes over what differs between accounts; a bad config keeps the old one and says so in the log. */
  readonly reload: (load: () => Promise<ResolvedConfig>) => Promise<void>;
  /** Drains and closes everything. Idempotent. */
  readonly stop: () => Promise<void>;
}

/** What a start needs. */
export interface StartOptions {
  readonly resolved: ResolvedConfig;
  /** JSON lines even on a terminal. */
  readonly plain: boolean;
  /** Further routes, registered before the server listens (the playground's). */
  readonly routes?: ((server: FastifyInstance, access: AccessHooks) => void) | undefined;
}

function refuseDuplicates(plugins: readonly string[]): void {
  const [first] = duplicatePackages(plugins);
  if (first !== undefined) throw new TurnwireError({ code: "duplicate_package", message: first });
}

/**
 * Starts everything in the order that loses nothing: store and recovery first, then HTTP, then the listeners.
 * @throws TurnwireError `store_locked`, `store_unavailable`, `store_schema_newer`, `port_taken`, `duplicate_package`.
 */
export async function startGateway(options: StartOptions): Promise<Gateway> {
  let { resolved } = options;
  const { config, file } = resolved;
  refuseDuplicates(config.plugins);
  const clock = createSystemClock();
  const log = createLogger({ level: config.telemetry.logLevel, pretty: process.stdout.isTTY && !options.plain });
  const telemetry = createPrometheusTelemetry();
  const store = openStore(config, file);
  const runtime: TurnRuntime = createTurnRuntime({
    config: composeRuntimeConfig(config, clock),
    store,
    clock,
    ids: uuidIds,
    log,
    telemetry,
    cfg: config,
    storePath: dirname(file),
    publicUrl: config.http.publicUrl,
  });
  runtime.onTurnEvent(logTurn(log));
  const control = createRuntimeControl(runtime);
  const admin = createAdminService(store, control);
  const access = createAccessHooks({
    host: config.http.host,
    adminToken: config.http.adminToken,
    metricsToken: config.http.metricsToken,
    publicUrl: config.http.publicUrl,
  });
  const server = createServer(log);
  let draining = false;

  await openapi(server);
  healthRoutes(server, access, {
    readiness: async () => ({
      storeAnswers: await store.ping().then(
        () => true,
        () => false,
      ),
      draining,
      accounts: control.accounts(),
      nowMs: clock.now(),
    }),
    metrics: async () => {
      await runtime.observe();
      return { contentType: telemetry.registry.contentType, text: await telemetry.registry.metrics() };
    },
  });
  apiRoutes(server, access, admin);
  webhookRoutes(server, runtime, clock);
  options.routes?.(server, access);
  await consoleRoutes(server, access, config.http.publicUrl?.startsWith("https:") === true);

  await runtime.open();
  let origin: string;
  try {
    for (const account of resolved.accounts) runtime.addChannel(createChannel(account, log));
    origin = await listen(server, config.http.host, config.http.port);
  } catch (error) {
    await runtime.close();
    throw error;
  }
  runtime.start();
  log.info({ origin, accounts: resolved.accounts.length }, `Listening on ${origin}`);

  // One line says when the gateway is ready, as its contract promises.
  let cancelReadyPoll = (): void => {};
  const sayWhenReady = (): void => {
    const accounts = control.accounts();
    if (accounts.some((account) => account.status === "starting"))
      cancelReadyPoll = clock.setTimer(sayWhenReady, READY_POLL_MS);
    else
      log.info(
        { origin, accounts: accounts.map(({ channel, accountId, status }) => `${channel}:${accountId} ${status}`) },
        "Ready",
      );
  };
  sayWhenReady();

  let stopping: Promise<void> | null = null;
  return {
    origin,
    async reload(load) {
      let next: ResolvedConfig;
      try {
        next = await load();
      } catch (error) {
        log.error(
          { code: TurnwireError.isInstance(error) ? error.code : "unknown" },
          `The changed config is not used, the old one stays: ${error instanceof Error ? error.message : String(error)}`,
        );
        return;
      }
      const plan = planReload(resolved, next);
      resolved = next;
      for (const account of plan.remove)
        await runtime.removeChannel(account.channel, account.accountId, config.shutdown.drainMs);
      for (const account of plan.add) runtime.addChannel(createChannel(account, log));
      if (plan.needsRestart.length > 0)
        log.warn({ sections: plan.needsRestart }, `Changes in ${plan.needsRestart.join(", ")} wait for a restart`);
      log.info({ removed: plan.remove.length, added: plan.add.length }, "The changed config is in use");
    },
    async stop() {
      stopping ??= (async () => {
        draining = true;
        cancelReadyPoll();
        log.info({ drainMs: config.shutdown.drainMs }, "Draining");
        await runtime.drain(config.shutdown.drainMs);
        await server.close();
        await runtime.close();
        log.info({}, "Stopped");
      })();
      return stopping;
    },
  };
}
