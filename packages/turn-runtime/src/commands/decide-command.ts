import type { SessionSettings } from "@turnwire/turn-ports";

import type { QueueMode } from "../config/messages-config.ts";
import { COMMANDS } from "./command-table.ts";
import type { ParsedCommand } from "./parse-command.ts";

/** What a command may look at. */
export interface CommandFacts {
  readonly isAuthorized: boolean;
  readonly isOwner: boolean;
  readonly settings: SessionSettings;
  readonly agent: {
    readonly id: string;
    readonly name: string;
    readonly runner: string;
    readonly model?: string | undefined;
  };
  readonly session: { readonly key: string; readonly generation: number };
  readonly lane: { readonly running: boolean; readonly waiting: number };
  readonly queueMode: QueueMode;
  readonly timeoutMs: number;
}

/** What a command does, and what it answers. */
export interface CommandDecision {
  /** `stop` and `resend` answer by what they do. */
  readonly text: string | null;
  readonly action?:
    | { readonly kind: "stop" }
    | { readonly kind: "reset" }
    | { readonly kind: "resend"; readonly outboxId: string }
    | { readonly kind: "set"; readonly settings: SessionSettings }
    | undefined;
}

const QUEUE_MODES: readonly QueueMode[] = ["steer", "followup", "collect", "interrupt"];
const REASONING = ["on", "off", "stream"] as const;
const VERBOSE = ["on", "off", "full"] as const;

/** Decides a command. Pure: the runtime carries out `action` and sends `text`. */
export function decideCommand(command: ParsedCommand, facts: CommandFacts): CommandDecision {
  const { name, args } = command;
  const { right } = COMMANDS[name];
  if ((right === "owner" && !facts.isOwner) || (right === "authorized" && !facts.isAuthorized && !facts.isOwner)) {
    return { text: `You may not use /${name} here.` };
  }
  const { settings } = facts;
  switch (name) {
    case "stop":
      return { text: null, action: { kind: "stop" } };
    case "new":
      return { text: "A new conversation. What was said before is no longer read.", action: { kind: "reset" } };
    case "queue":
      return choose(command, {
        values: QUEUE_MODES,
        current: facts.queueMode,
        change: (queueMode) => ({ ...settings, queueMode }),
      });
    case "reasoning":
      return choose(command, {
        values: REASONING,
        current: settings.reasoning ?? "off",
        change: (reasoning) => ({ ...settings, reasoning }),
      });
    case "verbose":
      return choose(command, {
        values: VERBOSE,
        current: settings.verbose ?? "off",
        change: (verbose) => ({ ...settings, verbose }),
      });
    case "models":
      return { text: `Model: ${modelOf(facts)}.` };
    case "model":
      return decideModel(args, facts);
    case "status":
      return { text: statusText(facts) };
    case "config":
      return { text: configText(facts) };
    case "resend":
      return args === ""
        ? { text: "/resend takes the id that the notice of a missing answer names." }
        : { text: null, action: { kind: "resend", outboxId: args } };
    case "help":
      return { text: helpText() };
  }
}

/** What `/stop` answers. */
export function stoppedText(count: number): string {
  if (count === 0) return "There is nothing to stop.";
  return count === 1 ? "Stopped." : `Stopped ${count} requests.`;
}

/** What `/resend` answers: nothing when the answer itself comes. */
export function resentText(found: "held" | "settled" | "none"): string | null {
  if (found === "none") return "There is no such answer here.";
  return found === "held" ? null : "That answer has been sent already, or is on its way.";
}

/** A setting with a few values: without arguments it is shown, with one of its values it is set. */
interface Choice<Value extends string> {
  readonly values: readonly Value[];
  readonly current: string;
  change(value: Value): SessionSettings;
}

function choose<Value extends string>({ name, args }: ParsedCommand, choice: Choice<Value>): CommandDecision {
  if (args === "") return { text: `/${name} is ${choice.current}.` };
  const chosen = choice.values.find((value) => value === args.toLowerCase());
  if (chosen === undefined) return { text: `/${name} takes one of: ${choice.values.join(", ")}.` };
  return { text: `/${name} is now ${chosen}.`, action: { kind: "set", settings: choice.change(chosen) } };
}

function decideModel(args: string, facts: CommandFacts): CommandDecision {
  if (args === "") return { text: `Model: ${modelOf(facts)}.` };
  const { model: _old, ...others } = facts.settings;
  if (args.toLowerCase() === "default") {
    return { text: "The agent's own model is used again.", action: { kind: "set", settings: others } };
  }
  // A model's name is one word of bounded length; anything else is a typing error.
  if (/\s/u.test(args) || args.length > 100) return { text: "/model takes the name of one model." };
  return { text: `Model: ${args}.`, action: { kind: "set", settings: { ...others, model: args } } };
}

function modelOf({ settings, agent }: CommandFacts): string {
  return settings.model ?? agent.model ?? `whatever the ${agent.runner} runner uses`;
}

function statusText(facts: CommandFacts): string {
  const { lane, settings } = facts;
  return [
    `${facts.agent.name}: ${lane.running ? "answering" : "idle"}, ${lane.waiting} waiting`,
    `Model: ${modelOf(facts)}`,
    `Queue: ${facts.queueMode}`,
    `Reasoning: ${settings.reasoning ?? "off"}`,
    `Conversation: ${facts.session.generation + 1}`,
  ].join("\n");
}

function configText(facts: CommandFacts): string {
  return [
    `Agent: ${facts.agent.id} (${facts.agent.name}), runner ${facts.agent.runner}`,
    `Session: ${facts.session.key}`,
    `Time limit: ${Math.round(facts.timeoutMs / 1_000)} s`,
    `Queue: ${facts.queueMode}`,
  ].join("\n");
}

function helpText(): string {
  return Object.entries(COMMANDS)
    .map(([name, { usage, help }]) => `/${name}${usage === "" ? "" : ` ${usage}`}: ${help}`)
    .join("\n");
}
