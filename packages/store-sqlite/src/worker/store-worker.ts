import { parentPort, workerData } from "node:worker_threads";

import type { EngineOptions } from "./engine.ts";
import { serveStore } from "./serve-store.ts";

// The entry of the worker thread; the caller's side is store-thread.ts.
if (parentPort === null) throw new Error("store-worker.ts is a worker thread's entry and does nothing else");
serveStore(parentPort, workerData as EngineOptions);
