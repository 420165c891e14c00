import type { ChannelAccountConfig } from "@turnwire/turn-ports";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";

import { accountConfigShape } from "./account-config-shape.ts";

const schema = z.strictObject({ ...accountConfigShape, botToken: z.string() });

describe("accountConfigShape", () => {
  it("gives the port's config, with the cautious defaults", () => {
    expectTypeOf<z.output<typeof schema>>().toExtend<ChannelAccountConfig>();
    expect(schema.parse({ botToken: "t" })).toEqual({
      botToken: "t",
      enabled: true,
      dmPolicy: "pairing",
      allowFrom: [],
      groupPolicy: "allowlist",
      groups: {},
      requireMention: true,
      bots: "deny",
      contextVisibility: "all",
      streaming: { mode: "partial" },
      replyToMode: "off",
      onUnknownSend: "hold",
    });
  });

  it("describes every key, for the reference", () => {
    const { properties = {} } = z.toJSONSchema(schema, { io: "input" });
    const undescribed = Object.entries(properties)
      .filter(
        ([name, property]) =>
          name in accountConfigShape && typeof property === "object" && property.description === undefined,
      )
      .map(([name]) => name);
    expect(undescribed).toEqual([]);
  });

  it.each([
    { name: "a number as id", config: { allowFrom: [123] } },
    { name: "an unknown policy", config: { dmPolicy: "everyone" } },
    { name: "an unknown key of a group", config: { groups: { g: { allow: [] } } } },
    { name: "a history limit below 0", config: { historyLimit: -1 } },
    { name: "a rate of 0", config: { outbound: { perChatPerSecond: 0 } } },
  ])("refuses $name", ({ config }) => {
    expect(schema.safeParse({ botToken: "t", ...config }).success).toBe(false);
  });
});
