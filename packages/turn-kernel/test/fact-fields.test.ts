import { describe, expect, it } from "vitest";

import type { AccessFacts, CommandAccessFacts, MentionAccessFacts } from "../src/access-facts.ts";
import type { ContextVisibility } from "../src/assembled-channel-turn.ts";
import type { ChannelEventClass } from "../src/channel-event-class.ts";
import type { ConversationFacts } from "../src/conversation-facts.ts";
import { createChannelHistoryWindow } from "../src/create-channel-history-window.ts";
import { createTurnKernel } from "../src/create-turn-kernel.ts";
import type { HistoryEntry } from "../src/history-window.ts";
import type { InboundMediaFacts } from "../src/inbound-media-facts.ts";
import type { InboundHistoryEntry, MessageFacts } from "../src/message-facts.ts";
import type { NormalizedTurnInput } from "../src/normalized-turn-input.ts";
import type { PreflightCommand, PreflightFacts, PreflightHistory } from "../src/preflight-facts.ts";
import type { ReplyPlanFacts } from "../src/reply-plan-facts.ts";
import type { RouteFacts } from "../src/route-facts.ts";
import type { SenderFacts } from "../src/sender-facts.ts";
import type {
  ForwardedFacts,
  QuoteFacts,
  SupplementalContextFacts,
  ThreadFacts,
  UntrustedContextBlock,
} from "../src/supplemental-context-facts.ts";

