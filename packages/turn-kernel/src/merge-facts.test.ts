import { describe, expect, it } from "vitest";

import type { ChannelTurnResolved } from "./channel-turn-adapter.ts";
import { mergeFacts } from "./merge-facts.ts";
import type { NormalizedTurnInput } from "./normalized-turn-input.ts";
import type { PreflightFacts } from "./preflight-facts.ts";

const INPUT = { id: "input", rawText: "raw", timestamp: 1 };
const delivery = { deliver: async (): Promise<void> => {} };
const message = { rawBody: "r" };

function merged(
  input: NormalizedTurnInput,
  preflight: PreflightFacts,
  resolved: ChannelTurnResolved,
): ChannelTurnResolved {
  return mergeFacts(input, preflight, resolved);
}

describe("facts of ingest, preflight and resolve", () => {
  it("are those of resolve, else of preflight, field by field; undefined says nothing", () => {
    const preflight = { sender: { id: "p", name: "P", tag: "T" }, reply: { to: "there" } };
    const turn = merged(INPUT, preflight, {
      delivery,
      message,
      sender: { id: "r", name: undefined, username: "U" },
    });
    expect(turn.sender).toStrictEqual({ id: "r", name: "P", tag: "T", username: "U" });
    expect(turn.reply).toEqual({ to: "there" });
  });

  it.each(["access", "sender", "conversation", "message", "route", "reply", "supplemental"] as const)(
    "%s comes from preflight where resolve has none",
    (name) => {
      const fact = { only: "preflight" };
      const turn = merged(INPUT, { [name]: fact }, { delivery, ...(name === "message" ? {} : { message }) });
      expect(turn[name]).toEqual(fact);
    },
  );

  it("takes id and time of the event where the turn names none", () => {
    expect(merged(INPUT, {}, { delivery, message })).toMatchObject({ messageId: "input", timestamp: 1 });
    const own = { delivery, message, messageId: "own", timestamp: 2 };
    expect(merged(INPUT, {}, own)).toMatchObject({ messageId: "own", timestamp: 2 });
  });

  it("takes media that preflight has, and never calls for those it would fetch", () => {
    const media = [{ path: "/a" }];
    const fetch = (): never => {
      throw new Error("called");
    };
    expect(merged(INPUT, { media }, { delivery, message }).media).toBe(media);
    expect(merged(INPUT, { media: fetch }, { delivery, message }).media).toBeUndefined();
    expect(merged(INPUT, { media }, { delivery, message, media: [] }).media).toEqual([]);
  });

  it.each([
    [{ textForAgent: "a" }, { rawBody: "r", bodyForAgent: "a", commandBody: undefined }],
    [{ textForCommands: "c" }, { rawBody: "r", bodyForAgent: undefined, commandBody: "c" }],
    [{}, { rawBody: "r" }],
  ])("bodies of ingest %j stand in", (bodies, expected) => {
    expect(merged({ ...INPUT, ...bodies }, {}, { delivery, message }).message).toStrictEqual(expected);
  });

  it("needs no message: a turn that goes no further has none", () => {
    expect(merged({ ...INPUT, textForAgent: "a" }, {}, { delivery }).message).toBeUndefined();
  });

  it("leave a finished context alone: only what authorize, record and history read is merged", () => {
    const ctxPayload = { CommandAuthorized: false };
    const history = { key: "k", limit: 1 };
    const preflight = { access: { bots: "allow" }, history, message, route: { agentId: "m" }, media: [] } as const;
    expect(merged(INPUT, preflight, { delivery, ctxPayload })).toStrictEqual({
      delivery,
      ctxPayload,
      access: { bots: "allow" },
      sender: undefined,
      conversation: undefined,
      history,
    });
  });
});
