import { describe, expect, it } from "vitest";

import { buildContext } from "./build-context.ts";
import type { FinalizedMsgContext } from "./finalized-msg-context.ts";
import type { BuildContextParams } from "./turn-params.ts";

const DIRECT = { kind: "direct", id: "c" } as const;
const GROUP = { kind: "group", id: "g" } as const;

/** The context of a message in a channel, by the given facts. */
function context(facts: Partial<BuildContextParams>): FinalizedMsgContext {
  return buildContext({ channel: "test", ...facts });
}

describe("buildContext", () => {
  it("needs no fact but the channel: fields without a source are absent", () => {
    expect(context({})).toStrictEqual({
      CommandAuthorized: false,
      OriginatingChannel: "test",
      Provider: "test",
      Surface: "test",
    });
  });

  it("makes no field of an empty string", () => {
    const empty = context({
      from: "",
      sender: { id: "", name: "" },
      conversation: { kind: "direct", id: "c", label: "" },
      message: { rawBody: "", body: "", commandBody: "" },
      reply: { to: "" },
    });
    expect(Object.entries(empty).filter(([, value]) => value === "")).toStrictEqual([]);
    expect(empty).not.toHaveProperty("RawBody");
  });

  it("is frozen, and leaves the facts as they are", () => {
    const facts = { channel: "test", message: { rawBody: "x" }, sender: { id: "a" } };
    const before = structuredClone(facts);
    expect(Object.isFrozen(buildContext(facts))).toBe(true);
    expect(facts).toStrictEqual(before);
    expect(Object.isFrozen(facts.message)).toBe(false);
  });

  describe("bodies", () => {
    const message = { body: "envelope", rawBody: "raw", bodyForAgent: "agent", commandBody: "/command" };

    it("keeps each as it is in a direct chat", () => {
      expect(context({ conversation: DIRECT, sender: { id: "a", name: "Ann" }, message })).toMatchObject({
        Body: "envelope",
        BodyForAgent: "agent",
        RawBody: "raw",
        CommandBody: "/command",
        BodyForCommands: "/command",
      });
    });

    it("puts the sender in front of what the model reads elsewhere, never of what commands are read from", () => {
      for (const kind of ["group", "channel"] as const) {
        expect(context({ conversation: { kind, id: "g" }, sender: { id: "a", name: "Ann" }, message })).toMatchObject({
          Body: "Ann: envelope",
          BodyForAgent: "Ann: agent",
          RawBody: "raw",
          CommandBody: "/command",
          BodyForCommands: "/command",
        });
      }
    });

    it("reads commands from the raw body when there is no other", () => {
      expect(context({ message: { rawBody: "/stop" } })).toMatchObject({ BodyForCommands: "/stop" });
    });

    it.each([
      { case: "the label of the message", message: { senderLabel: "L", envelopeFrom: "E" }, label: "L" },
      { case: "else the rendered sender", message: { envelopeFrom: "E" }, label: "E" },
      { case: "else the sender's display label", sender: { displayLabel: "D", name: "N" }, label: "D" },
      { case: "else the name", sender: { name: "N", username: "U" }, label: "N" },
      { case: "else the handle", sender: { username: "U" }, label: "U" },
    ])("labels with $case", ({ message: more, sender, label }) => {
      const { BodyForAgent } = context({
        conversation: GROUP,
        sender: { id: "a", ...sender },
        message: { rawBody: "x", bodyForAgent: "hello", ...more },
      });
      expect(BodyForAgent).toBe(`${label}: hello`);
    });
  });

  describe("ids and time", () => {
    it("names one message by MessageSid alone", () => {
      const one = context({ messageId: "1", messageIds: ["1"], timestamp: 5 });
      expect(one).toMatchObject({ MessageSid: "1", Timestamp: 5 });
      expect(one).not.toHaveProperty("MessageSids");
    });

    it("names all of several, oldest first; the last is the message", () => {
      expect(context({ messageIds: ["1", "2", "3"] })).toMatchObject({
        MessageSid: "3",
        MessageSids: ["1", "2", "3"],
        MessageSidFirst: "1",
        MessageSidLast: "3",
      });
    });
  });

  describe("place and reply", () => {
    it.each([
      { kind: "direct", field: null },
      { kind: "group", field: "GroupSubject" },
      { kind: "channel", field: "GroupChannel" },
    ] as const)("writes the label of a $kind to $field", ({ kind, field }) => {
      const place = context({ conversation: { kind, id: "c", label: "Talk", spaceId: "W" } });
      expect(place).toMatchObject({ ChatType: kind, ConversationLabel: "Talk", GroupSpace: "W" });
      expect(Object.entries(place).filter(([key]) => key === "GroupSubject" || key === "GroupChannel")).toStrictEqual(
        field === null ? [] : [[field, "Talk"]],
      );
    });

    it("takes thread, parent and native channel from the reply plan, else from the conversation", () => {
      const conversation = { ...GROUP, threadId: "ct", parentId: "cp", nativeChannelId: "cn" };
      expect(context({ conversation })).toMatchObject({
        MessageThreadId: "ct",
        ThreadParentId: "cp",
        NativeChannelId: "cn",
      });
      const reply = { to: "x", messageThreadId: "rt", threadParentId: "rp", nativeChannelId: "rn" };
      expect(context({ conversation, reply })).toMatchObject({
        MessageThreadId: "rt",
        ThreadParentId: "rp",
        NativeChannelId: "rn",
      });
      expect(context({ supplemental: { thread: { id: "st" } } })).toMatchObject({ MessageThreadId: "st" });
    });

    it("says where the reply goes and where the message came from", () => {
      expect(context({ reply: { to: "x" } })).toMatchObject({ To: "x", OriginatingTo: "x" });
      expect(context({ reply: { to: "x", originatingTo: "y" } })).toMatchObject({ To: "x", OriginatingTo: "y" });
      expect(context({ reply: { to: "x", replyToId: "r", replyToIdFull: "r/full" } })).toMatchObject({
        ReplyToId: "r",
        ReplyToIdFull: "r/full",
      });
    });

    it("names the quoted message before the anchor of the reply", () => {
      const quoted = context({
        reply: { to: "x", replyToId: "r", replyToIdFull: "rf" },
        supplemental: { quote: { id: "q", fullId: "qf", body: "said", sender: "Bo", isQuote: true } },
      });
      expect(quoted).toMatchObject({
        ReplyToId: "q",
        ReplyToIdFull: "qf",
        ReplyToBody: "said",
        ReplyToSender: "Bo",
        ReplyToIsQuote: true,
      });
    });
  });

  describe("session, account and sender", () => {
    it("takes the dispatch key before the route key", () => {
      const route = { agentId: "m", routeSessionKey: "r" };
      expect(context({ route }).SessionKey).toBe("r");
      expect(context({ route: { ...route, dispatchSessionKey: "d", persistedSessionKey: "p" } }).SessionKey).toBe("d");
      expect(context({ routeSessionKey: "k" }).SessionKey).toBe("k");
    });

    it("takes the parents from the route, else from the thread", () => {
      const thread = { parentSessionKey: "tp", modelParentSessionKey: "tm" };
      const route = { agentId: "m", routeSessionKey: "r" };
      expect(context({ supplemental: { thread } })).toMatchObject({
        ParentSessionKey: "tp",
        ModelParentSessionKey: "tm",
      });
      expect(
        context({ route: { ...route, parentSessionKey: "rp", modelParentSessionKey: "rm" }, supplemental: { thread } }),
      ).toMatchObject({ ParentSessionKey: "rp", ModelParentSessionKey: "rm" });
    });

    it("takes the account of the route before the turn's", () => {
      expect(context({ accountId: "a" }).AccountId).toBe("a");
      expect(context({ accountId: "a", route: { agentId: "m", routeSessionKey: "r", accountId: "b" } }).AccountId).toBe(
        "b",
      );
    });

    it("says who wrote", () => {
      const sender = { id: "7", name: "Ann", username: "ann", tag: "#1", roles: ["r"] };
      expect(context({ sender })).toMatchObject({
        From: "7",
        SenderId: "7",
        SenderName: "Ann",
        SenderUsername: "ann",
        SenderTag: "#1",
        MemberRoleIds: ["r"],
      });
      expect(context({ from: "test:7", sender }).From).toBe("test:7");
      expect(context({ sender: { id: "7", roles: [] } })).not.toHaveProperty("MemberRoleIds");
    });
  });

  describe("access", () => {
    const commands = {
      authorizers: [{ configured: true, allowed: true }],
      useAccessGroups: true,
      allowTextCommands: true,
    };

    it("says whether commands are authorized, false by default", () => {
      expect(context({ access: { commands } })).toMatchObject({ CommandAuthorized: true });
      expect(context({ access: { commands: { ...commands, authorized: false } } }).CommandAuthorized).toBe(false);
      expect(context({ access: {} }).CommandAuthorized).toBe(false);
    });

    it("says whether the agent was mentioned, by the decision where there is one", () => {
      const mentions = { canDetectMention: true, wasMentioned: false };
      expect(context({ access: { mentions } }).WasMentioned).toBe(false);
      expect(context({ access: { mentions: { ...mentions, effectiveWasMentioned: true } } }).WasMentioned).toBe(true);
      expect(context({})).not.toHaveProperty("WasMentioned");
    });
  });

  it("carries forward, thread, history, prompt and untrusted blocks", () => {
    const untrusted = { label: "poll", payload: { question: "?" } };
    expect(
      context({
        message: { rawBody: "x", inboundHistory: [{ sender: "Bo", body: "earlier" }] },
        supplemental: {
          forwarded: { from: "News", fromType: "channel", fromId: "n", date: 3 },
          thread: { starterBody: "start", historyBody: "then", label: "T" },
          untrustedContext: [untrusted],
          groupSystemPrompt: "be brief",
        },
      }),
    ).toMatchObject({
      ForwardedFrom: "News",
      ForwardedFromType: "channel",
      ForwardedFromId: "n",
      ForwardedDate: 3,
      ThreadStarterBody: "start",
      ThreadHistoryBody: "then",
      ThreadLabel: "T",
      InboundHistory: [{ sender: "Bo", body: "earlier" }],
      UntrustedStructuredContext: [untrusted],
      GroupSystemPrompt: "be brief",
    });
  });

  it("applies the visibility policy of the turn", () => {
    const supplemental = { quote: { id: "q", body: "said", senderAllowed: false } };
    expect(context({ supplemental }).ReplyToBody).toBe("said");
    expect(context({ supplemental, contextVisibility: "allowlist" })).not.toHaveProperty("ReplyToBody");
  });

  it.each<[string, Partial<BuildContextParams>, object]>([
    ["an empty history", { message: { rawBody: "r", inboundHistory: [] } }, { RawBody: "r", BodyForCommands: "r" }],
    ["no untrusted block", { supplemental: { untrustedContext: [] } }, {}],
    ["an empty list of roles", { sender: { id: "a", roles: [] } }, { From: "a", SenderId: "a" }],
    [
      "a body in a group of an unlabelled sender",
      { conversation: GROUP, message: { rawBody: "r", body: "b" } },
      { Body: "b", RawBody: "r", BodyForCommands: "r", ChatType: "group", OriginatingTo: "g" },
    ],
    [
      "a body of nowhere",
      { sender: { id: "a", name: "A" }, message: { rawBody: "r", body: "b" } },
      { Body: "b", RawBody: "r", BodyForCommands: "r", From: "a", SenderId: "a", SenderName: "A" },
    ],
    [
      "an empty label",
      { conversation: GROUP, sender: { id: "a", displayLabel: "" }, message: { rawBody: "r", body: "b" } },
      {
        Body: "b",
        RawBody: "r",
        BodyForCommands: "r",
        From: "a",
        SenderId: "a",
        ChatType: "group",
        OriginatingTo: "g",
      },
    ],
    [
      "commands without a reason",
      { access: { commands: { authorizers: [], useAccessGroups: true, allowTextCommands: true } } },
      { CommandSource: "text" },
    ],
    [
      "commands with one",
      {
        access: { commands: { authorizers: [], useAccessGroups: true, allowTextCommands: true, reasonCode: "native" } },
      },
      { CommandSource: "native" },
    ],
  ])("of %s: these fields and no other", (_case, facts, fields) => {
    expect(context(facts)).toStrictEqual({
      CommandAuthorized: false,
      OriginatingChannel: "test",
      Provider: "test",
      Surface: "test",
      ...fields,
    });
  });
});
