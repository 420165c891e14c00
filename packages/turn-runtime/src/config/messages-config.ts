/** What a message does that arrives while a run of its session is active. */
export type QueueMode = "steer" | "followup" | "collect" | "interrupt";

/**
 * What happens to messages over the cap of a lane.
 * - `summarize`: the oldest are dropped, and the next turn is told of each in one line;
 * - `old`: the oldest are dropped; - `new`: those that arrive are dropped.
 */
export type QueueDrop = "summarize" | "old" | "new";

/** `messages.*` of the gateway's config, by section. */
export interface MessagesConfig {
  readonly inbound: {
    /** Joins texts that one person sends in quick succession, ms. Default 0: off. */
    readonly debounceMs: number;
    readonly byChannel: Readonly<Record<string, number>>;
  };
  readonly queue: {
    /** Default `steer`. */
    readonly mode: QueueMode;
    /** Messages that may wait in one lane. Default 20. */
    readonly cap: number;
    /** Default `summarize`. */
    readonly drop: QueueDrop;
    /** Quiet time after the last message before a waiting one is steered or run, ms. Never for the first message of an idle lane. Default 500. */
    readonly debounceMs: number;
    readonly byChannel: Readonly<Record<string, QueueMode>>;
    readonly debounceMsByChannel: Readonly<Record<string, number>>;
  };
  readonly groupChat: {
    /** Unanswered group messages that the next turn is shown. Default 50; 0 is off. */
    readonly historyLimit: number;
  };
  readonly reply: {
    /** Put in front of each reply; an account's own setting wins. Default "": none. */
    readonly responsePrefix: string;
  };
}

/** Defaults of `messages.*`, as the gateway's contract states them. */
export const MESSAGES_DEFAULTS: MessagesConfig = {
  inbound: { debounceMs: 0, byChannel: {} },
  queue: { mode: "steer", cap: 20, drop: "summarize", debounceMs: 500, byChannel: {}, debounceMsByChannel: {} },
  groupChat: { historyLimit: 50 },
  reply: { responsePrefix: "" },
};