// A fact that nothing reads is a defect. Every field of every fact table stands here once, with a value that occurs
// nowhere else; the compiler keeps the lists exact: a new field that is missing here does not compile.
const media = {
  path: "media.path",
  url: "media.url",
  contentType: undefined,
  kind: "image",
  transcribed: true,
  messageId: "media.messageId",
} satisfies Record<keyof InboundMediaFacts, unknown>;
const input = {
  id: "input.id",
  timestamp: 101,
  rawText: "input.rawText",
  textForAgent: "input.textForAgent",
  textForCommands: "input.textForCommands",
  raw: "input.raw",
} satisfies Record<keyof NormalizedTurnInput, unknown>;
const sender = {
  id: "sender.id",
  name: "sender.name",
  username: "sender.username",
  tag: "sender.tag",
  roles: ["sender.roles"],
  isBot: false,
  isSelf: false,
  displayLabel: "sender.displayLabel",
} satisfies Record<keyof SenderFacts, unknown>;
const conversation = {
  kind: "group",
  id: "conversation.id",
  label: "conversation.label",
  spaceId: "conversation.spaceId",
  parentId: "conversation.parentId",
  threadId: "conversation.threadId",
  nativeChannelId: "conversation.nativeChannelId",
  routePeer: { kind: "group", id: "conversation.routePeer.id" } satisfies Record<
    keyof NonNullable<ConversationFacts["routePeer"]>,
    unknown
  >,
} satisfies Record<keyof ConversationFacts, unknown>;
const route = {
  agentId: "route.agentId",
  accountId: "route.accountId",
  routeSessionKey: "route.routeSessionKey",
  dispatchSessionKey: "route.dispatchSessionKey",
  persistedSessionKey: "route.persistedSessionKey",
  parentSessionKey: "route.parentSessionKey",
  modelParentSessionKey: "route.modelParentSessionKey",
  mainSessionKey: "route.mainSessionKey",
  createIfMissing: true,
} satisfies Record<keyof RouteFacts, unknown>;
const reply = {
  to: "reply.to",
  originatingTo: "reply.originatingTo",
  nativeChannelId: "reply.nativeChannelId",
  replyTarget: "reply.replyTarget",
  deliveryTarget: "reply.deliveryTarget",
  replyToId: "reply.replyToId",
  replyToIdFull: "reply.replyToIdFull",
  messageThreadId: "reply.messageThreadId",
  threadParentId: "reply.threadParentId",
  sourceReplyDeliveryMode: "thread",
} satisfies Record<keyof ReplyPlanFacts, unknown>;
const access = {
  dm: { decision: "allow", reason: "dm.reason", allowFrom: ["a"] } satisfies Record<
    keyof NonNullable<AccessFacts["dm"]>,
    unknown
  >,
  group: {
    policy: "allowlist",
    routeAllowed: true,
    senderAllowed: true,
    allowFrom: ["a"],
    requireMention: true,
  } satisfies Record<keyof NonNullable<AccessFacts["group"]>, unknown>,
  commands: {
    authorizers: [{ configured: true, allowed: true }],
    useAccessGroups: true,
    allowTextCommands: true,
    modeWhenAccessGroupsOff: "configured",
    authorized: undefined,
    shouldBlockControlCommand: false,
    reasonCode: "commands.reasonCode",
  } satisfies Record<keyof CommandAccessFacts, unknown>,
  mentions: {
    canDetectMention: true,
    wasMentioned: false,
    hasAnyMention: false,
    implicitMentionKinds: ["native"],
    requireMention: undefined,
    effectiveWasMentioned: undefined,
    shouldBypassMention: undefined,
  } satisfies Record<keyof MentionAccessFacts, unknown>,
  bots: "mentions",
} satisfies Record<keyof AccessFacts, unknown>;
const message = {
  body: "message.body",
  rawBody: "message.rawBody",
  bodyForAgent: "message.bodyForAgent",
  commandBody: "message.commandBody",
  envelopeFrom: "message.envelopeFrom",
  senderLabel: "message.senderLabel",
  preview: "message.preview",
  inboundHistory: [
    {
      sender: "history.sender",
      body: "history.body",
      timestamp: 102,
      messageId: "history.messageId",
      media: [{ path: "history.media" }],
      senderAllowed: true,
    } satisfies Record<keyof InboundHistoryEntry, unknown>,
  ],
} satisfies Record<keyof MessageFacts, unknown>;
const supplemental = {
  quote: {
    id: "quote.id",
    fullId: "quote.fullId",
    body: "quote.body",
    sender: "quote.sender",
    senderAllowed: false,
    isExternal: false,
    isQuote: true,
  } satisfies Record<keyof QuoteFacts, unknown>,
  forwarded: {
    from: "forwarded.from",
    fromType: "forwarded.fromType",
    fromId: "forwarded.fromId",
    date: 103,
    senderAllowed: true,
  } satisfies Record<keyof ForwardedFacts, unknown>,
  thread: {
    id: "thread.id",
    starterBody: "thread.starterBody",
    historyBody: "thread.historyBody",
    label: "thread.label",
    parentSessionKey: "thread.parentSessionKey",
    modelParentSessionKey: "thread.modelParentSessionKey",
    senderAllowed: true,
  } satisfies Record<keyof ThreadFacts, unknown>,
  untrustedContext: [
    {
      label: "untrusted.label",
      source: "untrusted.source",
      type: "untrusted.type",
      payload: "untrusted.payload",
    } satisfies Record<keyof UntrustedContextBlock, unknown>,
  ],
  groupSystemPrompt: "supplemental.groupSystemPrompt",
} satisfies Record<keyof SupplementalContextFacts, unknown>;
const command = { name: "command.name", body: "command.body", control: true } satisfies Record<
  keyof PreflightCommand,
  unknown
>;
const history = {
  key: "history.key",
  limit: 5,
  mediaLimit: 4,
  shouldRecord: () => true,
} satisfies Record<keyof PreflightHistory, unknown>;

const TABLES = {
  input,
  sender,
  conversation,
  route,
  reply,
  access,
  message,
  supplemental,
  command,
  history,
  media: [media],
};

/** `access.dm.decision`, `media[].path`: each field of the tables. */
function fieldsOf(value: unknown, path: string): string[] {
  if (Array.isArray(value)) {
    const [first] = value as unknown[];
    return typeof first === "object" ? fieldsOf(first, `${path}[]`) : [path];
  }
  if (typeof value !== "object" || value === null) return [path];
  return Object.entries(value).flatMap(([key, item]) => fieldsOf(item, path === "" ? key : `${path}.${key}`));
}

interface Tracker {
  isOn: boolean;
  readonly read: Set<string>;
}

