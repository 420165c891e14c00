import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

import type { WebhookAdapter } from "@turnwire/turn-ports";
import { describe, expect, it } from "vitest";

import { createWebhookRegistry, type RegisteredWebhook } from "./webhook-registry.ts";

function webhook(path: string, bodyLimitBytes = 1000): RegisteredWebhook {
  const adapter: WebhookAdapter = {
    path,
    secret: "secret",
    bodyLimitBytes,
    verify: () => true,
    parse: () => ({ kind: "ignore" }),
  };
  return { adapter, inbox: { accept: () => Promise.resolve([]) } };
}

describe("the registry of webhooks", () => {
  it("finds by the exact path, and lists all", () => {
    const registry = createWebhookRegistry();
    const telegram = webhook("/webhooks/telegram/default");
    registry.add(webhook("/webhooks/slack/work"));
    registry.add(telegram);
    expect(registry.paths()).toEqual(["/webhooks/slack/work", "/webhooks/telegram/default"]);
    expect(registry.find("/webhooks/telegram/default")).toBe(telegram);
    registry.remove("/webhooks/telegram/default");
    expect(registry.find("/webhooks/telegram/default")).toBeNull();
  });

  it.each([
    "/webhooks/telegram",
    "/webhooks/telegram/default/",
    "/webhooks/TELEGRAM/default",
    "/webhooks/telegram/default?x",
  ])("does not find %s", (path) => {
    const registry = createWebhookRegistry();
    registry.add(webhook("/webhooks/telegram/default"));
    expect(registry.find(path)).toBeNull();
  });

  it.each([
    "",
    "/",
    "webhooks/a",
    "/webhooks/*",
    "/webhooks/:id",
    "/webhooks//a",
    "/webhooks/a?b",
    "/webhooks/a#b",
    "/a b",
  ])("refuses the path %j", (path) => {
    expect(() => createWebhookRegistry().add(webhook(path))).toThrow(/plain absolute path/);
  });

  it("refuses a path that is taken, and a body without a limit", () => {
    const registry = createWebhookRegistry();
    registry.add(webhook("/webhooks/a/b"));
    expect(() => registry.add(webhook("/webhooks/a/b"))).toThrow(/taken/);
    for (const limit of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 1.5]) {
      expect(() => registry.add(webhook("/webhooks/c/d", limit))).toThrow(/body limit/);
    }
  });
});

describe("the inventory of callers", () => {
  const root = resolve(import.meta.dirname, "../../..");
  const sources = globSync("{packages,apps}/*/src/**/*.{ts,tsx}", { cwd: root })
    .filter((file) => !/\.test(-d)?\.tsx?$/.test(file))
    .map((file) => ({ file, text: readFileSync(resolve(root, file), "utf8") }));
  const callersOf = (name: string): readonly string[] =>
    sources
      .filter(({ text }) =>
        new RegExp(String.raw`(?<!function )\b${name}\(`).test(text.replaceAll(/^\s*(?:\/\/|\*).*$/gm, "")),
      )
      .map(({ file }) => file);

  it("has one place that takes webhooks in, and it goes all three steps", () => {
    const [place, ...others] = callersOf("dispatchVerifiedWebhook");
    expect(others).toEqual([]);
    expect(place).toMatch(/^apps\/gateway\/src\//);
    expect(callersOf("parseVerifiedWebhook")).toEqual([place]);
    expect(callersOf("verifyWebhook")).toEqual([place]);
  });

  it("has no webhook adapter that goes into the inbox by itself", () => {
    const around = sources
      .filter(
        ({ file, text }) => /^packages\/channel-[^/]+\/src\/inbound\/webhook/.test(file) && /\binbox\b/.test(text),
      )
      .map(({ file }) => file);
    expect(around).toEqual([]);
  });

  it("would see a second caller", () => {
    const text = "const answer = await dispatchVerifiedWebhook(messages, inbox);";
    sources.push({ file: "packages/elsewhere/src/second.ts", text });
    expect(callersOf("dispatchVerifiedWebhook")).toContain("packages/elsewhere/src/second.ts");
    sources.pop();
  });
});
