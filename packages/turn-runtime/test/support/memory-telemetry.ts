import type { Telemetry } from "@turnwire/turn-ports";

/** Telemetry whose counters a test can read, by name alone. */
export function createMemoryTelemetry(): Telemetry & { readonly counted: (name: string) => number } {
  const counters = new Map<string, number>();
  return {
    count(name, _labels, by = 1) {
      counters.set(name, (counters.get(name) ?? 0) + by);
    },
    observe: () => undefined,
    gauge: () => undefined,
    counted: (name) => counters.get(name) ?? 0,
  };
}
