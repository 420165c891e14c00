/** Counters and observations by name; the gateway maps them to Prometheus and OpenTelemetry. Label values come from small fixed sets. */
export interface Telemetry {
  count(name: string, labels?: Readonly<Record<string, string>>, by?: number): void;
  observe(name: string, value: number, labels?: Readonly<Record<string, string>>): void;
  gauge(name: string, value: number, labels?: Readonly<Record<string, string>>): void;
}
