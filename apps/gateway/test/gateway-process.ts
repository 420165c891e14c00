import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const CLI = fileURLToPath(new URL("../src/cli.ts", import.meta.url));

/** Longest wait for anything in these tests, ms. */
const DEADLINE_MS = 20_000;

/** How a process ended. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command of `turnwire` to its end, in a folder. */
export async function turnwire(
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<Ended> {
  return new GatewayProcess(args, options).ended;
}

/** A running `turnwire`, watched by its output. */
export class GatewayProcess {
  readonly #child: ChildProcess;
  readonly #listeners = new Set<() => void>();
  readonly ended: Promise<Ended>;
  stdout = "";
  stderr = "";

  constructor(
    args: readonly string[],
    { cwd, env = {} }: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
  ) {
    this.#child = spawn(process.execPath, ["--conditions=@turnwire/source", CLI, ...args], {
      cwd,
      env: { PATH: process.env["PATH"] ?? "", HOME: cwd, NO_COLOR: "1", ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child.stdout?.on("data", (chunk: Buffer) => {
      this.stdout += chunk.toString("utf8");
      this.#tell();
    });
    this.#child.stderr?.on("data", (chunk: Buffer) => {
      this.stderr += chunk.toString("utf8");
      this.#tell();
    });
    this.ended = new Promise((resolve) => {
      this.#child.on("close", (code, signal) => {
        resolve({ code, signal, stdout: this.stdout, stderr: this.stderr });
      });
    });
  }

  get pid(): number {
    return this.#child.pid ?? -1;
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Log lines so far that are JSON. */
  lines(): readonly Readonly<Record<string, unknown>>[] {
    return this.stdout
      .split("\n")
      .flatMap((line) => (line.startsWith("{") ? [JSON.parse(line) as Record<string, unknown>] : []));
  }

  /** Resolves with the first value that the probe finds, asked after each piece of output. */
  async until<T>(what: string, probe: (process: GatewayProcess) => T | undefined): Promise<T> {
    const first = probe(this);
    if (first !== undefined) return first;
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer);
        this.#listeners.delete(listener);
      };
      const timer = setTimeout(() => {
        stop();
        reject(
          new Error(
            `${what} did not come about within ${DEADLINE_MS} ms. Output so far:\n${this.stdout}\n${this.stderr}`,
          ),
        );
      }, DEADLINE_MS);
      const listener = (): void => {
        const value = probe(this);
        if (value === undefined) return;
        stop();
        resolve(value);
      };
      this.#listeners.add(listener);
      void this.ended.then(({ code }) => {
        stop();
        reject(new Error(`The process ended with ${code} before ${what}. Output:\n${this.stdout}\n${this.stderr}`));
      });
    });
  }

  /** The origin, once it listens. */
  async origin(): Promise<string> {
    return this.until("the gateway listens", () => {
      const line = this.lines().find(
        ({ msg, origin }) => typeof msg === "string" && msg.startsWith("Listening") && typeof origin === "string",
      );
      return line === undefined ? undefined : String(line["origin"]);
    });
  }

  async ready(): Promise<string> {
    const origin = await this.origin();
    await this.until("the gateway is ready", () => this.lines().find(({ msg }) => msg === "Ready"));
    return origin;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  async stop(): Promise<Ended> {
    this.signal("SIGTERM");
    return this.ended;
  }

  async kill(): Promise<Ended> {
    this.signal("SIGKILL");
    return this.ended;
  }
}

/** A folder with a config, and the gateways that run on it; all end with it. */
export class Workplace implements AsyncDisposable {
  readonly directory: string = mkdtempSync(join(tmpdir(), "turnwire-e2e-"));
  readonly #running: GatewayProcess[] = [];

  writeConfig(config: object): void {
    writeFileSync(join(this.directory, "turnwire.config.json5"), JSON.stringify(config));
  }

  start(args: readonly string[] = ["start"], env: Readonly<Record<string, string>> = {}): GatewayProcess {
    const gateway = new GatewayProcess(args, { cwd: this.directory, env });
    this.#running.push(gateway);
    return gateway;
  }

  async run(...args: readonly string[]): Promise<Ended> {
    return turnwire(args, { cwd: this.directory });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#running.map(async (gateway) => gateway.kill()));
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** Asks until the answer holds: for state that no event tells of. */
export async function eventually<T>(what: string, probe: () => Promise<T | undefined>): Promise<T> {
  const endMs = Date.now() + DEADLINE_MS;
  for (;;) {
    const value = await probe().catch(() => undefined);
    if (value !== undefined) return value;
    if (Date.now() > endMs) throw new Error(`${what} did not come about within ${DEADLINE_MS} ms.`);
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
  }
}
