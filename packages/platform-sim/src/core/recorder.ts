/** One request that the bot made. */
export interface RecordedCall {
  readonly seq: number;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  status: number;
  result: unknown;
  /** `duplicate`: the effect had happened already and was not repeated. */
  effect: "none" | "applied" | "duplicate";
  tookMs: number;
  fault?: string;
  readonly at: number;
}

/** One event given to the bot. */
export interface RecordedEvent {
  readonly seq: number;
  readonly eventId: string;
  readonly event: unknown;
  readonly at: number;
  deliveries: number;
  acknowledgedAt: number | null;
  /** How it was acknowledged, e.g. `offset` or `http 200`. */
  acknowledgedBy: string | null;
}

/** Something that the real platform would refuse or warn of, or that the simulator does not know. */
export interface Violation {
  readonly seq: number;
  readonly at: number;
  readonly what: string;
  readonly method?: string;
}

/** Everything that happened, in order; kept until reset. */
export interface Recorder {
  readonly calls: RecordedCall[];
  readonly events: RecordedEvent[];
  readonly violations: Violation[];
  readonly call: (method: string, params: Readonly<Record<string, unknown>>) => RecordedCall;
  readonly event: (eventId: string, event: unknown) => RecordedEvent;
  readonly violate: (what: string, method?: string) => void;
  readonly clear: () => void;
}

/** Creates an empty recorder on the given time. */
export function createRecorder(now: () => number): Recorder {
  let seq = 0;
  const calls: RecordedCall[] = [];
  const events: RecordedEvent[] = [];
  const violations: Violation[] = [];
  const next = (): number => {
    seq += 1;
    return seq;
  };
  return {
    calls,
    events,
    violations,
    call(method, params) {
      const call: RecordedCall = {
        seq: next(),
        method,
        params,
        status: 0,
        result: null,
        effect: "none",
        tookMs: 0,
        at: now(),
      };
      calls.push(call);
      return call;
    },
    event(eventId, event) {
      const entry: RecordedEvent = {
        seq: next(),
        eventId,
        event,
        at: now(),
        deliveries: 0,
        acknowledgedAt: null,
        acknowledgedBy: null,
      };
      events.push(entry);
      return entry;
    },
    violate(what, method) {
      violations.push({ seq: next(), at: now(), what, ...(method === undefined ? {} : { method }) });
    },
    clear() {
      calls.length = 0;
      events.length = 0;
      violations.length = 0;
    },
  };
}
