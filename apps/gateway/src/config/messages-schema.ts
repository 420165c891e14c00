import { z } from "zod";

const queueMode = z.enum(["steer", "followup", "collect", "interrupt"]);
const debounceMs = z.number().int().min(0).max(60_000);

/** `messages`: how inbound messages are grouped, queued and answered. */
export const messagesSchema = z.strictObject({
  inbound: z
    .strictObject({
      debounceMs: debounceMs
        .default(0)
        .describe("Joins texts that one person sends in quick succession, ms; 0 is off."),
      byChannel: z.record(z.string(), debounceMs).default({}),
    })
    .prefault({}),
  queue: z
    .strictObject({
      mode: queueMode.default("steer").describe("What a message does that arrives while a run is active."),
      cap: z.number().int().min(1).max(1000).default(20).describe("Messages that may wait in one lane."),
      drop: z.enum(["summarize", "old", "new"]).default("summarize").describe("What happens to those over `cap`."),
      debounceMs: debounceMs.default(500),
      byChannel: z.record(z.string(), queueMode).default({}),
      debounceMsByChannel: z.record(z.string(), debounceMs).default({}),
    })
    .prefault({}),
  groupChat: z
    .strictObject({
      historyLimit: z
        .number()
        .int()
        .min(0)
        .max(1000)
        .default(50)
        .describe("Unanswered group messages shown to the next turn; 0 is off."),
    })
    .prefault({}),
  responsePrefix: z
    .string()
    .default("")
    .describe("Put in front of each reply; `{model}`, `{identity.name}` and others are replaced."),
});
