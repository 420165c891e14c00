import { checkFault } from "./check-fault.ts";
import type { FaultAction, FaultRequest } from "./fault-request.ts";

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
  readonly take: (hit: FaultHit) => ActiveFault | null;
  readonly clear: () => void;
}

interface Entry {
  readonly id: string;
  readonly request: FaultRequest;
  seen: number;
  left: number;
  readonly gate: PromiseWithResolvers<void>;
}

/** What a fault may hit. */
export interface FaultHit {
  readonly method: string;
  /** All ids by which the place is known: a topic's, then its chat's. */
  readonly places?: readonly string[];
  readonly direction: "call" | "event";
  /** Whether another delivery waits behind this one, to be swapped with. */
  readonly hasNext?: boolean;
}

/** Creates an empty set of faults. Method names match without regard to case; `placeId` makes an id of a place's name. */
export function createFaults(placeId: (place: string) => string = String): Faults {
  const entries = new Map<string, Entry>();
  let nextId = 0;

  function matches({ request: { match, do: action } }: Entry, hit: FaultHit): boolean {
    if ((match.direction ?? "call") !== hit.direction) return false;
    if (match.method !== undefined && match.method.toLowerCase() !== hit.method.toLowerCase()) return false;
    if (action.reorder === true && hit.hasNext !== true) return false;
    return match.place === undefined || (hit.places ?? []).includes(match.place);
  }

  return {
    add(request) {
      checkFault(request);
      const { place } = request.match;
      const match = place === undefined ? request.match : { ...request.match, place: placeId(String(place)) };
      nextId += 1;
      const id = `f${nextId}`;
      entries.set(id, {
        id,
        request: { ...request, match },
        seen: 0,
        left: request.times ?? 1,
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
