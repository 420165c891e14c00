import { describe, expect, it } from "vitest";

import { COMMANDS } from "./command-table.ts";
import { decideCommand, stoppedText, type CommandDecision, type CommandFacts } from "./decide-command.ts";
import { parseCommand } from "./parse-command.ts";

const facts: CommandFacts = {
  isAuthorized: true,
  isOwner: false,
  settings: { model: "small" },
  agent: { id: "main", name: "Ada", runner: "echo" },
  session: { key: "agent:main:main", generation: 0 },
  lane: { running: true, waiting: 2 },
  queueMode: "steer",
  timeoutMs: 600_000,
};

describe("parseCommand", () => {
  it.each([
    ["/stop", { name: "stop", args: "" }],
    ["  /STOP  ", { name: "stop", args: "" }],
    ["/queue collect", { name: "queue", args: "collect" }],
    ["/new https://example.org", { name: "new", args: "https://example.org" }],
    ["/model\nbig", { name: "model", args: "big" }],
    ["/unknown thing", null],
    ["/stop@otherbot", null],
    ["please /stop", null],
    ["/stopwatch", null],
    ["/constructor", null],
    ["stop", null],
    ["", null],
  ])("%j", (text, command) => {
    expect(parseCommand(text)).toEqual(command);
  });
});

describe("decideCommand", () => {
  const table: readonly (readonly [string, Partial<CommandFacts>, CommandDecision])[] = [
    ["/stop", {}, { text: null, action: { kind: "stop" } }],
    ["/queue", {}, { text: "/queue is steer." }],
    [
      "/queue Collect",
      {},
      { text: "/queue is now collect.", action: { kind: "set", settings: { model: "small", queueMode: "collect" } } },
    ],
    ["/queue never", {}, { text: "/queue takes one of: steer, followup, collect, interrupt." }],
    [
      "/reasoning stream",
      {},
      { text: "/reasoning is now stream.", action: { kind: "set", settings: { model: "small", reasoning: "stream" } } },
    ],
    ["/model", {}, { text: "Model: small." }],
    ["/model big", {}, { text: "Model: big.", action: { kind: "set", settings: { model: "big" } } }],
    ["/model default", {}, { text: "The agent's own model is used again.", action: { kind: "set", settings: {} } }],
    ["/model two words", {}, { text: "/model takes the name of one model." }],
    ["/model big", { isAuthorized: false }, { text: "You may not use /model here." }],
    [
      "/verbose full",
      { isAuthorized: false, isOwner: true },
      { text: "/verbose is now full.", action: { kind: "set", settings: { model: "small", verbose: "full" } } },
    ],
    ["/resend", {}, { text: "/resend takes the id that the notice of a missing answer names." }],
    ["/resend part-7", {}, { text: null, action: { kind: "resend", outboxId: "part-7" } }],
    ["/config", {}, { text: "You may not use /config here." }],
  ];

  it.each(table)("%s %j", (text, changes, decision) => {
    const command = parseCommand(text);
    expect(command).not.toBeNull();
    if (command !== null) expect(decideCommand(command, { ...facts, ...changes })).toEqual(decision);
  });

  it("/help names every command", () => {
    const { text } = decideCommand({ name: "help", args: "" }, facts);
    for (const name of Object.keys(COMMANDS)) expect(text).toContain(`/${name}`);
  });

  it("/status tells what runs and waits", () => {
    expect(decideCommand({ name: "status", args: "" }, facts).text).toContain("answering, 2 waiting");
  });

  it("/config shows no secret: only names, limits and modes", () => {
    expect(decideCommand({ name: "config", args: "" }, { ...facts, isOwner: true }).text).toBe(
      "Agent: main (Ada), runner echo\nSession: agent:main:main\nTime limit: 600 s\nQueue: steer",
    );
  });

  it.each([
    [0, "There is nothing to stop."],
    [1, "Stopped."],
    [3, "Stopped 3 requests."],
  ])("/stop with %i", (count, text) => {
    expect(stoppedText(count)).toBe(text);
  });
});
