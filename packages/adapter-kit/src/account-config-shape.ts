import { z } from "zod";

const ids = z.array(z.string().min(1));
const queueMode = z.enum(["steer", "followup", "collect", "interrupt"]);
const perSecond = z.number().positive().max(10_000);

const group = z.strictObject({
  allowFrom: ids.optional().describe("Sender ids who may speak in this group; absent: every member."),
  requireMention: z.boolean().optional().describe("Overrides the account's requireMention for this group."),
});

const block = z.strictObject({
  enabled: z.boolean().optional().describe("Send finished blocks while the answer is still made."),
  coalesce: z
    .strictObject({
      idleMs: z.number().int().min(0).max(60_000).optional().describe("Join blocks that come within this time, ms."),
    })
    .optional(),
});

/**
 * The keys that every channel accepts in the same words, as a zod shape to spread into an account's schema:
 * `z.strictObject({ ...accountConfigShape, botToken: z.string() })`.
 */
export const accountConfigShape = {
  enabled: z.boolean().default(true).describe("False keeps the account configured but stopped."),
  dmPolicy: z
    .enum(["pairing", "allowlist", "open", "disabled"])
    .default("pairing")
    .describe("Who may write in direct chats: after an operator's approval, those in allowFrom, anyone, nobody."),
  allowFrom: ids.default([]).describe("Sender ids who may write in direct chats and use commands."),
  groupPolicy: z
    .enum(["allowlist", "open", "disabled"])
    .default("allowlist")
    .describe("Which groups are served: those named in groups, all, none."),
  groups: z.record(z.string(), group).default({}).describe("Groups by the platform's id."),
  requireMention: z.boolean().default(true).describe("In groups, answer only when mentioned or replied to."),
  bots: z.enum(["deny", "mentions", "allow"]).default("deny").describe("Whether other bots may start turns."),
  contextVisibility: z
    .enum(["all", "allowlist", "allowlist_quote"])
    .default("all")
    .describe("Which quoted, forwarded and thread context reaches the agent."),
  historyLimit: z
    .number()
    .int()
    .min(0)
    .max(1000)
    .optional()
    .describe("Overrides messages.groupChat.historyLimit; 0 is off."),
  streaming: z
    .strictObject({
      mode: z
        .enum(["off", "partial", "block", "progress"])
        .default("partial")
        .describe("How an answer grows while it is made: not at all, as one live draft, in blocks, as progress only."),
      block: block.optional(),
    })
    .prefault({})
    .describe("How an answer appears while it is made."),
  replyToMode: z
    .enum(["off", "first", "all"])
    .default("off")
    .describe("Which parts of an answer quote the message they answer."),
  ackReaction: z.string().optional().describe("Reaction put on a message when work on it begins."),
  responsePrefix: z.string().optional().describe("Overrides messages.responsePrefix; an empty string stops it."),
  queue: z
    .strictObject({ mode: queueMode.optional(), debounceMs: z.number().int().min(0).max(60_000).optional() })
    .optional()
    .describe("Overrides messages.queue: what becomes of messages that come while an answer is made."),
  outbound: z
    .strictObject({
      perBotPerSecond: perSecond.optional().describe("Calls a second over all chats; default: the platform's limit."),
      perChatPerSecond: perSecond.optional().describe("Calls a second in one chat; default: the platform's limit."),
    })
    .optional()
    .describe("How fast the bot may send."),
  onUnknownSend: z
    .enum(["hold", "resend"])
    .default("hold")
    .describe(
      "What to do with a message whose sending neither succeeded nor failed for certain: tell the person, or send it again.",
    ),
} as const;
