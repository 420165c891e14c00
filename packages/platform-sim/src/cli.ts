import { parseCliArguments, UsageError } from "./cli-arguments.ts";
import { startTelegramSimulator, type TelegramSimulator } from "./telegram/start-telegram-simulator.ts";

async function main(): Promise<void> {
  const { platforms, controlToken, ...shared } = parseCliArguments(process.argv.slice(2));
  const running: TelegramSimulator[] = [];
  for (const { port } of platforms) {
    const simulator = await startTelegramSimulator({
      ...shared,
      port,
      ...(controlToken === undefined ? {} : { controlToken }),
    });
    running.push(simulator);
    const { platform, apiRoot, control, credentials, defaults } = simulator;
    process.stdout.write(`${JSON.stringify({ platform, apiRoot, control, credentials, ...defaults })}\n`);
  }
  const stop = (): void => {
    // Nothing else keeps the process: it ends with its servers.
    void Promise.all(running.map(async (simulator) => simulator.close()));
  };
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
}

try {
  await main();
} catch (error) {
  process.stderr.write(`turnwire-sim: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
