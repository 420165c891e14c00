import { dirname, resolve } from "node:path";

import { createSystemClock } from "@turnwire/adapter-kit";
import { createSqliteStore } from "@turnwire/store-sqlite";
import type { TurnStore } from "@turnwire/turn-ports";

import type { GatewayConfig } from "../config/gateway-config.ts";

/** Makes the store that the config names; its path starts from the config file's folder. It is not open yet. */
export function openStore(
  config: GatewayConfig,
  configFile: string,
  migrate: boolean = config.store.migrate === "auto",
): TurnStore {
  return createSqliteStore({
    path: resolve(dirname(configFile), config.store.path),
    synchronous: config.store.synchronous,
    clock: createSystemClock(),
    migrate,
  });
}
