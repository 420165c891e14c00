import { ControlError } from "./control-error.ts";

/** Which calls or deliveries a fault hits. */
export interface FaultMatch {
  readonly method?: string;
  /** Only the n-th matching one, from 1. */
  readonly nth?: number;
  readonly place?: string;
  /** `call` (default): requests of the bot; `event`: deliveries to it. */
  readonly direction?: "call" | "event";
}

/** What happens to them. */
export interface FaultAction {
  readonly status?: number;
  readonly body?: unknown;
  /** Seconds; answers 429 with it in body and header. */
  readonly retryAfter?: number;
  readonly delayMs?: number;
  /** Closes the socket before the effect, or after it and without an answer. */
  readonly drop?: "before" | "after";
  /** Answers only after release. */
  readonly hold?: boolean;
  /** The effect, or the delivery, happens twice. */
  readonly duplicate?: boolean;
  /** The delivery is swapped with the one behind it. */
  readonly reorder?: boolean;
  /** Closes the connection of the bot. */
  readonly close?: boolean;
}

/** A fault as it is asked for. */
export interface FaultRequest {
  readonly match: FaultMatch;
  /** How many times; default 1. */
  readonly times?: number;
  readonly do: FaultAction;
}

/** A fault that hits a call. */
export interface ActiveFault {
  readonly id: string;
  readonly action: FaultAction;
  /** Resolves at once, or at release for a hold. */
  readonly released: Promise<void>;
}

/** All faults that wait for their calls. */
export interface Faults {
  readonly add: (request: FaultRequest) => { readonly id: string };
  /** Lets what a fault holds go. False when there is no such fault. */
  readonly release: (id: string) => boolean;
  /** Takes a fault away, letting go what it holds. */
  readonly remove: (id: string) => boolean;
  readonly take: (hit: {
    readonly method: string;
    readonly place?: string | undefined;
    readonly direction: "call" | "event";
  }) => ActiveFault | null;
  readonly clear: () => void;
}

interface Entry {
  readonly id: string;
  readonly request: FaultRequest;
  seen: number;
  left: number;
  isRemoved: boolean;
  readonly gate: PromiseWithResolvers<void>;
}

function check(request: FaultRequest): void {
  if (typeof request.match !== "object" || request.match === null)
    throw new ControlError("A fault needs what it matches.", "match", "{ method?, nth?, place?, direction? }");
  if (typeof request.do !== "object" || request.do === null)
    throw new ControlError(
      "A fault needs what it does.",
      "do",
      "{ status?, retryAfter?, delayMs?, drop?, hold?, duplicate?, reorder?, close? }",
    );
  if (request.times !== undefined && !(Number.isInteger(request.times) && request.times > 0))
    throw new ControlError("A fault happens a whole number of times.", "times", "a positive integer");
}

/** Creates an empty set of faults. Method names match without regard to case. */
export function createFaults(): Faults {
  const entries = new Map<string, Entry>();
  let nextId = 0;

  function matches(
    { request: { match } }: Entry,
    hit: { readonly method: string; readonly place?: string | undefined; readonly direction: "call" | "event" },
  ): boolean {
    if ((match.direction ?? "call") !== hit.direction) return false;
    if (match.method !== undefined && match.method.toLowerCase() !== hit.method.toLowerCase()) return false;
    return match.place === undefined || match.place === hit.place;
  }

  return {
    add(request) {
      check(request);
      nextId += 1;
      const id = `f${nextId}`;
      entries.set(id, {
        id,
        request,
        seen: 0,
        left: request.times ?? 1,
        isRemoved: false,
        gate: Promise.withResolvers<void>(),
      });
      return { id };
    },
    release(id) {
      const entry = entries.get(id);
      entry?.gate.resolve();
      return entry !== undefined;
    },
    remove(id) {
      const entry = entries.get(id);
      if (entry === undefined) return false;
      entry.isRemoved = true;
      entry.gate.resolve();
      return entries.delete(id);
    },
    take(hit) {
      for (const entry of entries.values()) {
        if (entry.left <= 0 || !matches(entry, hit)) continue;
        entry.seen += 1;
        const { nth } = entry.request.match;
        if (nth !== undefined && entry.seen !== nth) continue;
        entry.left -= 1;
        const isHeld = entry.request.do.hold === true;
        return { id: entry.id, action: entry.request.do, released: isHeld ? entry.gate.promise : Promise.resolve() };
      }
      return null;
    },
    clear() {
      for (const entry of entries.values()) entry.gate.resolve();
      entries.clear();
    },
  };
}
