import { z } from "zod";

import { agentsSchema } from "./agents-schema.ts";
import { messagesSchema } from "./messages-schema.ts";

const binding = z.strictObject({
  agentId: z.string().min(1),
  match: z.strictObject({
    channel: z.string().min(1),
    accountId: z.string().min(1).optional(),
    peer: z.strictObject({ kind: z.enum(["direct", "group", "channel"]), id: z.string().min(1) }).optional(),
  }),
});

/** One platform: its accounts, and keys that are the default of each. */
const channel = z.looseObject({
  accounts: z
    .record(
      z.string().regex(/^[A-Za-z0-9._-]{1,64}$/, "must be 1 to 64 letters, digits, dots, dashes or underscores"),
      z.record(z.string(), z.unknown()),
    )
    .default({}),
});

/**
 * The config file's shape. Accounts are validated a second time by the schema that their channel's package brings.
 */
export const gatewayConfigSchema = z.strictObject({
  $schema: z.string().optional().describe("For editors; see `turnwire config schema`."),
  http: z
    .strictObject({
      host: z.string().default("127.0.0.1").describe("Address to listen on."),
      port: z.number().int().min(0).max(65_535).default(8787).describe("Port; 0 takes a free one."),
      adminToken: z
        .string()
        .min(1)
        .optional()
        .describe("Needed for the API's writes always, and for everything but health when not on loopback."),
      metricsToken: z.string().min(1).optional().describe("Bearer for /metrics alone."),
      publicUrl: z.url().optional().describe("Public https origin; with it webhook accounts register themselves."),
    })
    .prefault({}),
  plugins: z
    .array(z.string().min(1))
    .default([])
    .describe("Packages of further channels; each exports `turnwireChannel`."),
  secretsKey: z
    .strictObject({ file: z.string().min(1) })
    .optional()
    .describe("File with 32 bytes; seals what a channel must keep secret."),
  store: z
    .discriminatedUnion("kind", [
      z.strictObject({
        kind: z.literal("sqlite"),
        path: z.string().min(1).default("./data/turnwire.db"),
        synchronous: z
          .enum(["full", "normal"])
          .default("full")
          .describe("`normal` survives a killed process, not a power cut."),
        migrate: z.enum(["auto", "manual"]).default("auto"),
      }),
    ])
    .default({ kind: "sqlite", path: "./data/turnwire.db", synchronous: "full", migrate: "auto" }),
  agents: agentsSchema.prefault({}),
  bindings: z.array(binding).default([]),
  session: z
    .strictObject({
      dmScope: z.enum(["main", "per-peer", "per-channel-peer", "per-account-channel-peer"]).default("main"),
    })
    .prefault({}),
  messages: messagesSchema.prefault({}),
  commands: z
    .strictObject({ owners: z.array(z.string().regex(/^[a-z0-9-]+:.+$/, "must look like telegram:123")).default([]) })
    .prefault({}),
  channels: z.record(z.string(), channel).default({}),
  telemetry: z
    .strictObject({
      logLevel: z.enum(["debug", "info", "warn", "error"]).default("info"),
      prometheus: z.boolean().default(true),
    })
    .prefault({}),
  shutdown: z
    .strictObject({
      drainMs: z
        .number()
        .int()
        .min(0)
        .max(600_000)
        .default(30_000)
        .describe("How long running turns may take to finish at a stop, ms."),
    })
    .prefault({}),
});

/** A validated config; accounts are still as they were written. */
export type GatewayConfig = z.infer<typeof gatewayConfigSchema>;