/** Tells of every field that is read while the tracker is on. */
function tracked<T>(value: T, path: string, tracker: Tracker): T {
  if (typeof value !== "object" || value === null) return value;
  return new Proxy(value, {
    get(target, key) {
      const item: unknown = Reflect.get(target, key);
      if (typeof key === "symbol" || typeof item === "function") {
        if (tracker.isOn && key === "shouldRecord") tracker.read.add(`${path}.${key}`);
        return item;
      }
      const inner = Array.isArray(target) ? `${path}[]` : `${path}.${key}`;
      if (tracker.isOn && inner !== `${path}[]`) tracker.read.add(inner);
      return tracked(item, inner, tracker);
    },
  });
}

interface Scenario {
  readonly name: string;
  /** Facts that differ from the tables; undefined leaves one out. */
  readonly change?: Readonly<Record<string, unknown>>;
  readonly contextVisibility?: ContextVisibility;
  readonly withCommand?: boolean;
  /** Bodies come from ingest alone. */
  readonly isBare?: boolean;
  readonly dropInPreflight?: boolean;
}

const SCENARIOS: readonly Scenario[] = [
  { name: "a group message", change: {} },
  { name: "under an allowlist", contextVisibility: "allowlist" },
  { name: "under an allowlist with quotes", contextVisibility: "allowlist_quote" },
  { name: "a control command", withCommand: true },
  { name: "a bot", change: { sender: { ...sender, isBot: true } } },
  { name: "no reply plan", change: { reply: undefined, supplemental: undefined } },
  {
    name: "labels from the sender",
    change: { message: { rawBody: "r", bodyForAgent: "b" }, sender: { ...sender, name: undefined } },
  },
  {
    name: "parents from the thread",
    change: {
      route: { agentId: "m", routeSessionKey: "s" },
      conversation: { kind: "group", id: "g" },
      reply: { to: "t" },
    },
  },
  { name: "no quote", change: { supplemental: {} } },
  {
    name: "a mention that is missing, remembered",
    change: { access: { ...access, mentions: { ...access.mentions, implicitMentionKinds: [] } } },
  },
  { name: "dropped in preflight, remembered", dropInPreflight: true },
  {
    name: "a control command without a mention",
    withCommand: true,
    change: { access: { ...access, mentions: { ...access.mentions, implicitMentionKinds: [] } } },
  },
  {
    name: "a stranger in a group",
    change: { access: { ...access, group: { ...access.group, senderAllowed: false } } },
  },
  { name: "direct", change: { conversation: { ...conversation, kind: "direct" } } },
  {
    name: "direct, denied",
    change: {
      conversation: { ...conversation, kind: "direct" },
      access: { ...access, dm: { ...access.dm, decision: "deny" } },
    },
  },
  { name: "bodies of ingest", isBare: true, change: { message: { rawBody: "r" } } },
  {
    name: "access groups off",
    withCommand: true,
    change: { access: { ...access, commands: { ...access.commands, useAccessGroups: false } } },
  },
];

/** Everything that left the kernel: to context, recorder, queue, outbox, history and log. */
async function outputsOf(scenario: Scenario, tracker: Tracker): Promise<string> {
  const outputs: unknown[] = [];
  const historyMap = new Map<string, HistoryEntry[]>();
  const kernel = createTurnKernel({
    clock: { now: () => 0, monotonic: () => 0, setTimer: () => () => {} },
    ids: { next: () => "t" },
    history: createChannelHistoryWindow({ historyMap, isReadable: () => true }),
    recordInboundSession: ({ onRecordError: _, trackSessionMetaTask: __, ...params }) => void outputs.push(params),
    beforeDispatch: (turn) => {
      outputs.push(turn);
      return { kind: "run" };
    },
    durableDelivery: {
      deliver: async ({ options }) => {
        outputs.push(options);
        return Promise.resolve({});
      },
      sendPart: async () => Promise.reject(new Error("not prepared")),
    },
    reply: async (_context, sink) => sink.push({ text: "x" }, "final"),
  });
  const bare = { id: input.id, rawText: input.rawText };
  const facts = tracked(TABLES, "", tracker);
  const changed = Object.fromEntries(
    Object.entries(scenario.change ?? {}).map(([name, value]) => [name, tracked(value, `.${name}`, tracker)]),
  );
  const { input: _, command: __, history: ___, ...turn } = TABLES;
  const given = Object.fromEntries(
    Object.keys(turn).map((name) => [name, name in changed ? changed[name] : Reflect.get(facts, name)]),
  );
  const result = await kernel.run({
    channel: "c",
    raw: null,
    log(event) {
      outputs.push(event);
      // What is read before is the checks' part: to look whether a field has the right shape is not to use it.
      if (event.stage === "resolve" && event.event === "done") tracker.isOn = true;
    },
    adapter: {
      ingest: () => (scenario.isBare === true ? facts.input : bare),
      preflight(seen) {
        outputs.push(seen.raw);
        const partial: PreflightFacts = {
          ...(scenario.withCommand === true ? { command: facts.command } : {}),
          history: facts.history,
        };
        if (scenario.dropInPreflight !== true) return partial;
        tracker.isOn = true;
        return {
          ...partial,
          media: facts.media as InboundMediaFacts[],
          admission: { kind: "drop", recordHistory: true },
        };
      },
      resolveTurn: () => ({
        ...given,
        contextVisibility: scenario.contextVisibility,
        delivery: { deliver: async () => {}, durable: {} },
      }),
    },
  });
  tracker.isOn = false;
  outputs.push(result.ctxPayload, [...historyMap]);
  return JSON.stringify(outputs);
}

