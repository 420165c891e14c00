import { describe, expect, it } from "vitest";

import { MENU_COMMANDS, isOurs, parseSlashCommand } from "./commands.ts";

describe("slash commands", () => {
  it.each([
    ["/stop", { name: "stop", args: "", control: true }],
    ["  /stop  ", { name: "stop", args: "", control: true }],
    ["/Stop", { name: "stop", args: "", control: true }],
    ["/model gpt 5", { name: "model", args: "gpt 5", control: true }],
    ["/queue\ncollect", { name: "queue", args: "collect", control: true }],
    ["/new@ada_bot please", { name: "new", bot: "ada_bot", args: "please", control: true }],
    ["/resend 1b2c", { name: "resend", args: "1b2c", control: true }],
    ["/weather in Rome", { name: "weather", args: "in Rome", control: false }],
    ["/usr/bin/env", null],
    ["/", null],
    ["stop", null],
    ["go /stop", null],
    ["", null],
  ])("%j", (text, expected) => {
    expect(parseSlashCommand(text)).toEqual(expected);
  });

  it.each([
    ["/stop", "ada_bot", true],
    ["/stop@ada_bot", "ada_bot", true],
    ["/stop@Ada_Bot", "ada_bot", true],
    ["/stop@other_bot", "ada_bot", false],
    ["/stop@ada_bot", undefined, false],
  ])("%s to %s: ours %s", (text, username, ours) => {
    const command = parseSlashCommand(text);
    expect(command).not.toBeNull();
    expect(command !== null && isOurs(command, username)).toBe(ours);
  });

  it("have names and descriptions that Telegram takes for a menu", () => {
    for (const { name, description } of MENU_COMMANDS) {
      expect(name).toMatch(/^[a-z0-9_]{1,32}$/);
      expect(description.length).toBeGreaterThan(0);
      expect(description.length).toBeLessThanOrEqual(256);
    }
    expect(new Set(MENU_COMMANDS.map(({ name }) => name)).size).toBe(MENU_COMMANDS.length);
  });
});
