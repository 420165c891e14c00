import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";

import { startTelegramSimulator } from "@turnwire/platform-sim";

// How long the built gateway takes from process start to its first getUpdates, and how much memory it holds then.
// The floor is a bare process that loads grammY and polls once: what any bot on this stack pays.

const BIN = fileURLToPath(new URL("../../apps/gateway/bin/turnwire.js", import.meta.url));
const FLOOR = fileURLToPath(new URL("floor.ts", import.meta.url));
const isSmoke = process.argv.includes("--smoke");
const ROUNDS = isSmoke ? 3 : 9;

/** Gates of CI: times as a ratio to the floor in the same run, memory as it is. */
const MAX_RATIO = 6;
const MAX_RSS_MB = 150;

interface Sample {
  readonly startMs: number;
  readonly rssMb: number;
}

function rssMb(pid: number): number {
  const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return Number(line?.[1] ?? 0) / 1024;
}

async function measure(
  args: (apiRoot: string, token: string, directory: string) => readonly string[],
): Promise<Sample> {
  await using simulator = await startTelegramSimulator();
  const directory = mkdtempSync(join(tmpdir(), "turnwire-bench-"));
  const startedMs = performance.now();
  const child = spawn(process.execPath, args(simulator.apiRoot, simulator.credentials.botToken, directory), {
    stdio: "ignore",
  });
  try {
    const polled = await new Promise<number>((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new Error("No getUpdates came within 20 s."));
      }, 20_000);
      // A poll is recorded when it arrives, and its change is told when it ends: looked at often, not waited for.
      const look = setInterval(() => {
        if (!simulator.calls().some((call) => call.method.toLowerCase() === "getupdates")) return;
        clearInterval(look);
        clearTimeout(timer);
        resolve(performance.now());
      }, 1);
    });
    return { startMs: polled - startedMs, rssMb: rssMb(child.pid ?? 0) };
  } finally {
    child.kill("SIGKILL");
    await once(child, "close");
    rmSync(directory, { recursive: true, force: true });
  }
}

function gatewayArgs(apiRoot: string, botToken: string, directory: string): readonly string[] {
  const file = join(directory, "turnwire.config.json5");
  const account = { botToken, apiRoot, dmPolicy: "open" };
  writeFileSync(
    file,
    JSON.stringify({
      http: { port: 0 },
      store: { kind: "sqlite", path: "./turnwire.db" },
      channels: { telegram: { accounts: { default: account } } },
    }),
  );
  return [BIN, "start", "--config", file];
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const gateway: Sample[] = [];
const floor: Sample[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  floor.push(await measure((apiRoot, token) => [FLOOR, apiRoot, token]));
  gateway.push(await measure(gatewayArgs));
}
const startMs = median(gateway.map((sample) => sample.startMs));
const floorMs = median(floor.map((sample) => sample.startMs));
const memoryMb = median(gateway.map((sample) => sample.rssMb));
const ratio = startMs / floorMs;
console.log(
  `process start → first getUpdates: ${startMs.toFixed(0)} ms (bare grammY: ${floorMs.toFixed(0)} ms, ratio ${ratio.toFixed(2)})`,
);
console.log(
  `memory then: ${memoryMb.toFixed(0)} MB (bare grammY: ${median(floor.map((sample) => sample.rssMb)).toFixed(0)} MB)`,
);
if (isSmoke && (ratio > MAX_RATIO || memoryMb > MAX_RSS_MB)) {
  console.error(
    `Over the bound: ratio ${ratio.toFixed(2)} of at most ${MAX_RATIO}, ${memoryMb.toFixed(0)} MB of at most ${MAX_RSS_MB}.`,
  );
  process.exitCode = 1;
}
