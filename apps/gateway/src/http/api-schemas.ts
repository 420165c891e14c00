/** JSON Schemas of the console's API: they validate requests and make `/api/openapi.json`. */

const text = { type: "string" } as const;
const time = { type: "integer", description: "Epoch ms" } as const;

/** Query of lists. */
export const pageQuery = {
  type: "object",
  additionalProperties: false,
  properties: {
    limit: { type: "integer", minimum: 1, maximum: 200, default: 50 },
    before: { type: "string", maxLength: 512, description: "The `next` of the page before" },
    status: { type: "string", maxLength: 32 },
    sessionKey: { type: "string", maxLength: 512 },
  },
} as const;

const list = (item: object): object => ({
  200: {
    type: "object",
    required: ["items"],
    properties: {
      items: { type: "array", items: item },
      next: { ...text, description: "Pass as `before` for the next page; absent on the last" },
    },
  },
});

const account = {
  type: "object",
  required: ["channel", "accountId", "status", "sinceMs", "restarts"],
  properties: {
    channel: text,
    accountId: text,
    status: { type: "string", enum: ["starting", "ok", "degraded", "failed", "standby", "stopped"] },
    sinceMs: time,
    lastExchangeMs: time,
    restarts: { type: "integer" },
    lastError: text,
  },
} as const;

const errorObject = {
  type: "object",
  required: ["code", "message"],
  properties: { code: text, message: text },
} as const;

const turn = {
  type: "object",
  required: ["turnId", "channel", "accountId", "attempt", "pass", "startedAtMs", "stages"],
  properties: {
    turnId: text,
    sessionKey: text,
    channel: text,
    accountId: text,
    messageId: text,
    attempt: { type: "integer" },
    pass: { type: "string", enum: ["admission", "run"] },
    admission: text,
    reason: text,
    outcome: text,
    error: errorObject,
    startedAtMs: time,
    endedAtMs: time,
    stages: {
      type: "array",
      items: {
        type: "object",
        required: ["stage", "event", "atMs"],
        properties: {
          stage: text,
          event: text,
          atMs: { type: "number" },
          durationMs: { type: "number" },
          reason: text,
        },
      },
    },
  },
} as const;

const session = {
  type: "object",
  required: ["key", "agentId", "generation", "createdAtMs", "updatedAtMs"],
  properties: {
    key: text,
    agentId: text,
    generation: { type: "integer" },
    settings: { type: "object", additionalProperties: true },
    lastRoute: { type: "object", additionalProperties: true },
    createdAtMs: time,
    updatedAtMs: time,
  },
} as const;

const outboxRow = {
  type: "object",
  required: ["id", "seq", "channel", "accountId", "purpose", "status", "attempts", "createdAtMs", "to"],
  properties: {
    id: text,
    seq: { type: "integer" },
    channel: text,
    accountId: text,
    to: text,
    threadId: text,
    turnId: text,
    purpose: text,
    op: text,
    status: text,
    attempts: { type: "integer" },
    error: errorObject,
    platformMessageIds: { type: "array", items: text },
    createdAtMs: time,
    settledAtMs: time,
  },
} as const;

const pairing = {
  type: "object",
  required: ["code", "channel", "accountId", "senderId", "status", "createdAtMs"],
  properties: {
    code: text,
    channel: text,
    accountId: text,
    senderId: text,
    senderLabel: text,
    status: text,
    createdAtMs: time,
  },
} as const;

const deadLetter = {
  type: "object",
  required: ["id", "kind", "channel", "accountId", "atMs"],
  properties: {
    id: text,
    kind: { type: "string", enum: ["event", "delivery"] },
    channel: text,
    accountId: text,
    messageId: text,
    reason: text,
    atMs: time,
  },
} as const;

const ok = { 200: { type: "object", required: ["ok"], properties: { ok: { type: "boolean" } } } } as const;
const params = (...names: readonly string[]): object => ({
  type: "object",
  required: names,
  properties: Object.fromEntries(names.map((name) => [name, { type: "string", maxLength: 512 }])),
});

/** Route schemas by route name. */
export const apiSchemas = {
  accounts: { summary: "Accounts and their health", tags: ["read"], response: list(account) },
  turns: { summary: "Turns, newest first", tags: ["read"], querystring: pageQuery, response: list(turn) },
  turn: { summary: "All passes of one turn", tags: ["read"], params: params("id"), response: list(turn) },
  sessions: { summary: "Sessions by key", tags: ["read"], querystring: pageQuery, response: list(session) },
  outbox: { summary: "Outbox parts, newest first", tags: ["read"], querystring: pageQuery, response: list(outboxRow) },
  pairings: { summary: "Direct-message pairings", tags: ["read"], response: list(pairing) },
  deadletters: {
    summary: "Events and deliveries that gave up",
    tags: ["read"],
    querystring: pageQuery,
    response: list(deadLetter),
  },
  events: { summary: "Turn stages and account changes as they happen (server-sent events)", tags: ["read"] },
  pairingWrite: { summary: "Approve or revoke a pairing", tags: ["write"], params: params("code"), response: ok },
  deadletterWrite: { summary: "Retry or drop a dead letter", tags: ["write"], params: params("id"), response: ok },
  sessionReset: { summary: "Start a session anew", tags: ["write"], params: params("key"), response: ok },
  accountRestart: { summary: "Restart one account", tags: ["write"], params: params("channel", "id"), response: ok },
  outboxResend: { summary: "Send a held part again", tags: ["write"], params: params("id"), response: ok },
} as const;
