import type { MessagePort } from "node:worker_threads";

import type { StoreAnswer, StoreBatch, StoreError, StoreRequest, StoreSettled } from "../store-calls.ts";
import { openEngine, type Engine, type EngineOptions } from "./engine.ts";
import type { Settled, WriteRequest } from "./group-commit.ts";
import { PURGE_WINDOW } from "./purge.ts";
import { reads } from "./reads.ts";
import { toStoreFailure } from "./sqlite-error.ts";
import { momentFrom, nextMoment, type StoreMoment } from "./store-time.ts";
import { StoreFailure } from "./store-failure.ts";

/** Requests of one transaction: enough to share a flush, few enough that none waits long for it. */
const GROUP_LIMIT = 256;

/** Rest between two purge passes; a pass that found a window full is followed sooner, to keep pace with the intake. */
const PURGE_INTERVAL_MS = 10_000;
const PURGE_AGAIN_MS = 100;

/** Arguments come from our own thread, where `StoreCalls` has checked them. */
type Handler = (...args: readonly unknown[]) => unknown;
const handlerOf = (table: object, call: string): Handler | undefined => (table as Record<string, Handler>)[call];

/** Answers the calls of the other thread, one group of them after the other, until `close`. */
export function serveStore(port: MessagePort, options: EngineOptions): void {
  let engine: Engine | null = null;
  let queue: StoreRequest[] = [];
  let scheduled = false;
  let closed = false;
  let moment: StoreMoment = momentFrom({ nowMs: 0, monotonicMs: 0 }, 0);
  let purgeTimer: NodeJS.Timeout | undefined;

  const post = (settled: readonly StoreSettled[]): void => {
    const answer: StoreAnswer = { settled, ready: engine?.takeWakes() ?? [], aheadMs: moment.aheadMs };
    port.postMessage(answer);
  };

  const purgeLater = (afterMs: number): void => {
    purgeTimer = setTimeout(() => {
      let again = false;
      try {
        again = Object.values(engine?.direct(moment).purge() ?? {}).some((removed) => removed >= PURGE_WINDOW);
      } catch {
        // A full or failing disk: intake says so; the next pass tries again.
      }
      purgeLater(again ? PURGE_AGAIN_MS : PURGE_INTERVAL_MS);
    }, afterMs);
  };

  const direct = (request: StoreRequest): unknown => {
    if (request.call === "open") {
      if (engine !== null) return null;
      engine = openEngine(options, moment);
      moment = engine.openedAt;
      if (purgeTimer === undefined) purgeLater(PURGE_INTERVAL_MS);
      return null;
    }
    if (request.call === "close") {
      clearTimeout(purgeTimer);
      closed = true;
      engine?.close();
      engine = null;
      return null;
    }
    if (engine === null) throw new StoreFailure("store_unavailable", `${options.path} is not open.`);
    const read = handlerOf(reads, request.call);
    if (read !== undefined) return read(engine.db, ...request.args);
    const call = handlerOf(engine.direct(moment), request.call);
    if (call === undefined) throw new StoreFailure("store_unavailable", `The store has no call ${request.call}.`);
    return call(...request.args);
  };

  const answer = (request: StoreRequest): StoreSettled => {
    try {
      return { id: request.id, ok: true, value: direct(request) };
    } catch (error) {
      return { id: request.id, ok: false, error: toWire(error, options.path) };
    }
  };

  const drain = (): void => {
    scheduled = false;
    const requests = queue;
    queue = [];
    const grouped: StoreRequest[] = [];
    const others: StoreRequest[] = [];
    for (const request of requests) {
      const writes = engine !== null && handlerOf(engine.writes, request.call) !== undefined;
      (writes ? grouped : others).push(request);
    }
    for (let from = 0; engine !== null && from < grouped.length; from += GROUP_LIMIT) {
      const group = grouped.slice(from, from + GROUP_LIMIT);
      const settled = engine.write(group.map(toWrite(engine)), moment);
      post(settled.map((one, index) => toSettled(group[index]?.id ?? 0, one, options.path)));
    }
    if (others.length > 0) post(others.map(answer));
    // With its port closed and no timer left, the thread ends.
    if (closed) port.close();
  };

  port.on("message", (batch: StoreBatch) => {
    moment = nextMoment(engine === null ? null : moment, batch);
    queue.push(...batch.requests);
    if (scheduled) return;
    scheduled = true;
    // After the other messages that have arrived meanwhile: they share the transaction.
    setImmediate(drain);
  });
}

function toWrite(engine: Engine): (request: StoreRequest) => WriteRequest {
  return (request) => (context) => handlerOf(engine.writes, request.call)?.(context, ...request.args);
}

function toSettled(id: number, settled: Settled, path: string): StoreSettled {
  return settled.ok ? { id, ok: true, value: settled.value } : { id, ok: false, error: toWire(settled.error, path) };
}

function toWire(error: unknown, path: string): StoreError {
  const { code, message, retryAfterMs, cause } = toStoreFailure(error, path);
  return { code, message, retryAfterMs, cause: cause instanceof Error ? cause.message : undefined };
}
