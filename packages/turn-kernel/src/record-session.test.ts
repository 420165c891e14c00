import { describe, expect, it } from "vitest";

import type { ResolvedTurnBase } from "./assembled-channel-turn.ts";
import type { RecordInboundSessionParams } from "./record-inbound-session.ts";
import { recorderOf, recordSession } from "./record-session.ts";
import { TurnPass } from "./turn-pass.ts";

const PORTS = {
  clock: { now: () => 0, monotonic: () => 0, setTimer: () => () => {} },
  ids: { next: () => "t" },
};
const BOOM = new Error("boom");
const ROUTE = { agentId: "main", routeSessionKey: "route" };

interface Recorded {
  readonly params: RecordInboundSessionParams;
  readonly warnings: string[];
  readonly tasks: Promise<unknown>[];
}

function record(turn: ResolvedTurnBase, sessionKey: string | undefined = "session", chatType?: string): Recorded {
  const warnings: string[] = [];
  const tasks: Promise<unknown>[] = [];
  let params: RecordInboundSessionParams | undefined;
  const log = ({ event, reason }: { event: string; reason?: string | undefined }): void => {
    if (event === "warning") warnings.push(reason ?? "");
  };
  const context = { CommandAuthorized: false, ...(chatType === undefined ? {} : { ChatType: chatType }) };
  void recordSession(
    (given) => {
      params = given;
    },
    new TurnPass(PORTS, { channel: "c", accountId: "acc", log }),
    { turn, context, sessionKey, tasks },
  );
  if (params === undefined) throw new Error("the recorder was not called");
  return { params, warnings, tasks };
}

describe("the last route", () => {
  const reply = { to: "here", messageThreadId: "th" };
  const direct = { kind: "direct", id: "d" } as const;
  const group = { kind: "group", id: "g" } as const;
  const pinned = { ...ROUTE, mainSessionKey: "main" };

  it("is where this reply goes", () => {
    expect(record({ reply, route: ROUTE, conversation: group }).params.updateLastRoute).toEqual({
      sessionKey: "session",
      channel: "c",
      to: "here",
      accountId: "acc",
      threadId: "th",
    });
  });

  it.each([
    ["a direct conversation moves the main session's", { conversation: direct, route: pinned }, undefined, "main"],
    ["so does a finished direct context", { route: pinned }, "direct", "main"],
    ["a group never does", { conversation: group, route: pinned }, undefined, "session"],
    ["nor does a finished group context", { route: pinned }, "group", "session"],
    ["without a main session, its own", { conversation: direct, route: ROUTE }, undefined, "session"],
  ] as const)("%s", (_case, turn, chatType, key) => {
    expect(record({ reply, ...turn }, "session", chatType).params.updateLastRoute?.sessionKey).toBe(key);
  });

  it("is what the turn says, where it says one", () => {
    const updateLastRoute = { sessionKey: "x", channel: "y", to: "z" };
    expect(record({ reply, record: { updateLastRoute } }).params.updateLastRoute).toBe(updateLastRoute);
  });

  it("is left alone without a reply plan or a session", () => {
    expect(record({ route: ROUTE }).params.updateLastRoute).toBeUndefined();
    const nowhere: Recorded[] = [];
    const turn = { reply };
    void recordSession(
      (params) => void nowhere.push({ params, warnings: [], tasks: [] }),
      new TurnPass(PORTS, { channel: "c" }),
      { turn, context: { CommandAuthorized: false }, sessionKey: undefined, tasks: [] },
    );
    expect(nowhere[0]?.params).toMatchObject({ sessionKey: "", storePath: "", updateLastRoute: undefined });
  });
});

describe("what is recorded", () => {
  it("names store, session and context, and nothing that has no source", () => {
    expect(record({ storePath: "/s" }).params).toMatchObject({
      storePath: "/s",
      sessionKey: "session",
      ctx: { CommandAuthorized: false },
      groupResolution: undefined,
      createIfMissing: undefined,
    });
  });

  it.each([
    [
      "the routed peer",
      { kind: "group", id: "g", routePeer: { kind: "channel", id: "p" } },
      { kind: "channel", id: "p" },
    ],
    ["else the conversation", { kind: "channel", id: "g" }, { kind: "channel", id: "g" }],
  ] as const)("says which group: %s", (_case, conversation, peer) => {
    expect(record({ conversation }).params.groupResolution).toEqual({ channel: "c", ...peer });
  });

  it("says no group for a direct conversation, and the turn's own word wins", () => {
    expect(record({ conversation: { kind: "direct", id: "d" } }).params.groupResolution).toBeUndefined();
    const groupResolution = { own: true };
    const turn = { conversation: { kind: "group", id: "g" } as const, record: { groupResolution } };
    expect(record(turn).params.groupResolution).toBe(groupResolution);
  });

  it.each([
    [undefined, undefined, undefined],
    [undefined, true, true],
    [false, true, false],
    [true, undefined, true],
  ])("createIfMissing: the turn says %s, the route %s: %s", (own, routed, expected) => {
    const turn = { record: { createIfMissing: own }, route: { ...ROUTE, createIfMissing: routed } };
    expect(record(turn).params.createIfMissing).toBe(expected);
  });
});

describe("failures", () => {
  it("of metadata are a warning and the channel's to know", () => {
    const told: unknown[] = [];
    const { params, warnings } = record({ record: { onRecordError: (error) => void told.push(error) } });
    params.onRecordError(BOOM);
    expect([told, warnings]).toEqual([[BOOM], ["record_failed"]]);
  });

  it("of a tracked task are a warning; the task is waited for, and the channel gets it too", async () => {
    const given: Promise<unknown>[] = [];
    const { params, warnings, tasks } = record({ record: { trackSessionMetaTask: (task) => void given.push(task) } });
    const task = Promise.reject(BOOM);
    params.trackSessionMetaTask?.(task);
    await Promise.all(tasks);
    expect([given, warnings]).toEqual([[task], ["session_meta_task_failed"]]);
  });

  it("need nobody to be told", async () => {
    const { params, tasks } = record({});
    params.onRecordError(BOOM);
    params.trackSessionMetaTask?.(Promise.resolve());
    await expect(Promise.all(tasks)).resolves.toHaveLength(1);
  });
});

it("the turn's own recorder comes before the kernel's; there may be none", () => {
  const own = (): void => {};
  const port = (): void => {};
  expect(recorderOf({ ...PORTS, recordInboundSession: port }, { recordInboundSession: own })).toBe(own);
  expect(recorderOf({ ...PORTS, recordInboundSession: port }, {})).toBe(port);
  expect(recorderOf(PORTS, {})).toBeUndefined();
});
