import { z } from "zod";

const echoRunner = z.strictObject({
  kind: z.literal("echo"),
  delayMs: z
    .number()
    .int()
    .min(0)
    .max(10_000)
    .default(0)
    .describe("Pause between words, ms; makes streaming visible in the playground."),
});

const httpRunner = z.strictObject({
  kind: z.literal("http"),
  url: z.url().describe("Where the service answers `POST` with server-sent events or JSON."),
  headers: z.record(z.string(), z.string()).default({}),
  timeoutMs: z.number().int().positive().default(600_000),
});

/** What makes an agent's answers. */
export const runnerSchema = z.discriminatedUnion("kind", [echoRunner, httpRunner]);

const agent = z.strictObject({
  id: z.string().min(1).describe("Stable id; session keys begin with it."),
  default: z.boolean().default(false).describe("Serves configurations without any binding."),
  disabled: z.boolean().default(false).describe("A disabled owner never falls back to another agent."),
  identity: z.strictObject({ name: z.string().min(1) }).default({ name: "Turnwire" }),
  system: z.string().optional().describe("System prompt."),
  runner: runnerSchema.default({ kind: "echo", delayMs: 0 }),
});

/** `agents`: defaults and the list. */
export const agentsSchema = z.strictObject({
  defaults: z
    .strictObject({
      timeoutMs: z
        .number()
        .int()
        .positive()
        .default(600_000)
        .describe("Longest run of an agent, ms; then the turn ends `timed_out`."),
      recovery: z
        .enum(["rerun", "resume", "notice"])
        .default("resume")
        .describe("What happens to a turn that was running when the process died."),
      maxAttempts: z
        .number()
        .int()
        .min(1)
        .max(20)
        .default(3)
        .describe("Runs of one turn before its event becomes a dead letter."),
      maxSteps: z.number().int().min(1).max(200).default(20),
      maxOutputTokens: z.number().int().positive().default(4096),
    })
    .prefault({}),
  list: z
    .array(agent)
    .min(1)
    .default([agent.parse({ id: "main", default: true })])
    .describe("The agents; exactly one is the default."),
});
