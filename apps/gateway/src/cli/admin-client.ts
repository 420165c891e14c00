import { TurnwireError } from "@turnwire/turn-kernel";
import type { Pairing, SessionRow } from "@turnwire/turn-ports";

import { openStore } from "../compose/open-store.ts";
import type { GatewayConfig } from "../config/gateway-config.ts";
import { loadConfig } from "../config/load-config.ts";
import { type AdminService, createAdminService, type DeadLetterItem, type Listed } from "../run/admin-service.ts";
import { commandContext } from "./command-context.ts";

/** How long the running gateway may take to answer a command. */
const API_TIMEOUT_MS = 10_000;

/** What the operator's commands need, whoever does it. */
export interface AdminClient {
  readonly pairings: () => Promise<readonly Pairing[]>;
  readonly approvePairing: (code: string) => Promise<boolean>;
  readonly revokePairing: (code: string) => Promise<boolean>;
  readonly deadLetters: (before?: string) => Promise<Listed<DeadLetterItem>>;
  readonly retryDeadLetter: (id: string) => Promise<boolean>;
  readonly dropDeadLetter: (id: string) => Promise<boolean>;
  readonly sessions: (before?: string) => Promise<Listed<SessionRow>>;
  readonly resetSession: (key: string) => Promise<boolean>;
  readonly close: () => Promise<void>;
}

function originOf(config: GatewayConfig): string {
  const { host, port } = config.http;
  // An any-address is no address to connect to.
  const loopback: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "[::1]" };
  const reachable = loopback[host] ?? (host.includes(":") ? `[${host}]` : host);
  return `http://${reachable}:${port}`;
}

function httpClient(config: GatewayConfig): AdminClient {
  const origin = originOf(config);
  async function call(method: "GET" | "POST", path: string): Promise<unknown> {
    const headers =
      config.http.adminToken === undefined ? undefined : { authorization: `Bearer ${config.http.adminToken}` };
    const response = await fetch(`${origin}${path}`, {
      method,
      signal: AbortSignal.timeout(API_TIMEOUT_MS),
      ...(headers === undefined ? {} : { headers }),
    });
    if (response.status === 404) return null;
    if (response.status === 401 || response.status === 403) {
      throw new TurnwireError({
        code: "arguments_invalid",
        message: `The running gateway at ${origin} refuses the command; set "http.adminToken" in this config to the token it was started with.`,
      });
    }
    if (!response.ok)
      throw new TurnwireError({
        code: "gateway_unreachable",
        message: `The running gateway at ${origin} answered ${response.status}; its log says why.`,
      });
    return response.json();
  }
  const done = async (path: string): Promise<boolean> => (await call("POST", path)) !== null;
  const id = encodeURIComponent;
  const page = (before: string | undefined): string => (before === undefined ? "" : `?before=${id(before)}`);
  return {
    pairings: async () => ((await call("GET", "/api/pairings")) as Listed<Pairing>).items,
    approvePairing: async (code) => done(`/api/pairing/${id(code)}/approve`),
    revokePairing: async (code) => done(`/api/pairing/${id(code)}/revoke`),
    deadLetters: async (before) => (await call("GET", `/api/deadletters${page(before)}`)) as Listed<DeadLetterItem>,
    retryDeadLetter: async (letter) => done(`/api/deadletters/${id(letter)}/retry`),
    dropDeadLetter: async (letter) => done(`/api/deadletters/${id(letter)}/drop`),
    sessions: async (before) => (await call("GET", `/api/sessions${page(before)}`)) as Listed<SessionRow>,
    resetSession: async (key) => done(`/api/sessions/${id(key)}/reset`),
    close: async () => {},
  };
}

function localClient(admin: AdminService, close: () => Promise<void>): AdminClient {
  const page = (before: string | undefined): Parameters<AdminService["sessions"]>[0] => ({
    limit: 200,
    before,
    status: undefined,
    sessionKey: undefined,
  });
  return {
    pairings: admin.pairings,
    approvePairing: admin.approvePairing,
    revokePairing: admin.revokePairing,
    deadLetters: async (before) => admin.deadLetters(page(before)),
    retryDeadLetter: admin.retryDeadLetter,
    dropDeadLetter: admin.dropDeadLetter,
    sessions: async (before) => admin.sessions(page(before)),
    resetSession: admin.resetSession,
    close,
  };
}

async function gatewayRuns(config: GatewayConfig): Promise<boolean> {
  try {
    return (await fetch(`${originOf(config)}/healthz`, { signal: AbortSignal.timeout(API_TIMEOUT_MS) })).ok;
  } catch {
    return false;
  }
}

/**
 * Talks to the gateway that runs on this config; opens the store itself only when none runs.
 * @throws TurnwireError of the config, `store_locked` when something else has the store open, `gateway_unreachable`.
 */
export async function openAdminClient(configFile: string | undefined): Promise<AdminClient> {
  const context = commandContext(configFile);
  const { config, file } = await loadConfig(context.configFile, context.environment.values);
  if (await gatewayRuns(config)) return httpClient(config);
  const store = openStore(config, file);
  await store.open();
  const admin = createAdminService(store, {
    accounts: () => [],
    restartAccount: async () => Promise.resolve(false),
    // The part waits again; the gateway's next start sends it.
    resend: async (outboxId) => {
      await store.commit([], [{ op: "outbox.move", id: outboxId, from: ["unknown", "given_up"], to: "queued" }]);
    },
    subscribe: () => () => {},
  });
  return localClient(admin, async () => store.close());
}
