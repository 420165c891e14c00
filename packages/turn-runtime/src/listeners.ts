import type { Logger } from "@turnwire/turn-ports";

/** Those who want to hear of something. */
export interface Listeners<Value> {
  /** Returns how to stop hearing. */
  readonly add: (listener: (value: Value) => void) => () => void;
  readonly tell: (value: Value) => void;
}

/** Creates an empty list. A listener that throws is logged and does not keep the others from hearing. */
export function createListeners<Value>(log: Logger): Listeners<Value> {
  const listeners = new Set<(value: Value) => void>();
  return {
    add(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    tell(value) {
      for (const listener of listeners) {
        try {
          listener(value);
        } catch (error) {
          log.warn({ error }, "a listener threw; it goes on hearing");
        }
      }
    },
  };
}
