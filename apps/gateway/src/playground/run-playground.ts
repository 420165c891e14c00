import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { TurnwireError } from "@turnwire/turn-kernel";

import { resolveConfig } from "../config/load-config.ts";
import { startGateway } from "../run/start-gateway.ts";
import { untilStopSignal } from "../run/until-stop-signal.ts";
import { playgroundRoutes } from "./playground-routes.ts";
import type { PlaygroundSimulator } from "./playground-simulator.ts";
import { startTelegramPlayground } from "./telegram-playground.ts";

/** Pause between words, ms: slow enough to see a draft grow, fast enough not to bore. */
const ECHO_DELAY_MS = 120;

/** Where and how loud. */
export interface PlaygroundOptions {
  /** 0 takes a free one. */
  readonly port: number;
  readonly plain: boolean;
}

function configOf(directory: string, port: number, simulators: readonly PlaygroundSimulator[]): object {
  return {
    http: { host: "127.0.0.1", port },
    store: { kind: "sqlite", path: join(directory, "turnwire.db") },
    agents: {
      list: [
        { id: "main", default: true, identity: { name: "Ada" }, runner: { kind: "echo", delayMs: ECHO_DELAY_MS } },
      ],
    },
    channels: Object.fromEntries(
      simulators.map(({ platform, accountConfig }) => [platform, { accounts: { default: accountConfig } }]),
    ),
    telemetry: { logLevel: "warn" },
    shutdown: { drainMs: 2_000 },
  };
}

/**
 * Simulators, a gateway connected to them through the real adapters, the echo runner and the web page; everything in a
 * temporary folder that goes with it. Runs until SIGTERM or SIGINT.
 */
export async function runPlayground(options: PlaygroundOptions): Promise<void> {
  if (!Number.isInteger(options.port) || options.port < 0 || options.port > 65_535) {
    throw new TurnwireError({ code: "arguments_invalid", message: "--port must be a whole number from 0 to 65535." });
  }
  const stopped = untilStopSignal();
  const directory = mkdtempSync(join(tmpdir(), "turnwire-playground-"));
  const simulators = [await startTelegramPlayground()];
  try {
    const resolved = await resolveConfig(
      join(directory, "playground"),
      configOf(directory, options.port, simulators),
      {},
    );
    const gateway = await startGateway({
      resolved,
      plain: options.plain,
      routes: (server, access) => {
        playgroundRoutes(server, access, simulators);
      },
    });
    process.stdout.write(
      `\nThe playground is at ${gateway.origin}\nWrite as a Telegram user and watch each message become a turn. Stop with Ctrl-C.\n\n`,
    );
    await stopped;
    await gateway.stop();
  } finally {
    await Promise.all(simulators.map(async (simulator) => simulator.close()));
    rmSync(directory, { recursive: true, force: true });
  }
}
