import { once } from "node:events";
import { setImmediate } from "node:timers";
import { Worker } from "node:worker_threads";

import { TurnwireError, type Clock } from "@turnwire/turn-ports";

import type { StoreAnswer, StoreBatch, StoreCalls, StoreError, StoreRequest, StoreSettled } from "./store-calls.ts";
import type { EngineOptions } from "./worker/engine.ts";

type Answer<Name extends keyof StoreCalls> = ReturnType<StoreCalls[Name]>;

/** The caller's side of the worker thread. */
export interface StoreThread {
  /** @throws TurnwireError whatever the worker answers; `store_unavailable` when it has ended or too many calls wait */
  call<Name extends keyof StoreCalls>(name: Name, ...args: Parameters<StoreCalls[Name]>): Promise<Answer<Name>>;
  /** How far the store's due time was ahead of the wall clock at the last answer. */
  aheadMs(): number;
  /** Waits for the calls under way, closes the file and ends the worker. */
  close(): Promise<void>;
}

/** What a thread is started with. */
export interface StoreThreadOptions {
  readonly engine: EngineOptions;
  readonly clock: Pick<Clock, "now" | "monotonic">;
  /** Calls that may wait for an answer. */
  readonly maxWaiting: number;
  readonly onReady: (keys: readonly string[]) => void;
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Source runs from `.ts`, the published package from `.js`; the worker's entry lies beside in the same form. */
function workerUrl(): URL {
  return new URL(`./worker/store-worker${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url);
}

/** Starts the worker. Calls of one moment cross in one message. */
export function startStoreThread(options: StoreThreadOptions): StoreThread {
  const { path } = options.engine;
  const worker = new Worker(workerUrl(), { workerData: options.engine, name: "turnwire-store" });
  const waiting = new Map<number, Waiting>();
  let outgoing: StoreRequest[] = [];
  let lastId = 0;
  let ended: TurnwireError | undefined;
  let closing = false;
  let aheadMs = 0;
  let idle: (() => void) | undefined;

  const send = (): void => {
    const batch: StoreBatch = {
      nowMs: options.clock.now(),
      monotonicMs: options.clock.monotonic(),
      requests: outgoing,
    };
    outgoing = [];
    if (ended === undefined) worker.postMessage(batch);
  };

  const settle = (answer: StoreSettled): void => {
    const caller = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (answer.ok) caller?.resolve(answer.value);
    else caller?.reject(toError(answer.error));
  };

  const end = (error: TurnwireError): void => {
    ended ??= error;
    for (const caller of waiting.values()) caller.reject(ended);
    waiting.clear();
    idle?.();
  };

  worker.on("message", (answer: StoreAnswer) => {
    ({ aheadMs } = answer);
    for (const one of answer.settled) settle(one);
    if (answer.ready.length > 0) options.onReady(answer.ready);
    if (waiting.size === 0) idle?.();
  });
  worker.on("error", (cause) => {
    end(unavailable(`The store's worker for ${path} failed; restart the gateway.`, cause));
  });
  worker.on("exit", () => {
    end(unavailable(`The store ${path} is closed.`));
  });

  const request = (name: keyof StoreCalls, args: readonly unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      lastId += 1;
      waiting.set(lastId, { resolve, reject });
      if (outgoing.length === 0) setImmediate(send);
      outgoing.push({ id: lastId, call: name, args });
    });

  const whenIdle = async (): Promise<void> => {
    while (waiting.size > 0 && ended === undefined) {
      await new Promise<void>((resolve) => {
        idle = resolve;
      });
    }
    idle = undefined;
  };

  return {
    aheadMs: () => aheadMs,
    async call<Name extends keyof StoreCalls>(name: Name, ...args: Parameters<StoreCalls[Name]>) {
      if (ended !== undefined || closing) throw ended ?? unavailable(`The store ${path} is closed.`);
      if (waiting.size >= options.maxWaiting) {
        throw new TurnwireError({
          code: "store_unavailable",
          message: `${waiting.size} calls wait for the store ${path}; try again.`,
          retryAfterMs: 100,
        });
      }
      // The worker answers a call by the type that `StoreCalls` gives its name.
      return (await request(name, args)) as Answer<Name>;
    },
    async close() {
      closing = true;
      await whenIdle();
      if (ended !== undefined) return;
      const exited = once(worker, "exit");
      await request("close", []);
      await exited;
    },
  };
}

function unavailable(message: string, cause?: unknown): TurnwireError {
  return new TurnwireError({ code: "store_unavailable", message, cause });
}

function toError({ code, message, retryAfterMs, cause }: StoreError): TurnwireError {
  return new TurnwireError({
    code,
    message,
    retryAfterMs,
    cause: cause === undefined ? undefined : new Error(cause),
  });
}
