import { describe, expect, it } from "vitest";

import { telegramAccountSchema } from "./config.ts";
import { turnwireChannel } from "./telegram-channel.ts";

const TOKEN = "123456789:AAtoken";

describe("a Telegram account's config", () => {
  it("needs nothing but a token", () => {
    expect(telegramAccountSchema.parse({ botToken: TOKEN })).toEqual({
      botToken: TOKEN,
      apiRoot: "https://api.telegram.org",
      mode: "polling",
      commandMenu: true,
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

  it.each([
    ["https://api.example.org/", "https://api.example.org"],
    ["http://127.0.0.1:8081//", "http://127.0.0.1:8081"],
  ])("takes apiRoot %s as %s", (apiRoot, expected) => {
    expect(telegramAccountSchema.parse({ botToken: TOKEN, apiRoot }).apiRoot).toBe(expected);
  });

  it("takes a token with white space around it: it was pasted", () => {
    expect(telegramAccountSchema.parse({ botToken: ` ${TOKEN}\n` }).botToken).toBe(TOKEN);
  });

  it.each<readonly [string, object, string]>([
    ["no token", {}, "botToken"],
    ["an empty token", { botToken: " " }, "botToken"],
    ["an address that is none", { botToken: TOKEN, apiRoot: "telegram" }, "apiRoot"],
    ["an address of another kind", { botToken: TOKEN, apiRoot: "ftp://example.org" }, "apiRoot"],
    ["a mode that is unknown", { botToken: TOKEN, mode: "push" }, "mode"],
    ["a secret that Telegram refuses", { botToken: TOKEN, webhook: { secretToken: "a b" } }, "webhook.secretToken"],
    ["a path without a slash", { botToken: TOKEN, webhook: { path: "hook" } }, "webhook.path"],
    ["a key that is unknown", { botToken: TOKEN, tokn: "x" }, ""],
  ])("refuses %s", (_name, config, path) => {
    const parsed = turnwireChannel.accountSchema.safeParse(config);
    expect(parsed.success).toBe(false);
    if (!parsed.success) expect(parsed.error.issues.map((issue) => issue.path.join("."))).toEqual([path]);
  });

  it("describes itself as JSON Schema, each key of its own with a description", () => {
    const { jsonSchema } = turnwireChannel.accountSchema["~standard"];
    const { properties } = jsonSchema.input({ target: "draft-2020-12" }) as {
      readonly properties: Readonly<Record<string, { readonly description?: string }>>;
    };
    for (const key of ["botToken", "apiRoot", "mode", "webhook", "commandMenu"]) {
      expect(properties[key]?.description).toMatch(/\w+/);
    }
  });
});
