import type { Telemetry } from "@turnwire/turn-ports";
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

/** Seconds from a cache hit to a slow model; stages of a turn span all of it. */
const DURATION_BUCKETS_MS = [0.1, 0.5, 1, 5, 10, 50, 100, 500, 1_000, 5_000, 30_000, 120_000];

/** Telemetry that ends in a Prometheus registry; metrics come to be with their first use, prefixed `turnwire_`. */
export function createPrometheusTelemetry(): Telemetry & { readonly registry: Registry } {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const counters = new Map<string, Counter>();
  const gauges = new Map<string, Gauge>();
  const histograms = new Map<string, Histogram>();

  function metric<T>(
    cache: Map<string, T>,
    name: string,
    labels: object,
    make: (settings: { name: string; help: string; labelNames: string[]; registers: Registry[] }) => T,
  ): T {
    const found = cache.get(name);
    if (found !== undefined) return found;
    const full = `turnwire_${name.replaceAll(/[^a-zA-Z0-9_]/g, "_")}`;
    const made = make({
      name: full,
      help: name.replaceAll("_", " "),
      labelNames: Object.keys(labels),
      registers: [registry],
    });
    cache.set(name, made);
    return made;
  }

  return {
    registry,
    count(name, labels = {}, by = 1) {
      metric(counters, name, labels, (settings) => new Counter(settings)).inc({ ...labels }, by);
    },
    gauge(name, value, labels = {}) {
      metric(gauges, name, labels, (settings) => new Gauge(settings)).set({ ...labels }, value);
    },
    observe(name, value, labels = {}) {
      metric(
        histograms,
        name,
        labels,
        (settings) => new Histogram({ ...settings, buckets: DURATION_BUCKETS_MS }),
      ).observe({ ...labels }, value);
    },
  };
}