describe("every field of every fact table", () => {
  it("is read by a stage or arrives in what leaves the kernel", async () => {
    const tracker: Tracker = { isOn: false, read: new Set() };
    let outputs = "";
    for (const scenario of SCENARIOS) outputs += await outputsOf(scenario, tracker);
    const samples = new Map(
      fieldsOf(TABLES, "").map((field) => {
        const value = field.split(/\.|\[\]\.?/).reduce<unknown>((at, key) => {
          const from = Array.isArray(at) ? (at as unknown[])[0] : at;
          return key === "" ? from : Reflect.get(from as object, key);
        }, TABLES);
        return [field, Array.isArray(value) ? (value as unknown[])[0] : value] as const;
      }),
    );
    const unread = [...samples].filter(
      ([field, value]) =>
        !tracker.read.has(`.${field}`) &&
        !(typeof value === "string" && value.includes(".") && outputs.includes(`${value}`)) &&
        !(typeof value === "number" && value > 100 && outputs.includes(String(value))),
    );
    expect(unread.map(([field]) => field)).toEqual([]);
    expect(samples.size).toBeGreaterThan(90);
  });

  it("would be missed: a field that no stage knows is found unread", async () => {
    const tracker: Tracker = { isOn: false, read: new Set() };
    const change = { sender: { ...sender, shoeSize: "sender.shoeSize" } };
    const outputs = await outputsOf({ name: "an unknown field", change }, tracker);
    expect([tracker.read.has(".sender.shoeSize"), outputs.includes("sender.shoeSize")]).toEqual([false, false]);
    expect(tracker.read.has(".sender.isBot")).toBe(true);
  });

  it("also those of the event's class: each changes what happens", async () => {
    const run = async (eventClass: Required<ChannelEventClass>): Promise<readonly unknown[]> => {
      let acks = 0;
      const kernel = createTurnKernel({
        clock: { now: () => 0, monotonic: () => 0, setTimer: () => () => {} },
        ids: { next: () => "t" },
      });
      const { admission } = await kernel.run({
        channel: "c",
        raw: null,
        adapter: {
          ingest: () => ({ id: "1", rawText: "" }),
          classify: () => eventClass,
          ack: () => void (acks += 1),
          resolveTurn: () => ({ admission: { kind: "drop", reason: "resolved" } }) as never,
        },
      });
      return [admission.reason, acks];
    };
    const plain = { kind: "reaction", canStartAgentTurn: false, requiresImmediateAck: false } as const;
    expect(await run(plain)).toEqual(["event:reaction", 0]);
    expect(await run({ ...plain, kind: "lifecycle" })).toEqual(["event:lifecycle", 0]);
    expect(await run({ ...plain, canStartAgentTurn: true })).toEqual(["resolved", 0]);
    expect(await run({ ...plain, requiresImmediateAck: true })).toEqual(["event:reaction", 1]);
  });
});
